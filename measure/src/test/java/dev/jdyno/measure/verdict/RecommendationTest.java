package dev.jdyno.measure.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Sentence;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecommendationTest {
    private static Recommendation to(String change, Change... changes) {
        return new Recommendation(
                "id",
                Sentence.of("says"),
                change,
                List.of(changes),
                "",
                Optional.empty(),
                Optional.empty(),
                false,
                "",
                false,
                Optional.empty(),
                Optional.empty());
    }

    /// What a setting changes has a name of its own, and `pool*2` would mean a longer hold there.
    @Test
    void onlyChangesOfCodeAndOfOtherServicesAreTermsOfWhatIf() {
        var larger = new Change.PoolSize("pool", new Change.Amount.Times(2));

        assertThat(to("cpu*0.5", new Change.Code()).isForWhatIf()).isTrue();
        assertThat(to("downstream*0.5", new Change.Outside()).isForWhatIf()).isTrue();
        assertThat(to("", new Change.Code()).isForWhatIf()).isFalse();
        assertThat(to("pool*2", larger).isForWhatIf()).isFalse();
        assertThat(to("cpu*0.5").isForWhatIf()).as("of an older result").isFalse();
    }
}
