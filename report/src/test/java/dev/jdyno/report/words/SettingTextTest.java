package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The target of the fixture was started with `-Xmx512m`.
class SettingTextTest {
    private static String how(String how, Change... changes) {
        var r =
                new Recommendation(
                        RecommendedChange.read("heap-double", "", List.of(changes), true),
                        Sentence.of("says"),
                        how,
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        "why",
                        Optional.empty(),
                        Optional.empty());
        return SettingText.how(r, ResultFixture.e1().target());
    }

    @Test
    void aFlagHasItsValueOfNow() {
        assertThat(how("look", new Change.JvmFlag("-Xmx", "1g")))
                .isEqualTo("-Xmx1g instead of -Xmx512m; look");
    }

    @Test
    void aFlagThatIsNotSetSaysSo() {
        assertThat(how("look", new Change.JvmFlag("-XX:ConcGCThreads", "2")))
                .startsWith("-XX:ConcGCThreads=2 (not set now)");
    }

    @Test
    void ofSeveralFlagsTheFirstIsShown() {
        assertThat(how("look", new Change.JvmFlag("-Xmx", "1g"), new Change.JvmFlag("-Xms", "1g")))
                .isEqualTo("-Xmx1g instead of -Xmx512m; look");
    }

    @Test
    void whatSetsNoFlagStaysAsItIs() {
        assertThat(how("look", new Change.Code())).isEqualTo("look");
    }
}
