package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Intervention;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The experiments that test each verdict.
class ChallengesTest {
    private static Challenges of(Bottleneck name, EvidenceFixture evidence, double cores) {
        var verdict = new Verdict(name, "", 0.9, Sentence.of(""), List.of(), List.of());
        return Challenges.of(verdict, evidence.build(), cores);
    }

    private static Challenges of(Bottleneck name) {
        return of(name, idle(), 2);
    }

    /// All 4 members of a pool are busy, and little CPU is used.
    private static EvidenceFixture idle() {
        return EvidenceFixture.plateau()
                .rounds(r -> r.cores(0.2))
                .pool(new ThreadSamples.Pool("http", 4, 4, 0, 0, true))
                .busy(Cause.POOL, "HikariCP", 15)
                .busy(Cause.DATABASE, "db", 5);
    }

    private static Challenge only(Challenges challenges) {
        assertThat(challenges.wanted()).hasSize(1);
        return challenges.wanted().getFirst();
    }

    @ParameterizedTest
    @EnumSource
    void everyVerdictHasAnExperimentOrAReasonWhyNot(Bottleneck name) {
        Challenges challenges = of(name);

        assertThat(challenges.wanted().isEmpty() && challenges.none().isEmpty()).isFalse();
        assertThat(challenges.wanted())
                .allSatisfy(c -> assertThat(c.agrees().contains(c.predicted())).isTrue());
    }

    /// The experiments by name; empty if none is possible.
    @ParameterizedTest
    @CsvSource({
        "LOAD, in-flight",
        "THREAD_POOL, larger-threads-pool fewer-cores",
        "CONNECTION_POOL, larger-connections-pool in-flight fewer-cores",
        "DOWNSTREAM, slower-downstream in-flight fewer-cores",
        "DATABASE, slower-downstream in-flight fewer-cores",
        "DOWNSTREAM_SERIAL, slower-downstream",
        "LOCK, in-flight fewer-cores",
        "POOL_STARVATION, in-flight fewer-cores",
        "RATE_LIMIT, in-flight fewer-cores",
        "LOGGING, in-flight fewer-cores",
        "EVENT_LOOP, in-flight fewer-cores",
        "VIRTUAL_THREAD_PINNING, in-flight fewer-cores",
        "DISK, in-flight",
        "THREAD_CHURN, in-flight",
        "CLASS_LOADING, in-flight",
        "NETWORK, in-flight",
        "GC_PROMOTION, in-flight",
        "GC_ALLOCATION, ''",
        "GC_LIVE_SET, ''",
        "GC_LEAK, ''",
        "GC_EXPLICIT, ''",
        "GC_HUMONGOUS, ''",
        "GC_STALL, ''",
        "CPU_QUOTA, ''",
        "CPU_NEIGHBOUR, ''",
        "CLIENT, ''",
        "PORTS, ''",
        "ACCEPT_QUEUE, ''",
        "DNS, ''",
        "SAFEPOINT, ''",
        "MEMORY, ''",
        "UNKNOWN, ''"
    })
    void choosesExperimentsThatDistinguishRunnersUp(Bottleneck name, String ids) {
        List<String> found = of(name).wanted().stream().map(c -> c.change().id()).toList();

        assertThat(String.join(" ", found)).isEqualTo(ids);
    }

    @Test
    void predictsThroughputLossWithoutOneUsedCore() {
        Challenge fewer =
                only(of(Bottleneck.CPU, EvidenceFixture.plateau().rounds(r -> r.cores(1.6)), 2));

        assertThat(fewer.change()).isEqualTo(new Intervention.FewerCores(1));
        assertThat(fewer.predicted()).isEqualTo(1 / 1.6);
        assertThat(fewer.agrees().contains(1)).isFalse();
        assertThat(fewer.concurrency()).isEqualTo(EvidenceFixture.CONCURRENCY);
    }

    @Test
    void takesNoCoreFromServiceWithOneCoreOrSpareCores() {
        EvidenceFixture busy = EvidenceFixture.plateau().rounds(r -> r.cores(0.95));

        assertThat(of(Bottleneck.CPU, busy, 1).none()).containsExactly("it has one core only");
        assertThat(of(Bottleneck.CPU, busy, 2).none())
                .containsExactly("it used 0.95 cores: 1 would be nearly as many");
        assertThat(of(Bottleneck.CPU, busy, 2).wanted()).isEmpty();
    }

    @Test
    void doesNotTakeCoreFromCpuBoundLockHolder() {
        Challenges lock =
                of(Bottleneck.LOCK, EvidenceFixture.plateau().rounds(r -> r.cores(0.9)), 2);

        assertThat(only(lock).change()).isInstanceOf(Intervention.InFlight.class);
    }

    @Test
    void testsLoadAboveHighestMeasuredLoad() {
        Challenge twice = only(of(Bottleneck.LOAD));

        assertThat(twice.concurrency()).isEqualTo(2 * EvidenceFixture.CONCURRENCY);
        assertThat(twice.change())
                .isEqualTo(new Intervention.InFlight(4 * EvidenceFixture.CONCURRENCY));
        assertThat(twice.agrees().contains(1)).isFalse();
    }

    @Test
    void gainOfLargerPoolIsLimitedByRequestsInFlight() {
        var pool = new ThreadSamples.Pool("http", 14, 14, 0, 0, true);

        Challenge larger =
                of(Bottleneck.THREAD_POOL, EvidenceFixture.plateau().pool(pool), 2)
                        .wanted()
                        .getFirst();

        assertThat(larger.predicted()).isEqualTo(20 / 14.0);
    }

    @Test
    void aPoolThatTheLoadFillsExactlyIsNotEnlarged() {
        var pool = new ThreadSamples.Pool("http", 20, 20, 0, 0, true);

        Challenges challenges = of(Bottleneck.THREAD_POOL, EvidenceFixture.plateau().pool(pool), 2);

        assertThat(challenges.none())
                .containsExactly("the load of 20 in flight could not fill a larger pool");
    }

    @Test
    void testsDownstreamDelayAtLowestLoad() {
        Challenge slower = only(of(Bottleneck.DOWNSTREAM_SERIAL));

        // 5 in flight at 50/s take 100 ms; the experiment adds the same time
        assertThat(slower.concurrency()).isEqualTo(EvidenceFixture.CONCURRENCY / 4);
        assertThat(slower.change())
                .isEqualTo(new Intervention.SlowerDownstream(java.time.Duration.ofMillis(100)));
        assertThat(slower.predicted()).isEqualTo(2);
        assertThat(slower.agrees().contains(4)).as("three calls one after another").isTrue();
        assertThat(slower.agrees().contains(1.2)).isFalse();
    }
}
