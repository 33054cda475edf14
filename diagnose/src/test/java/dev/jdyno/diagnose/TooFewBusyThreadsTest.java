package dev.jdyno.diagnose;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.OneWindow;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.SeenShare;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Twelve dumps found a busy thread only four times. So there are dumps, but no share of busy
/// threads.
class TooFewBusyThreadsTest {
    private static final Evidence FEW =
            OneWindow.of(round(20, 45_000).cores(0.5).build())
                    .pool(
                            new ThreadSamples.Pool(
                                    "http-nio-exec",
                                    30,
                                    4 / 12.0,
                                    29,
                                    5,
                                    true,
                                    false,
                                    0.5,
                                    Map.of()))
                    .busy(Cause.LOCK, "java.lang.Object in com.acme.Page.get", 4 / 12.0)
                    .build();

    private static final Evidence NONE =
            new Evidence(
                    FEW.rounds(),
                    FEW.plateau(),
                    FEW.doubled(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    @ParameterizedTest
    @EnumSource(
            names = {
                "LOCK",
                "POOL_STARVATION",
                "RATE_LIMIT",
                "DOWNSTREAM",
                "DOWNSTREAM_SERIAL",
                "DATABASE",
                "LOGGING"
            })
    void reportsTooFewBusyThreadsInsteadOfMissingDumps(Bottleneck of) {
        Rule rule = rule(of);

        assertThat(rule.evaluate(FEW)).isEqualTo(SeenShare.notKnown(FEW.saturated()));
        assertThat(rule.evaluate(NONE)).isEqualTo(SeenShare.notKnown(Optional.empty()));
        assertThat(List.of(rule.evaluate(FEW)))
                .doesNotContain(rule.evaluate(NONE))
                .allMatch(Finding.NotApplicable.class::isInstance);
    }

    private static Rule rule(Bottleneck of) {
        return Rules.ALL.stream().filter(r -> r.bottleneck() == of).findFirst().orElseThrow();
    }
}
