package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.LabService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// E15: thirteen pages from interpreted templates, from compiled ones, and from compiled ones whose
/// static parts are already bytes.
final class Templates implements Experiment {
    /// Duration of each of the two measurements of a page with one engine.
    private static final Duration LENGTH = Duration.ofMillis(600);

    private static final int CLIENTS = 8;
    private static final int PAGES = 13;
    private static final double MIN_PUBLISHED = 1.26;
    private static final double PUBLISHED_MEAN = 1.50;
    private static final double MAX_PUBLISHED = 1.96;

    /// Gain of compiling alone, on pages with mostly text.
    private static final double PUBLISHED_COMPILED = 1.10;

    /// Number of pages at the beginning that are mostly text.
    private static final int TEXT_HEAVY = 5;

    private static final List<String> WARM_UP =
            List.of(
                    "/template?page=0&engine=velocity",
                    "/template?page=0&engine=compiled",
                    "/template?page=0&engine=binary",
                    "/template?page=6&engine=velocity",
                    "/template?page=6&engine=compiled",
                    "/template?page=6&engine=binary",
                    "/template?page=10&engine=velocity",
                    "/template?page=10&engine=compiled",
                    "/template?page=10&engine=binary");

    private static final List<String> ENGINES = List.of("velocity", "compiled", "binary");

    /// One page with all three engines.
    ///
    /// @param number index of the page, from 0
    record Page(int number, CpuCost interpreted, CpuCost compiled, CpuCost binary) {
        double gain() {
            return interpreted.cpuMs() / binary.cpuMs();
        }

        double compiledGain() {
            return interpreted.cpuMs() / compiled.cpuMs();
        }
    }

    @Override
    public String id() {
        return "E15";
    }

    @Override
    public String title() {
        return "interpreted templates and compiled ones that write bytes, 13 pages";
    }

    @Override
    public Comparison run(Bench bench) {
        List<Page> pages = new ArrayList<>();
        try (LabService service =
                bench.lab()
                        .start(
                                "page.Pages",
                                List.of("-Xms256m", "-Xmx256m"),
                                List.of("--port", "0"))) {
            // all pages share the engines' code, so it must be compiled before the first page is
            // measured
            CpuCost.of(bench, service, WARM_UP, LENGTH, CLIENTS);
            for (int i = 0; i < PAGES; i++) {
                String page = "/template?page=" + i + "&engine=";
                List<CpuCost> costs =
                        CpuCost.of(
                                bench,
                                service,
                                ENGINES.stream().map(engine -> page + engine).toList(),
                                LENGTH,
                                CLIENTS);
                pages.add(new Page(i, costs.get(0), costs.get(1), costs.get(2)));
            }
        }
        return judged(pages);
    }

    static Comparison judged(List<Page> pages) {
        List<Row> rows = new ArrayList<>();
        for (Page p : pages) {
            String name =
                    String.format(
                            Locale.ROOT,
                            "page %d, %.0f KB",
                            p.number() + 1,
                            p.binary().replyBytes() / 1024);
            rows.add(Comparison.here("CPU interpreted, " + name, p.interpreted().cpuMs(), "ms"));
            rows.add(Comparison.here("gain, " + name, p.gain(), "ratio"));
        }
        double min = pages.stream().mapToDouble(Page::gain).min().orElseThrow();
        double max = pages.stream().mapToDouble(Page::gain).max().orElseThrow();
        rows.add(Comparison.figure("largest gain", MAX_PUBLISHED, max, "ratio"));
        rows.add(
                Comparison.figure(
                        "compiling alone, text-heavy pages",
                        PUBLISHED_COMPILED,
                        geometricMean(
                                pages.stream()
                                        .filter(p -> p.number() < TEXT_HEAVY)
                                        .map(Page::compiledGain)
                                        .toList()),
                        "ratio"));
        rows.add(
                Comparison.figure(
                        "compiling alone, all pages",
                        PUBLISHED_COMPILED,
                        geometricMean(pages.stream().map(Page::compiledGain).toList()),
                        "ratio"));
        double mean = geometricMean(pages.stream().map(Page::gain).toList());
        rows.add(Comparison.gain("smallest gain", MIN_PUBLISHED, min).because(why(pages)));
        rows.add(Comparison.gain("mean gain", PUBLISHED_MEAN, mean).because(why(pages)));
        return new Comparison(
                "E15",
                new Templates().title(),
                rows,
                List.of(
                        "Velocity through a Writer, jte through a Writer, jte with its static parts as bytes:"
                                + " the same bytes on the wire",
                        "gain: CPU a request of the interpreted template / the compiled one that writes"
                                + " bytes; pages 1 to 5 are mostly text, 6 to 9 lists, 10 to 13 tables"));
    }

    private static String why(List<Page> pages) {
        return String.format(
                Locale.ROOT,
                "compiling alone gives %.2f, writing bytes instead of text another %.2f",
                geometricMean(pages.stream().map(Page::compiledGain).toList()),
                geometricMean(
                        pages.stream()
                                .map(p -> p.compiled().cpuMs() / p.binary().cpuMs())
                                .toList()));
    }

    private static double geometricMean(List<Double> ratios) {
        return Math.exp(ratios.stream().mapToDouble(Math::log).average().orElseThrow());
    }
}
