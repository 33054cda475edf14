package dev.jdyno.measure.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The deadlines only end what would never end.
class BoundedMatchTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a+)+$",
                "(a|a)*$",
                "(a|aa)+$",
                "([a-z]+)*\\d$",
                "(.*a){20}$",
                "(?:a?){60}a{60}!",
                "^(([a])+.)+[0-9]$",
                "(?=(a+)+!)",
                "(a*)*\\1!",
                "(?i)(A+)+!"
            })
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatWouldNeverEndFindsNothing(String expression) {
        String hostile = "a".repeat(60) + "\n!b";

        assertThat(BoundedMatch.first(Pattern.compile(expression), hostile)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100_000, 2_000_000})
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongTextIsReadToItsEnd(int length) {
        String body = "x ".repeat(length / 2) + "id=4711;";

        assertThat(BoundedMatch.first(Pattern.compile("id=(\\d+)"), body)).contains("4711");
        assertThat(BoundedMatch.first(Pattern.compile("[a-z]+=\\d+"), body)).contains("id=4711");
        assertThat(BoundedMatch.first(Pattern.compile("none"), body)).isEmpty();
    }

    @Test
    void aGroupThatTookNoPartGivesNothing() {
        assertThat(BoundedMatch.first(Pattern.compile("(a)|b"), "b")).isEmpty();
    }

    /// They pass their loops without reading a character.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?:(?:(?:){2000}){2000}){2000}",
                "(?:(?:(?:^){2000}){2000}){2000}",
                "((((){2000}){2000}){2000})x",
                "(?:(?:(?:a|){999,}){999,}){999}",
                "(?:[)]{2000}(?:\\){2000}){2000})",
                "(?:(?:(?:){0,2000}){0,2000}){0,2000}"
            })
    void repetitionsThatMultiplyAreRefused(String expression) {
        assertThatThrownBy(() -> BoundedMatch.requireModest(expression))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id=(\\d+)",
                "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
                "\\p{Alpha}{1,64}",
                "\\Q{99999}{99999}{99999}\\E",
                "[{99999}{99999}{99999}]+",
                "\\{99999\\}",
                "([[a-z]&&[^{]]{3}){100}",
                "^.{1,1000}$",
                "(unclosed{3",
                ""
            })
    void whatPeopleWriteIsNot(String expression) {
        assertThatCode(() -> BoundedMatch.requireModest(expression)).doesNotThrowAnyException();
    }
}
