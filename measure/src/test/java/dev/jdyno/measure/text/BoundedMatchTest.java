package dev.jdyno.measure.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Matching with limits on steps and depth. The deadlines only end tests that would run for ever.
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
    void endlessMatchFindsNothing(String expression) {
        String hostile = "a".repeat(60) + "\n!b";

        assertThat(BoundedMatch.first(Pattern.compile(expression), hostile).text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100_000, 2_000_000})
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongTextIsReadToItsEnd(int length) {
        String body = "x ".repeat(length / 2) + "id=4711;";

        assertThat(first("id=(\\d+)", body)).contains("4711");
        assertThat(first("[a-z]+=\\d+", body)).contains("id=4711");
        assertThat(first("none", body)).isEmpty();
    }

    @Test
    void unmatchedGroupIsEmpty() {
        assertThat(first("(a)|b", "b")).isEmpty();
    }

    /// The first match of a search that no limit ends.
    private static Optional<String> first(String expression, String text) {
        BoundedMatch.First first = BoundedMatch.first(Pattern.compile(expression), text);
        assertThat(first.ended()).isEmpty();
        return first.text();
    }

    /// Pattern caches the places where a group failed, so only few expressions backtrack for ever.
    @ParameterizedTest
    @ValueSource(strings = {"(.*a){20}$", "(a*)*\\1!"})
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void stepLimitEndsBacktracking(String expression) {
        var first = BoundedMatch.first(Pattern.compile(expression), "a".repeat(60) + "\n!b");

        assertThat(first.text()).isEmpty();
        assertThat(first.ended()).contains(BoundedMatch.Limit.STEPS);
    }

    @Test
    void stackDepthEndsRepeatedGroup() {
        var first = BoundedMatch.first(Pattern.compile("(?:a|b)*c"), "ab".repeat(200_000));

        assertThat(first.text()).isEmpty();
        assertThat(first.ended()).contains(BoundedMatch.Limit.DEPTH);
    }

    /// These expressions pass through their loops without reading a character.
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
    void acceptsUsualExpressions(String expression) {
        assertThatCode(() -> BoundedMatch.requireModest(expression)).doesNotThrowAnyException();
    }

    /// At the end of a text, these alternatives match without reading a character.
    static final List<String> EMPTY_ALTERNATIVES =
            List.of(
                    "(?:x*|y*)".repeat(40) + "z",
                    "(?:x*|y*){40}z",
                    "(?:x?|y?)".repeat(40) + "z",
                    "(?:|)".repeat(40) + "z",
                    "(?:^|^)".repeat(40) + "z",
                    "(?:\\b|\\B|$)".repeat(40) + "z",
                    "(?:x*)?".repeat(40) + "z",
                    "(x*|[yY]*|(?:z*|){3})".repeat(20) + "!",
                    "a" + "(?:x*|y*)".repeat(40) + "z",
                    "(?:a" + "(?:x*|y*)".repeat(20) + ")" + "(?:x*|y*)".repeat(20) + "z",
                    "(?=" + "(?:x*|y*)".repeat(40) + "z)",
                    "(?x)" + "(?:x*|y*) # one\n".repeat(40) + "z");

    @ParameterizedTest
    @FieldSource("EMPTY_ALTERNATIVES")
    void refusesEmptyAlternatives(String expression) {
        assertThatThrownBy(() -> BoundedMatch.requireModest(expression))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// The match of every accepted expression ends, also at the end of a text.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?:x*|y*)(?:x*|y*)(?:x*|y*)(?:x*|y*)(?:x*|y*)(?:x*|y*)(?:x*|y*)(?:x*|y*)z",
                "(?:x*|y*){10}z",
                "(?:(?:x*|y*)*)*z",
                "(?:x|y)*(?:v|w)*(?:x|y)*(?:v|w)*(?:x|y)*(?:v|w)*(?:x|y)*(?:v|w)*z",
                "(?:[a-z]+|[0-9]+){30}(?:,|;|$)",
                "(a|b|c|d|e|f)(a|b|c|d|e|f)(a|b|c|d|e|f)(a|b|c|d|e|f)(a|b|c|d|e|f)z",
                "\"id\"\\s*:\\s*(?:\"([^\"]*)\"|(\\d+)|null)\\s*[,}]"
            })
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void acceptedExpressionsTerminate(String expression) {
        BoundedMatch.requireModest(expression);

        for (String text : List.of("", "a", "x", "xyxyxyxyxy", "1".repeat(100))) {
            assertThat(BoundedMatch.first(Pattern.compile(expression), text)).isNotNull();
        }
    }
}
