package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Cause;
import org.junit.jupiter.api.Test;

class LockRuleTest {
    private static String says(String lock, String holder) {
        var found = new LockRule().evaluate(plateau().held(Cause.LOCK, lock, 19, holder).build());
        return ((Finding.Limits) found).says();
    }

    @Test
    void whatItsHolderDoesIsSaidInWords() {
        assertThat(says("com.acme.Desk@1", "sleep: park in com.acme.Desk.hold"))
                .contains("its holder waits for the clock, park in com.acme.Desk.hold.")
                .doesNotContain("bin");
    }

    @Test
    void aBinOfAMapIsExplained() {
        assertThat(
                        says(
                                "java.util.concurrent.ConcurrentHashMap$Node@1 in com.acme.Foyer",
                                "cpu: x"))
                .contains("com.acme.Foyer (a bin of the map, which its compute methods lock)");
    }
}
