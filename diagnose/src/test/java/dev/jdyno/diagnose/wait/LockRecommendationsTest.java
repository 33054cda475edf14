package dev.jdyno.diagnose.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Recommendations for a lock whose holder waits.
class LockRecommendationsTest {
    /// `ConcurrentHashMap.compute` around a call: all that the thread does while it holds the lock
    /// can be moved out of it.
    @Test
    void recommendsMovingCallOutOfLock() {
        var patient = new Patient();
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.2))
                        .held(
                                Cause.LOCK,
                                "Node",
                                19,
                                "downstream: 10.0.0.7:80 in com.acme.Foyer.charge");

        Recommendation recommendation = patient.recommendations(Bottleneck.LOCK).getFirst();
        assertThat(recommendation.id()).isEqualTo("lock-call");
        assertThat(recommendation.says()).contains("10.0.0.7:80", "com.acme.Foyer.charge");
        assertThat(recommendation.predictedQpsRatio().orElseThrow()).isGreaterThan(5);
        assertThat(patient.recommendation(Bottleneck.LOCK, "lock-connections").predictedQpsRatio())
                .isEmpty();
    }

    /// 33 of the 45 ms under the lock are a `git fetch`. The checkout stays in the lock. Ten dumps
    /// found a quarter, but by their error it may be 8 %. An upper bound uses the 8 %.
    @Test
    void otherWorkOfHolderStaysInLock() {
        var patient = new Patient();
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.05))
                        .held(Cause.LOCK, "Repo", 15, "downstream: 10.0.0.7:80")
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 0.75);

        assertThat(gain(patient, "lock-call")).isCloseTo(1 / (1 - 0.91905), within(0.01));
        // the handling of the answer moves out of the lock together with the call
        assertThat(gain(patient, "lock-call-less")).isGreaterThan(gain(patient, "lock-call"));
    }

    /// An SMTP connection has one conversation at a time. Sending can neither move out of it nor be
    /// left out.
    @Test
    void recommendsMoreConnectionsForSharedConnectionLock() {
        var patient = new Patient();
        patient.evidence =
                heldBehindACall(
                        "org.eclipse.angus.mail.smtp.SMTPTransport@1 in SMTPTransport.sendMessage");

        assertThat(patient.recommendations(Bottleneck.LOCK))
                .extracting(Recommendation::id)
                .containsExactly("lock-connections");
        assertThat(gain(patient, "lock-connections")).isCloseTo(8, within(1e-9));

        patient.evidence = heldBehindACall("com.acme.OrdersClient@1 in com.acme.OrdersClient.find");
        assertThat(patient.recommendations(Bottleneck.LOCK))
                .extracting(Recommendation::id)
                .containsExactlyInAnyOrder("lock-connections", "lock-call-less");
    }

    private static EvidenceFixture heldBehindACall(String lock) {
        return EvidenceFixture.plateau()
                .rounds(r -> r.cores(0.2))
                .held(Cause.LOCK, lock, 19, "downstream: 127.0.0.1:25");
    }

    /// A `@Singleton` of TomEE without an annotation has a write lock around each call.
    @Test
    void recommendsReadLockForEjbSingleton() {
        var patient = new Patient();
        patient.evidence =
                EvidenceFixture.plateau()
                        .busy(
                                Cause.LOCK,
                                "ReentrantReadWriteLock@1 in org.apache.openejb.core.singleton.SingletonContainer.aquireLock",
                                19);

        assertThat(patient.recommendation(Bottleneck.LOCK, "lock-read").how())
                .contains("LockType.READ");
        assertThat(new Patient().recommendations(Bottleneck.LOCK))
                .noneMatch(p -> p.id().equals("lock-read"));
    }

    /// A monitor and a lock of java.util.concurrent are taken by different statements.
    @ParameterizedTest
    @CsvSource({
        "com.acme.Ledger, synchronized (lock)",
        "java.util.concurrent.locks.ReentrantLock, lock.unlock()",
        "java.util.concurrent.locks.ReentrantReadWriteLock, lock.writeLock().unlock()",
        "java.util.concurrent.locks.StampedLock, lock.unlockWrite(stamp)",
        "com.acme.ReentrantLockOfOurs, synchronized (lock)",
    })
    void exampleOfShorterHoldTimeFitsKindOfLock(String lock, String statement) {
        var patient = new Patient();
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.9))
                        .held(
                                Cause.LOCK,
                                lock + " in com.acme.Page.get",
                                18,
                                "cpu: com.acme.Sum.of");

        assertThat(patient.recommendation(Bottleneck.LOCK, "lock-shorter").how())
                .contains(statement);
    }

    @Test
    void recommendsLockOrderAndRestartAgainstDeadlock() {
        var patient = new Patient();
        patient.evidence =
                EvidenceFixture.plateau()
                        .busy(Cause.LOCK, "Account", 19)
                        .sign(
                                Sign.DEADLOCKED_THREADS,
                                2,
                                "\"a\" waits for Account@1, which \"b\" holds, in Bank.move")
                        .sign(Sign.BEHIND_DEADLOCK, 19);

        assertThat(patient.recommendations(Bottleneck.LOCK))
                .extracting(Recommendation::id)
                .containsExactly("lock-order", "lock-restart");
        Recommendation order = patient.recommendation(Bottleneck.LOCK, "lock-order");
        assertThat(order.says()).contains("tryLock", "\"a\" waits for Account@1", "Bank.move");
        assertThat(order.predictedQpsRatio()).isEmpty();
    }

    private static double gain(Patient patient, String recommendation) {
        return patient.recommendation(Bottleneck.LOCK, recommendation)
                .predictedQpsRatio()
                .orElseThrow();
    }
}
