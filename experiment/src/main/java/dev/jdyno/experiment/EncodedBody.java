package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.Jdks;
import dev.jdyno.experiment.lab.LabService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// E14: a body of 94 KB, sent as a String through a Writer or as bytes that were encoded once.
/// Judged by the service's CPU time per request, because the client shares the cores here.
final class EncodedBody implements Experiment {
    private static final Duration LENGTH = Duration.ofMillis(1500);
    private static final int CLIENTS = 8;
    private static final double PUBLISHED = 3500 / 1800.0;
    private static final List<String> WAYS = List.of("writer", "encode", "bytes");
    private static final String NOT_COMPACT = "-CompactStrings";
    private static final String UNCOMPACT = "-XX:" + NOT_COMPACT;

    /// The measurement of one way of writing.
    ///
    /// @param jvm such as `JDK 25`
    /// @param text `ascii`, `latin` or `chinese`
    /// @param as `writer`, `encode` (encodes the whole String, then writes it) or `bytes`
    record Cell(String jvm, String text, String as, double qps, double cpuMs) {
        /// False for ASCII text and for JVMs without compact strings, which are measured as an
        /// explanation only.
        private boolean isJudged() {
            return !text.equals("ascii") && !jvm.contains(NOT_COMPACT);
        }
    }

    @Override
    public String id() {
        return "E14";
    }

    @Override
    public String title() {
        return "a body of 94 KB as a String through a Writer and as bytes";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        List<Cell> cells = new ArrayList<>();
        for (Jdks.Jdk java : Jdks.all()) {
            cells.addAll(measure(bench, java, "JDK " + java.feature(), List.of()));
        }
        Jdks.Jdk own = Jdks.all().getLast();
        cells.addAll(
                measure(
                        bench,
                        own,
                        "JDK " + own.feature() + " " + NOT_COMPACT,
                        List.of(UNCOMPACT)));
        return judged(cells);
    }

    private static List<Cell> measure(Bench bench, Jdks.Jdk java, String jvm, List<String> flags)
            throws InterruptedException {
        List<Cell> cells = new ArrayList<>();
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of("-Xms256m", "-Xmx256m"));
        try (LabService service =
                bench.lab().startOn(java.home(), "page.Pages", all, List.of("--port", "0"))) {
            for (String text : List.of("ascii", "latin", "chinese")) {
                List<CpuCost> costs =
                        CpuCost.of(
                                bench,
                                service,
                                WAYS.stream()
                                        .map(as -> "/body?as=" + as + "&text=" + text)
                                        .toList(),
                                LENGTH,
                                CLIENTS);
                for (int i = 0; i < WAYS.size(); i++) {
                    CpuCost cost = costs.get(i);
                    cells.add(new Cell(jvm, text, WAYS.get(i), cost.qps(), cost.cpuMs()));
                }
            }
        }
        return cells;
    }

    static Comparison judged(List<Cell> cells) {
        List<Row> rows = new ArrayList<>();
        for (Cell writer : cells) {
            if (writer.as().equals("writer")) {
                rows.addAll(rows(writer, of(cells, writer, "encode"), of(cells, writer, "bytes")));
            }
        }
        return new Comparison(
                "E14",
                new EncodedBody().title(),
                rows,
                List.of(
                        "ratios are of the service's CPU: client and service share the cores here, so that"
                                + " throughput gains less",
                        "getBytes: the whole String encoded for each request, without a Writer",
                        "published before JDK 9: since then ASCII text is encoded by a vectorised copy, from"
                                + " bytes where strings are compact (JEP 254); what is left is text beyond"
                                + " ASCII",
                        UNCOMPACT + " turns compact strings off"));
    }

    private static Cell of(List<Cell> cells, Cell like, String as) {
        return cells.stream()
                .filter(c ->
                        c.jvm().equals(like.jvm())
                                && c.text().equals(like.text())
                                && c.as().equals(as))
                .findFirst()
                .orElseThrow();
    }

    private static List<Row> rows(Cell writer, Cell encode, Cell bytes) {
        String name = writer.jvm() + ", " + writer.text();
        double gain = writer.cpuMs() / bytes.cpuMs();
        String why =
                String.format(
                        Locale.ROOT,
                        "the Writer costs %.0f µs of CPU more than the bytes, of which encoding the whole"
                                + " String takes %.0f µs; sending takes %.0f µs either way",
                        1000 * (writer.cpuMs() - bytes.cpuMs()),
                        1000 * (encode.cpuMs() - bytes.cpuMs()),
                        1000 * bytes.cpuMs());
        String ratio = "Writer / bytes, " + name;
        return List.of(
                Comparison.figure("QPS, Writer, " + name, 1800, writer.qps(), "1/s"),
                Comparison.figure("QPS, bytes, " + name, 3500, bytes.qps(), "1/s"),
                Comparison.here("CPU, Writer, " + name, writer.cpuMs(), "ms/request"),
                Comparison.here("CPU, bytes, " + name, bytes.cpuMs(), "ms/request"),
                Comparison.here(
                        "getBytes / bytes, " + name, encode.cpuMs() / bytes.cpuMs(), "ratio"),
                writer.isJudged()
                        ? Comparison.gain(ratio, PUBLISHED, gain).because(why)
                        : Comparison.here(ratio, gain, "ratio"));
    }
}
