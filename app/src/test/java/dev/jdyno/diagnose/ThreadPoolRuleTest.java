package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.EvidenceFixture.plateau;
import static dev.jdyno.diagnose.WaitingRulesTest.limits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import org.junit.jupiter.api.Test;

/// What is said of pools, 20 requests being in flight.
class ThreadPoolRuleTest {
    @Test
    void aPoolOfOneThreadIsNotSpokenOfAsMany() {
        assertThat(limits(new ThreadPoolRule().evaluate(busy(1).build())).says())
                .startsWith("The thread pool is the bottleneck: the one thread of http is busy in");
    }

    @Test
    void ofAPoolWithoutIdleThreadsItIsSaidThatNobodyWaitsForOne() {
        assertThat(new ThreadPoolRule().evaluate(busy(20).build()))
                .isEqualTo(
                        new Finding.Cleared(
                                0.1,
                                "all 20 threads of http are busy, but only 0 % of the requests wait for"
                                        + " one"));
    }

    private static EvidenceFixture busy(int threads) {
        return plateau()
                .pool(new Census.Pool("http", threads, threads, 0, 0, true))
                .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", threads);
    }
}
