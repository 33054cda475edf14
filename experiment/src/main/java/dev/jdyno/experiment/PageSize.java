package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.LabService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// E16: a page of 170 KB is reduced to 110 KB in three steps that do not change what the reader
/// sees. The formula for throughput at saturation (F2) predicts each step. CPU time per request is
/// a constant plus a time per byte, and throughput is inversely proportional to it.
final class PageSize implements Experiment {
    private static final Duration LENGTH = Duration.ofSeconds(2);
    private static final int CLIENTS = 8;
    private static final double PUBLISHED = 1.35;

    /// The page without content. Its cost is the constant part.
    private static final String EMPTY = "empty";

    private static final Map<String, String> STEPS = new LinkedHashMap<>();

    static {
        STEPS.put("full", "as written");
        STEPS.put("squeezed", "white space squeezed");
        STEPS.put("merged", "repeated HTML as data and script");
        STEPS.put("apart", "static part loaded by itself");
    }

    @Override
    public String id() {
        return "E16";
    }

    @Override
    public String title() {
        return "a page of 170 KB made 110 KB";
    }

    @Override
    public Comparison run(Bench bench) {
        Map<String, CpuCost> steps = new LinkedHashMap<>();
        try (LabService service =
                bench.lab()
                        .start(
                                "page.Pages",
                                List.of("-Xms256m", "-Xmx256m"),
                                List.of("--port", "0"))) {
            List<String> forms = new ArrayList<>(STEPS.keySet());
            forms.add(EMPTY);
            List<CpuCost> costs =
                    CpuCost.of(
                            bench,
                            service,
                            forms.stream().map(form -> "/item?id=7000&form=" + form).toList(),
                            LENGTH,
                            CLIENTS);
            for (int i = 0; i < costs.size(); i++) {
                steps.put(forms.get(i), costs.get(i));
            }
        }
        return judged(steps);
    }

    /// @param steps costs by form, in the order of the steps, including the empty page
    static Comparison judged(Map<String, CpuCost> steps) {
        List<Row> rows = new ArrayList<>();
        CpuCost full = step(steps, "full");
        CpuCost empty = step(steps, EMPTY);
        double constant = empty.cpuMs();
        double perByte = (full.cpuMs() - constant) / (full.replyBytes() - empty.replyBytes());
        STEPS.forEach((form, name) -> {
            CpuCost step = step(steps, form);
            rows.add(Comparison.here("page, " + name, step.replyBytes() / 1024, "KB"));
            rows.add(Comparison.here("QPS, " + name, step.qps(), "1/s"));
            double predicted = constant + perByte * (step.replyBytes() - empty.replyBytes());
            rows.add(
                    Comparison.here("CPU, " + name, step.cpuMs(), "ms/request")
                            .predicted(predicted));
        });
        CpuCost apart = step(steps, "apart");
        double predicted =
                full.cpuMs() / (constant + perByte * (apart.replyBytes() - empty.replyBytes()));
        rows.add(
                Comparison.gain(
                                "requests per second of CPU, 110 / 170 KB",
                                PUBLISHED,
                                full.cpuMs() / apart.cpuMs())
                        .predicted(predicted)
                        .because(
                                String.format(
                                        Locale.ROOT,
                                        "%.0f µs of the %.0f µs a request does not depend on the size",
                                        constant * 1000,
                                        full.cpuMs() * 1000)));
        rows.add(
                Comparison.figure(
                        "QPS, 110 / 170 KB", PUBLISHED, apart.qps() / full.qps(), "ratio"));
        return new Comparison(
                "E16",
                new PageSize().title(),
                rows,
                List.of(
                        "published for a mean of several pages (10 to 80 %)",
                        "predicted by F2 from the full and an empty page: CPU = constant + share for each byte",
                        "judged by the service's CPU; throughput shares the cores with the client"));
    }

    private static CpuCost step(Map<String, CpuCost> steps, String form) {
        CpuCost step = steps.get(form);
        if (step == null) {
            throw new IllegalArgumentException("not measured: " + form);
        }
        return step;
    }
}
