package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.jdyno.experiment.labelled.KeptCase;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A change has the same gain in the recommendations and in the what-ifs of a report.
class OneFigureAChangeTest {
    static Stream<KeptCase> kept() {
        return KeptCase.allIn(Corpus.FOLDER.resolve("planted")).stream();
    }

    @ParameterizedTest
    @MethodSource("kept")
    void adviceAndWhatIfsAgree(KeptCase kept) {
        RunResult result = Corpus.judged(kept.planted().name(), kept.recording());

        for (Recommendation r : result.recommendations()) {
            for (WhatIf row : same(result, r)) {
                Optional<Double> shown = row.expected().map(Expected::qps);
                assertThat(r.expected().map(Expected::qps).isPresent())
                        .as("%s and the what-if %s", r.id(), row.change())
                        .isEqualTo(shown.isPresent());
                shown.ifPresent(qps ->
                        assertThat(r.expected().orElseThrow().qps())
                                .as("%s and the what-if %s", r.id(), row.change())
                                .isCloseTo(qps, withinPercentage(1)));
            }
        }
    }

    private static List<WhatIf> same(RunResult result, Recommendation r) {
        return result.whatIf().stream()
                .filter(row -> row.change() instanceof StandardChange change && isMadeBy(change, r))
                .toList();
    }

    /// True if a what-if shows this recommendation. A larger inner executor has no option in `jdyno
    /// whatif`.
    private static boolean isMadeBy(StandardChange change, Recommendation r) {
        return switch (change) {
            case INNER_POOL -> r.id().equals("executor-larger");
            default -> change.isMadeBy(r);
        };
    }
}
