package dev.jdyno.judge;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.PredictedChange;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.List;
import java.util.Optional;

/// What-ifs and recommendations of the result of {@link ResultFixture}.
final class RecommendationFixture {
    private RecommendationFixture() {}

    static List<WhatIf> whatIf() {
        return List.of(
                new WhatIf(
                        PredictedChange.of("CPU per request x 0.5"),
                        339,
                        103.4,
                        35,
                        "F1, F2 with D_cpu = 4.9 ms",
                        List.of(),
                        Optional.of(
                                new Expected(337, 169, 57, Optional.of(new Interval(332, 343))))),
                new WhatIf(
                        PredictedChange.of("downstream time x 0.5"),
                        176,
                        73.1,
                        13,
                        "F1, F2 with wait = 40.2 ms"),
                new WhatIf(
                        PredictedChange.of("one more core"),
                        262,
                        104.9,
                        27,
                        "F1, F2 with P_cpu = 3"));
    }

    static List<Recommendation> recommendations() {
        return List.of(
                new Recommendation(
                        RecommendedChange.read(
                                "cut-cpu", "cpu*0.5", List.of(new Change.Code()), false),
                        Sentence.of(
                                "Profile CPU and cut the hottest frame: CpuBurner.burn holds 93 % of on-CPU time"),
                        "the CPU flame graph shows where it goes",
                        Optional.of(1.94),
                        Optional.of(0.9),
                        false,
                        "F2, X_max = P / D",
                        Optional.empty(),
                        Optional.of(
                                new Expected(337, 169, 57, Optional.of(new Interval(332, 343))))),
                new Recommendation(
                        RecommendedChange.read(
                                "right-size-threads",
                                "server.tomcat.max-threads=24",
                                List.of(
                                        new Change.PoolSize(
                                                "http-nio-#-exec",
                                                new Change.Amount.Exactly("24"))),
                                true),
                        Sentence.of(
                                "Keep maxThreads near the knee: more threads only queue for the CPU"),
                        "maxThreads of the connector",
                        Optional.of(1.02),
                        Optional.of(0.58),
                        true,
                        "F1, N* = (T_total / D) · P",
                        Optional.of(1.01),
                        Optional.empty()));
    }
}
