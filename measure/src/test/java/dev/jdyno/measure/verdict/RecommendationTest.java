package dev.jdyno.measure.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Sentence;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecommendationTest {
    private static Recommendation to(String change, Change... changes) {
        return new Recommendation(
                RecommendedChange.read("id", change, List.of(changes), false),
                Sentence.of("says"),
                "",
                Optional.empty(),
                Optional.empty(),
                false,
                "",
                Optional.empty(),
                Optional.empty());
    }

    /// A change of a setting has its own name. In a what-if, `pool*2` would mean a longer hold
    /// time.
    @Test
    void onlyCodeAndDownstreamChangesAreWhatIfTerms() {
        var larger = new Change.PoolSize("pool", new Change.Amount.Times(2));

        assertThat(to("cpu*0.5", new Change.Code()).forWhatIf()).isPresent();
        assertThat(to("downstream*0.5", new Change.Outside()).forWhatIf()).isPresent();
        assertThat(to("", new Change.Code()).forWhatIf()).isEmpty();
        assertThat(to("pool*2", larger).forWhatIf()).isEmpty();
        assertThat(to("cpu*0.5").forWhatIf()).as("of an older result").isEmpty();
    }
}
