package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.causes;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.gcActivity;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.gc.GcActivity;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GcExplicitRuleTest {
    private static final double PAUSES = 0.2;

    /// A third of the collections is requested, and all pauses take a fifth of the time.
    ///
    /// @param fullShare share of the time in full collections
    private static Evidence requested(double fullShare) {
        double seconds = plateau().build().worstGc().seconds();
        GcActivity plain =
                gcActivity(PAUSES, causes(Map.of("System.gc()", 30L, "G1 Evacuation Pause", 60L)));
        var gc =
                new GcActivity(
                        new GcActivity.Count(60, (PAUSES - fullShare) * seconds * 1000),
                        new GcActivity.Count(30, fullShare * seconds * 1000),
                        PAUSES,
                        plain.allocBytesPerS(),
                        plain.promotedBytesPerS(),
                        plain.requestBytes(),
                        plain.oldUsedBytes(),
                        plain.oldCapacityBytes(),
                        plain.detail(),
                        plain.why());
        return plateau().rounds(r -> r.gc(gc)).build();
    }

    @Test
    void countsOnlyPausesOfRequestedCollections() {
        var rule = new GcExplicitRule();

        assertThat(rule.evaluate(requested(0.18))).isInstanceOf(Finding.Limits.class);
        assertThat(rule.evaluate(requested(0.02))).isInstanceOf(Finding.Cleared.class);
    }

    @Test
    void countsAllPausesIfFewerFullThanRequested() {
        Evidence concurrent =
                plateau()
                        .gc(PAUSES, causes(Map.of("System.gc()", 30L, "G1 Evacuation Pause", 60L)))
                        .build();

        assertThat(new GcExplicitRule().evaluate(concurrent)).isInstanceOf(Finding.Limits.class);
    }
}
