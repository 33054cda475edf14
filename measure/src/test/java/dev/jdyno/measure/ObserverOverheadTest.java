package dev.jdyno.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObserverOverheadTest {
    private static ThreadSamples window(int dumps, double longestMs, Map<Sign, Double> signs) {
        return new ThreadSamples(
                40,
                97,
                dumps,
                longestMs,
                List.of(),
                List.of(),
                0,
                0,
                List.of(),
                new Signals(signs));
    }

    @Test
    void aWindowIsComparedWithTheRoundOfItsLoad() {
        Round round = RoundFixture.round(40, 100).build();
        Latency slower =
                new Latency(1, 1, 1, round.rtMs().p99() * 1.5, round.rtMs().p99() * 1.5, 9);

        assertThat(ObserverOverhead.signals(97, round, slower).values())
                .containsOnly(
                        entry(Sign.EVIDENCE_QPS_RATIO, 0.97), entry(Sign.EVIDENCE_P99_RATIO, 1.5));
        assertThat(ObserverOverhead.signals(0, round, Latency.NONE).values())
                .as("a window that served nothing has no percentile")
                .containsOnly(entry(Sign.EVIDENCE_QPS_RATIO, 0.0));
    }

    @Test
    void overheadIncludesTheStopsOfDumps() {
        ThreadSamples seen =
                window(
                        10,
                        12.34,
                        Map.of(
                                Sign.EVIDENCE_QPS_RATIO, 0.97,
                                Sign.EVIDENCE_P99_RATIO, 1.4,
                                Sign.OWN_PAUSE_SHARE, 0.008));

        assertThat(ObserverOverhead.of(List.of(seen)))
                .containsExactly(
                        new ObserverOverhead(
                                40, 0.97, Optional.of(1.4), 10, 12.34, Optional.of(0.008)));
    }

    @Test
    void windowWithoutComparisonHasNoOverhead() {
        assertThat(ObserverOverhead.of(List.of(window(10, 1, Map.of())))).isEmpty();
        assertThat(
                        ObserverOverhead.of(
                                        List.of(
                                                window(
                                                        0,
                                                        0,
                                                        Map.of(Sign.EVIDENCE_QPS_RATIO, 0.999))))
                                .getFirst())
                .isEqualTo(
                        new ObserverOverhead(40, 0.999, Optional.empty(), 0, 0, Optional.empty()));
    }
}
