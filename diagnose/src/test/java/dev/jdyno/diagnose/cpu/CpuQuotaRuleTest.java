package dev.jdyno.diagnose.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import org.junit.jupiter.api.Test;

class CpuQuotaRuleTest {
    private static Finding finding(double cores, double quota, double throttledPct) {
        return new CpuQuotaRule()
                .evaluate(
                        EvidenceFixture.plateau()
                                .rounds(r -> r.cores(cores).quota(quota).throttled(throttledPct))
                                .build());
    }

    @Test
    void saturatedQuotaWithLongThrottlingIsTheBottleneck() {
        assertThat(finding(0.5, 0.5, 75))
                .isInstanceOfSatisfying(
                        Finding.Limits.class,
                        l -> {
                            assertThat(l.confidence()).isGreaterThan(0.95);
                            assertThat(l.says())
                                    .contains("0.50 cores")
                                    .contains("75 % of the core time");
                        });
    }

    /// Two threads that always compute, under a quota of 1.85 cores, are throttled in most periods
    /// for some milliseconds each.
    @Test
    void shortThrottlingGivesLowConfidence() {
        assertThat(finding(1.85, 1.85, 7))
                .isInstanceOfSatisfying(
                        Finding.Limits.class,
                        l -> {
                            assertThat(l.confidence()).isBetween(0.75, 0.80);
                            assertThat(l.says()).contains("7 % of the core time");
                            assertThat(l.evidence().getFirst().says())
                                    .contains("100 % of the quota's periods");
                        });
        assertThat(finding(1.9, 1.95, 3))
                .isInstanceOfSatisfying(
                        Finding.Cleared.class,
                        c -> assertThat(c.whyNot()).contains("3.0 % of the core time"));
    }

    @Test
    void quotaWithSpareCoresIsAWeakLimit() {
        assertThat(finding(0.5, 1, 40))
                .isInstanceOfSatisfying(
                        Finding.Limits.class,
                        l -> {
                            assertThat(l.confidence()).isEqualTo(CpuQuotaRule.MAX_FOR_BURSTS);
                            assertThat(l.says())
                                    .contains("bursts")
                                    .contains("only 0.50 of the 1.00");
                        });
    }

    @Test
    void quotaWithoutThrottlingIsNoLimit() {
        assertThat(finding(1.9, 2, 0))
                .isInstanceOfSatisfying(
                        Finding.Cleared.class,
                        c -> assertThat(c.whyNot()).isEqualTo("no quota stopped it"));
    }
}
