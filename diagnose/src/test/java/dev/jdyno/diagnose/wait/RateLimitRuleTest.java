package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static dev.jdyno.diagnose.wait.WaitingRulesTest.limits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Cause;
import org.junit.jupiter.api.Test;

class RateLimitRuleTest {
    /// All threads sleep, twice as long as at a lower load. Either they queue for a rate limiter,
    /// or the collector stops them half of the time.
    @Test
    void sleepProlongedByCollectorIsNoLimit() {
        EvidenceFixture sleeping =
                plateau().relaxed(Cause.SLEEP, "sleep", 5).busy(Cause.SLEEP, "sleep", 20);
        Finding inLine = new RateLimitRule().evaluate(sleeping.build());
        Finding stopped =
                new RateLimitRule().evaluate(sleeping.gc(0.48, GcActivity.Why.UNKNOWN).build());

        assertThat(limits(inLine).confidence()).isGreaterThan(0.9);
        assertThat(limits(stopped).confidence()).isLessThan(0.5);
    }
}
