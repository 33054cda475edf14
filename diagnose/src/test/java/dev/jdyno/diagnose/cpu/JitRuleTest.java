package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Signals.Sign;
import org.junit.jupiter.api.Test;

/// Why compilers are not what limits, in words. `SignalRulesTest` has when they are.
class JitRuleTest {
    private static final double IDLE_CORES = 0.2;

    @Test
    void compilersThatTakeAllOfNextToNothingTookWhatLittleCpuThereWas() {
        assertThat(whyNot(idle().sign(Sign.COMPILER_OFF, 0).sign(Sign.JIT_CORES, 0.3)))
                .startsWith("compilers used 100 % of the CPU, but only 0.2 cores were in use");
    }

    @Test
    void settledCodeIsToldByTheCompilersShare() {
        assertThat(whyNot(idle().sign(Sign.COMPILER_OFF, 0).sign(Sign.JIT_CORES, 0.01)))
                .isEqualTo("the compilers took 5 % of its CPU");
    }

    @Test
    void compilersThatAreOffWhereHardlyAnyCpuIsUsedAreNotTheLimit() {
        assertThat(whyNot(idle().sign(Sign.COMPILER_OFF, 1)))
                .isEqualTo("the compilers are off, but CPU is only at 10 %");
    }

    private static EvidenceFixture idle() {
        return plateau().rounds(r -> r.cores(IDLE_CORES));
    }

    private static String whyNot(EvidenceFixture evidence) {
        return ((Finding.Cleared) new JitRule().evaluate(evidence.build())).whyNot();
    }
}
