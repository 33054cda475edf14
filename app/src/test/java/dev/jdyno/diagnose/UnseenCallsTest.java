package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.EvidenceFixture.QPS;
import static dev.jdyno.diagnose.EvidenceFixture.plateau;
import static dev.jdyno.diagnose.WaitingRulesTest.limits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Signals.Sign;
import org.junit.jupiter.api.Test;

/// What hides behind threads that look idle, or that all stand at one place of the JVM's.
class UnseenCallsTest {
    /// An asynchronous client: 20 requests in flight, nobody inside, three connections.
    private static EvidenceFixture outside(double connections) {
        return plateau()
                .gaveMore(QPS)
                .rounds(r -> r.cores(0.2))
                .sign(Sign.DOWNSTREAM_CONNECTIONS, connections, "10.0.0.7:5432");
    }

    @Test
    void requestsThatNoThreadWaitsForWaitForTheFewConnectionsThereAre() {
        Finding finding = new ConnectionPoolRule().evaluate(outside(3).build());

        assertThat(limits(finding).where()).isEqualTo("10.0.0.7:5432");
        assertThat(outside(3).verdict().bottleneck()).isEqualTo(Bottleneck.CONNECTION_POOL);
    }

    @Test
    void oneConnectionMayCarryManyCallsAndManyConnectionsAreTheServiceBehindThem() {
        assertThat(new ConnectionPoolRule().evaluate(outside(1).build()))
                .isNotInstanceOf(Finding.Limits.class);
        assertThat(outside(20).verdict().bottleneck()).isEqualTo(Bottleneck.DOWNSTREAM);
        assertThat(new ConnectionPoolRule().evaluate(outside(0).build()))
                .isNotInstanceOf(Finding.Limits.class);
    }

    @Test
    void lookingForClassesThatAreNotThereIsClassLoading() {
        var evidence =
                plateau()
                        .sign(Sign.CLASSES_LOADED_PER_S, 0)
                        .busy(Cause.CLASS_LOADING, "class loading in Atelier", 18);

        Finding finding = new ClassLoadingRule().evaluate(evidence.build());

        assertThat(limits(finding).says()).contains("not there");
    }

    /// Seen on a sort with one shared collator: fast at few threads, then all stand at its monitor.
    @Test
    void aLockBesideCoresThatAreUsedUpIsNamedWithLessConfidence() {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(1.9))
                        .held(Cause.LOCK, "java.util.Vector", 13.6, "running")
                        .busy(Cause.CPU, "sorted", 4);

        Finding finding = new LockRule().evaluate(evidence.build());

        assertThat(limits(finding).confidence()).isEqualTo(LockRule.BESIDE_CPU_AT_MOST);
        assertThat(limits(finding).evidence())
                .anyMatch(e -> e.says().contains("few of the busy threads want one"));
    }
}
