package dev.jdyno.diagnose.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Three recorded rounds of G1 with 14 GB. A map of the service keeps 25 kB of each request.
class KeptBeyondRequestsTest {
    private static final double GB = 1e9;
    private static final int[] CONCURRENCY = {8, 16, 32};

    private Map<String, Long> causes = Map.of("G1 Evacuation Pause", 1L);
    private double[] old = {1.97 * GB, 2.40 * GB, 3.07 * GB};
    private double promotedPerS = 152e6;
    private Optional<Double> requestBytes = Optional.of(33_000.0);
    private double pauseShare = 0.55;

    private Verdict verdict() {
        var rounds = new ArrayList<Round>();
        for (int i = 0; i < CONCURRENCY.length; i++) {
            var gc =
                    new GcActivity(
                            new GcActivity.Count(1, 815),
                            GcActivity.Count.NONE,
                            pauseShare,
                            Optional.of(365e6),
                            Optional.of(promotedPerS),
                            requestBytes,
                            Optional.of(old[i]),
                            Optional.of(9.26 * GB),
                            Optional.empty(),
                            new GcActivity.Why(causes, 0, Optional.empty(), Optional.empty()));
            rounds.add(
                    RoundFixture.round(CONCURRENCY[i], 7000 + 2000 * i).cores(1.88).gc(gc).build());
        }
        return Diagnosis.of(
                new Evidence(
                        List.copyOf(rounds),
                        rounds.getLast(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
    }

    @Test
    void namesLeakInHeapTooLargeToCount() {
        Verdict verdict = verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_LEAK);
        assertThat(verdict.confidence()).isLessThan(0.9);
    }

    /// A cache that replaces its entries causes the same promotion, but does not grow.
    @Test
    void constantOldGenerationIsNoLeakButNotExcluded() {
        old = new double[] {3.0 * GB, 2.4 * GB, 3.07 * GB};

        Verdict verdict = verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_PROMOTION);
        assertThat(verdict.confidence()).isLessThanOrEqualTo(Doubt.MAX_CONFIDENCE);
        assertThat(verdict.says()).contains("gc-leak is not ruled out");
    }

    @Test
    void growthThatRequestsCanHoldIsNoLeak() {
        promotedPerS = 0.5e6;

        assertThat(verdict().bottleneck()).isNotEqualTo(Bottleneck.GC_LEAK);
        assertThat(verdict().says()).doesNotContain("gc-leak is not ruled out");
    }

    @Test
    void doesNotExcludeLeakWithoutRequestCounts() {
        requestBytes = Optional.empty();

        Verdict verdict = verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_PROMOTION);
        assertThat(verdict.confidence()).isLessThanOrEqualTo(Doubt.MAX_CONFIDENCE);
        assertThat(verdict.says()).contains("neither requests nor live objects were counted");
    }

    @Test
    void cheapCollectorGivesNoLeakVerdict() {
        pauseShare = 0.05;

        assertThat(verdict().bottleneck()).isNotEqualTo(Bottleneck.GC_LEAK);
    }

    @Test
    void ignoresHumongousObjectsAllocatedInOld() {
        causes = Map.of("G1 Humongous Allocation", 20L);

        assertThat(verdict().bottleneck()).isNotEqualTo(Bottleneck.GC_LEAK);
    }
}
