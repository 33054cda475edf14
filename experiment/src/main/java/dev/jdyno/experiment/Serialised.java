package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// E17: 200 000 user records by Java serialisation and by protobuf: protobuf saves two thirds of
/// the CPU time. Kryo and Fory, which write Java objects, are measured for comparison.
final class Serialised implements Experiment {
    /// CPU time of protobuf ÷ CPU time of Java serialisation.
    private static final double PUBLISHED = 1 / 3.0;

    private static final double MEGABYTE = 1 << 20;
    private static final Duration MAX = Duration.ofMinutes(2);
    static final Passes WHOLE = new Passes(2, 5);
    private static final Passes SHORTENED = new Passes(1, 2);

    /// Number of passes over all records.
    ///
    /// @param warmUps passes before the measurement
    /// @param counted passes over which the mean is taken
    record Passes(int warmUps, int counted) {
        private List<String> arguments() {
            return List.of("--warm-ups", "" + warmUps, "--passes", "" + counted);
        }
    }

    /// The cost of one serialisation format, as the lab's `records` prints it.
    ///
    /// @param form `java` (one stream per record), `java_stream` (one stream for all), `protobuf`,
    ///   `kryo`, `fory`
    record Cost(
            String form,
            int users,
            long bytes,
            double encodeCpuMs,
            double decodeCpuMs,
            long allocatedBytes) {
        double cpuMs() {
            return encodeCpuMs + decodeCpuMs;
        }

        static Cost parse(String line) {
            try {
                return JsonMapper.shared().readValue(line, Cost.class);
            } catch (JacksonException e) {
                throw UserError.target(
                                "the lab's records printed something unexpected",
                                line,
                                "build the lab anew: ./mvnw -pl lab package")
                        .causedBy(e);
            }
        }
    }

    @Override
    public String id() {
        return "E17";
    }

    @Override
    public String title() {
        return "200 000 user records by Java serialisation and by protobuf";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        bench.listener().phase("── E17: records encoded and decoded");
        Passes passes = bench.quick() ? SHORTENED : WHOLE;
        return judged(
                bench.print("records.Records", passes.arguments(), MAX).stream()
                        .map(Cost::parse)
                        .toList(),
                passes);
    }

    static Comparison judged(List<Cost> costs, Passes passes) {
        Cost java = of(costs, "java");
        Cost protobuf = of(costs, "protobuf");
        List<Row> rows = new ArrayList<>();
        for (Cost c : costs) {
            rows.add(Comparison.here("encode, " + c.form(), c.encodeCpuMs(), "ms of CPU"));
            rows.add(Comparison.here("decode, " + c.form(), c.decodeCpuMs(), "ms of CPU"));
            rows.add(Comparison.here("bytes, " + c.form(), c.bytes() / MEGABYTE, "MB"));
            rows.add(
                    Comparison.here("allocated, " + c.form(), c.allocatedBytes() / MEGABYTE, "MB"));
        }
        rows.add(ratio("bytes, protobuf / java", (double) protobuf.bytes(), (double) java.bytes()));
        rows.add(
                ratio(
                        "allocated, protobuf / java",
                        (double) protobuf.allocatedBytes(),
                        (double) java.allocatedBytes()));
        Cost stream = of(costs, "java_stream");
        rows.add(ratio("CPU, protobuf / java, one stream", protobuf.cpuMs(), stream.cpuMs()));
        for (String form : List.of("kryo", "fory")) {
            rows.add(ratio("CPU, " + form + " / java", of(costs, form).cpuMs(), java.cpuMs()));
            rows.add(
                    ratio(
                            "CPU, " + form + " / protobuf",
                            of(costs, form).cpuMs(),
                            protobuf.cpuMs()));
        }
        rows.add(
                Comparison.within(
                                "CPU, protobuf / java",
                                PUBLISHED,
                                protobuf.cpuMs() / java.cpuMs(),
                                "ratio",
                                0,
                                (1 + PUBLISHED) / 2)
                        .because(
                                String.format(
                                        Locale.ROOT,
                                        "encoding takes %.2f and decoding %.2f of what Java serialisation"
                                                + " takes",
                                        protobuf.encodeCpuMs() / java.encodeCpuMs(),
                                        protobuf.decodeCpuMs() / java.decodeCpuMs())));
        return new Comparison(
                "E17",
                new Serialised().title(),
                rows,
                List.of(
                        java.users()
                                + " records, encoded and decoded; passes over all of them: "
                                + passes.warmUps()
                                + " of warm-up, then "
                                + passes.counted()
                                + ", whose mean is shown",
                        "java: a stream for each record, which describes its classes each time;"
                                + " java_stream: one stream for all",
                        "kryo and fory (Apache Fory) write registered Java classes and take both sides to"
                                + " have the same; protobuf's fields may differ",
                        "CPU is the process's, collector and compiler included; judged: at least half of"
                                + " the published saving"));
    }

    private static Row ratio(String name, double a, double b) {
        return new Row(name, Optional.empty(), Optional.empty(), a / b, "ratio", Optional.empty());
    }

    private static Cost of(List<Cost> costs, String form) {
        return costs.stream()
                .filter(c -> c.form().equals(form))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("not measured: " + form));
    }
}
