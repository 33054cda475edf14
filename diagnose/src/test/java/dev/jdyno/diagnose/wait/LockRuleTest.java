package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockRuleTest {
    private static String says(String lock, String holder) {
        var found = new LockRule().evaluate(plateau().held(Cause.LOCK, lock, 19, holder).build());
        return ((Finding.Limits) found).says().text();
    }

    @Test
    void describesActivityOfHolder() {
        assertThat(says("com.acme.Desk@1", "sleep: park in com.acme.Desk.hold"))
                .contains("its holder sleeps in com.acme.Desk.hold.")
                .doesNotContain("bin");
    }

    private static Finding.Limits with(EvidenceFixture evidence) {
        return (Finding.Limits) new LockRule().evaluate(evidence.build());
    }

    private static List<String> lines(Finding.Limits found) {
        return found.evidence().stream().map(EvidenceLine::id).toList();
    }

    @Test
    void deadlockHasNoHoldingTime() {
        Finding.Limits found =
                with(
                        plateau()
                                .busy(Cause.LOCK, "Account", 19)
                                .sign(Sign.DEADLOCKED_THREADS, 2, "\"a\" waits for Account@1")
                                .sign(Sign.BEHIND_DEADLOCK, 19));

        assertThat(found.says())
                .startsWith(
                        "A deadlock is the bottleneck: 2 threads wait for each other: \"a\" waits for"
                                + " Account@1");
        assertThat(lines(found)).contains("deadlocked-threads").doesNotContain("serial-time");
    }

    @Test
    void reportsDeadlockWithFewWaitersOnlyAsEvidence() {
        Finding.Limits found =
                with(
                        plateau()
                                .busy(Cause.LOCK, "Desk", 19)
                                .sign(Sign.DEADLOCKED_THREADS, 2, "\"a\" waits for Account@1")
                                .sign(Sign.BEHIND_DEADLOCK, 2));

        assertThat(found.says()).doesNotContain("deadlock");
        assertThat(lines(found)).contains("deadlocked-threads", "serial-time");
    }

    /// Utilisation law: U = X · S. If the lock is never free, a request holds it for 1 / QPS. If
    /// the lock is free at times, that is an upper bound.
    @ParameterizedTest
    @CsvSource({"19, never free, for 1 / QPS", "1.5, free at times, for at most 1 / QPS"})
    void reportsHoldingTimeOfAllAcquisitions(double waiters, String free, String held) {
        assertThat(with(plateau().busy(Cause.LOCK, "Desk", waiters)).evidence())
                .filteredOn(l -> l.id().equals("serial-time"))
                .singleElement()
                .satisfies(l ->
                        assertThat(l.says()).contains(free, held, "all its acquisitions together"));
    }

    @Test
    void explainsLockOfMapBin() {
        assertThat(
                        says(
                                "java.util.concurrent.ConcurrentHashMap$Node@1 in com.acme.Foyer",
                                "cpu: x"))
                .contains("com.acme.Foyer (a bin of the map, which its compute methods lock)");
    }
}
