package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Calls;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.ClientSide;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Interval;
import dev.jdyno.measure.Latency;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NaturalLoadTest {
    private static Evidence seen(double cores, Census.Busy... busy) {
        var round =
                new Round(
                        1,
                        Optional.empty(),
                        10,
                        0,
                        new Interval(0, 0),
                        0,
                        0,
                        Map.of(),
                        Latency.NONE,
                        new ClientSide(0, 0, 0, 0, false, Optional.empty()),
                        Optional.of(CpuUse.ofWholeMachine(cores, 0, 0, 0, 4, cores * 25, 0, 0)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of());
        var pool = new Census.Pool("exec", 50, 10, 40, 30, true);
        var census = new Census(1, 0, 20, 1, List.of(pool), List.of(busy), 0, 0);
        return new Evidence(
                List.of(round),
                round,
                Optional.empty(),
                Optional.of(census),
                Optional.empty(),
                Optional.empty());
    }

    private static Census.Busy busy(Cause cause, double threads) {
        return new Census.Busy(cause, "there", threads, Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "DOWNSTREAM, DOWNSTREAM",
        "DATABASE, DATABASE",
        "SLEEP, RATE_LIMIT",
        "DISK, DISK",
        "DNS, DNS",
        "POOL, CONNECTION_POOL"
    })
    void aWaitThatHoldsMostRequestsIsNamed(Cause cause, Bottleneck name) {
        Verdict verdict = NaturalLoad.of(seen(0.4, busy(cause, 8), busy(Cause.CPU, 2)), 10);

        assertThat(verdict.bottleneck()).isEqualTo(name);
        assertThat(verdict.where()).isEqualTo("there");
        assertThat(verdict.evidence()).isNotEmpty();
    }

    /// An asynchronous client: the calls are under way, no thread waits for them.
    @Test
    void connectionsThatAreAllInUseAreSaidToBeAPoolPerhaps() {
        Evidence seen = seen(0.1, busy(Cause.DOWNSTREAM, 8), busy(Cause.CPU, 1));
        Census census = seen.saturated().orElseThrow();

        assertThat(NaturalLoad.of(with(seen, census, new Calls("there", 8, 7.9, 8)), 9).evidence())
                .anyMatch(e -> e.says().contains("others wait for one"));
        assertThat(NaturalLoad.of(with(seen, census, new Calls("there", 20, 8, 20)), 9).evidence())
                .anyMatch(e -> e.says().equals("8.0 of 20 connections there await an answer"));
    }

    private static Evidence with(Evidence seen, Census census, Calls calls) {
        return new Evidence(
                seen.rounds(),
                seen.plateau(),
                seen.doubled(),
                Optional.of(census.withCalls(List.of(calls))),
                seen.relaxed(),
                seen.knee());
    }

    @Test
    void whatIsNamedIsNotAmongTheRunnersUp() {
        Verdict verdict = NaturalLoad.of(seen(0.4, busy(Cause.DOWNSTREAM, 8)), 8);

        assertThat(verdict.runnersUp()).noneMatch(r -> r.bottleneck() == verdict.bottleneck());
    }

    @Test
    void aDelayIsLessSureThanAQueueForNobodyDoubledTheLoad() {
        Verdict delay = NaturalLoad.of(seen(0.4, busy(Cause.DOWNSTREAM, 8)), 8);
        Verdict queue = NaturalLoad.of(seen(0.4, busy(Cause.POOL, 8)), 8);

        assertThat(delay.confidence()).isLessThan(queue.confidence());
        assertThat(delay.says()).contains("only a test under load can tell");
    }

    @Test
    void aQueueIsNamedThoughItsHoldersAreAsMany() {
        Verdict verdict = NaturalLoad.of(seen(0.4, busy(Cause.SLEEP, 6), busy(Cause.POOL, 6)), 12);

        assertThat(verdict.bottleneck()).isIn(Bottleneck.CONNECTION_POOL, Bottleneck.RATE_LIMIT);
        assertThat(verdict.confidence()).isGreaterThanOrEqualTo(0.5);
    }

    @Test
    void anIdleServiceHasNoBottleneckButItsLoad() {
        Verdict verdict = NaturalLoad.of(seen(0.1, busy(Cause.DOWNSTREAM, 0.2)), 0.2);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.LOAD);
        assertThat(verdict.says()).contains("Nothing is near its limit");
    }

    @Test
    void whatIsAtItsLimitNeedsNoDoubling() {
        Verdict verdict =
                NaturalLoad.of(seen(3.95, busy(Cause.CPU, 4), busy(Cause.RUN_QUEUE, 6)), 10);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CPU);
    }
}
