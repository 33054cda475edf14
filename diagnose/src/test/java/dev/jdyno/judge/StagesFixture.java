package dev.jdyno.judge;

import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.measure.thread.StageTimes.Part;
import dev.jdyno.measure.thread.StageTimes.Stage;
import java.util.List;
import java.util.Optional;

/// Times of a stage from counters of the JVM, which have no standard deviation.
public final class StagesFixture {
    private StagesFixture() {}

    public static StageTimes counted() {
        return new StageTimes(
                40,
                4,
                "jfr",
                List.of(stage(700, Optional.of(9.5), Optional.of(31.0), Optional.empty())),
                List.of(
                        new Part(
                                0,
                                2,
                                List.of(
                                        stage(
                                                300,
                                                Optional.of(9.5),
                                                Optional.of(31.0),
                                                Optional.empty()))),
                        new Part(
                                2,
                                4,
                                List.of(
                                        stage(
                                                400,
                                                Optional.empty(),
                                                Optional.empty(),
                                                Optional.empty())))),
                "no standard deviation");
    }

    public static Stage stage(
            long count, Optional<Double> minMs, Optional<Double> maxMs, Optional<Double> stdDevMs) {
        return new Stage(
                "com.acme.Foo.bar",
                count,
                Optional.of(9.8),
                minMs,
                maxMs,
                stdDevMs,
                "jdk.MethodTiming");
    }
}
