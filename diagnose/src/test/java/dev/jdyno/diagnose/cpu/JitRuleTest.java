package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The reasons why JIT compilers are not the limit, as text. `SignalRulesTest` tests when they are.
class JitRuleTest {
    private static final double IDLE_CORES = 0.2;

    @Test
    void compilersOfIdleServiceAreNoLimit() {
        assertThat(whyNot(idle().sign(Sign.COMPILER_OFF, 0).sign(Sign.JIT_CORES, 0.3)))
                .startsWith("compilers used 100 % of the CPU, but the service used only 0.2 cores");
    }

    @Test
    void lowShareOfCompilersIsNoLimit() {
        assertThat(whyNot(idle().sign(Sign.COMPILER_OFF, 0).sign(Sign.JIT_CORES, 0.01)))
                .isEqualTo("only 5 % of its CPU went to the compilers (limit 30 %)");
    }

    /// Reports derive the limit from the figure, not from the text of the reason.
    @Test
    void aShareBelowTheLimitIsTheFigureThatDecides() {
        Optional<BelowLimit> decided =
                cleared(idle().sign(Sign.COMPILER_OFF, 0).sign(Sign.JIT_CORES, 0.01)).below();

        assertThat(decided)
                .hasValueSatisfying(d -> {
                    assertThat(d.value()).isCloseTo(0.05, within(1e-9));
                    assertThat(d.limit()).isEqualTo(0.3);
                });
        assertThat(cleared(idle().sign(Sign.COMPILER_OFF, 1)).below()).isEmpty();
    }

    @Test
    void disabledCompilersAreNoLimitOfIdleService() {
        assertThat(whyNot(idle().sign(Sign.COMPILER_OFF, 1)))
                .isEqualTo("the compilers are off, but CPU is only at 10 %");
    }

    /// Figures of Spring Boot under a quota of one core, with 100 connections.
    private static EvidenceFixture starved(double queued, double waited) {
        return plateau()
                .rounds(r -> r.cores(1.93))
                .busy(Cause.RUN_QUEUE, "run queue", 12)
                .sign(Sign.COMPILER_OFF, 0)
                .sign(Sign.JIT_CORES, 0.08)
                .sign(Sign.JIT_WAITED_CORES, waited)
                .sign(Sign.COMPILE_QUEUE, queued);
    }

    @Test
    void namesCompilersWithoutCoreAndTheirQueue() {
        Finding found = new JitRule().evaluate(starved(550, 2.5).build());

        assertThat(found).isInstanceOf(Finding.Limits.class);
        var limits = (Finding.Limits) found;
        assertThat(limits.confidence()).isGreaterThanOrEqualTo(0.8);
        assertThat(limits.evidence())
                .extracting(EvidenceLine::id)
                .contains("compile-queue", "compiler-wait");
    }

    @ParameterizedTest
    @CsvSource({
        "3, 2.5", // end of a warm-up
        "550, 0.02", // compilers work on this queue
        "49, 2.5",
    })
    void fewMethodsOrRunningCompilersAreNoLimit(double queued, double waited) {
        assertThat(new JitRule().evaluate(starved(queued, waited).build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    @Test
    void mostlyRunningCompilersAreNotStarved() {
        assertThat(JitRule.isStarved(starved(550, 0.4).sign(Sign.JIT_CORES, 0.5).build()))
                .isFalse();
    }

    private static EvidenceFixture idle() {
        return plateau().rounds(r -> r.cores(IDLE_CORES));
    }

    private static String whyNot(EvidenceFixture evidence) {
        return cleared(evidence).whyNot();
    }

    private static Finding.Cleared cleared(EvidenceFixture evidence) {
        return (Finding.Cleared) new JitRule().evaluate(evidence.build());
    }
}
