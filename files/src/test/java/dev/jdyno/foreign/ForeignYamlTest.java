package dev.jdyno.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignYamlTest {
    /// A YAML text of ten lines with nested aliases, which expands to nine to the power of `lines`
    /// values.
    static String laughs(int lines) {
        return "v0: &v0 [x,x,x,x,x,x,x,x,x]\n"
                + IntStream.range(1, lines)
                        .mapToObj(i ->
                                "v"
                                        + i
                                        + ": &v"
                                        + i
                                        + " ["
                                        + ("*v" + (i - 1) + ",").repeat(9)
                                        + "]\n")
                        .collect(Collectors.joining());
    }

    private static Malformed refused(String text) {
        return catchThrowableOfType(
                Malformed.class,
                () -> ForeignYaml.documents(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void valuesAreMapsListsAndTextsWithoutNulls() throws Malformed {
        var yaml =
                "a: [1, null, {b: 'null'}]\nc: ~\nd: null\ne: &e 0x1F\nf: *e\na: two\n---\n- g\n";

        assertThat(ForeignYaml.trees(yaml.getBytes(StandardCharsets.UTF_8)))
                .containsExactly(
                        Map.of("a", "two", "c", "~", "e", "0x1F", "f", "0x1F"), List.of("g"));
    }

    @Test
    void limitsExpandedSizeOfNestedAliases() throws Malformed {
        assertThat(ForeignYaml.documents(laughs(4))).hasSize(1);
        assertThat(refused(laughs(10)).line()).hasValue(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x: &a [*a]\n", "x: &a {b: {c: *a}}\n", "&a ? *a\n: b\n"})
    void anchorThatContainsItselfIsRefused(String text) {
        assertThat(refused(text).line()).hasValue(1);
    }

    @Test
    void depthIsLimitedAsWrittenAndByAliases() throws Malformed {
        assertThat(ForeignYaml.documents("[".repeat(100) + "]".repeat(100))).hasSize(1);
        assertThat(refused("[".repeat(101) + "]".repeat(101)).line()).hasValue(1);
        assertThat(refused("\n" + "[".repeat(100_000)).line()).hasValue(2);
        String half = "[".repeat(60) + "x" + "]".repeat(60);
        assertThat(refused("a: &a " + half + "\nb: " + half.replace("x", "*a") + "\n").line())
                .hasValue(1);
    }

    @Test
    void refusesTooManyAliases() {
        assertThat(refused("a: &a x\nb:\n" + "  - *a\n".repeat(1001)).line()).hasValue(1003);
    }

    @ParameterizedTest
    @CsvSource({"'a: b\nc: \u0000', 2", "'a: 1\n{', 2", "'%YAML 9.9\n---\na: b', 1", "'a: *b', 1"})
    void everyParserErrorHasALine(String text, int line) {
        assertThat(refused(text).line()).hasValue(line);
    }

    @Test
    void theMessageNeverQuotesTheFile() {
        for (String text :
                List.of("a: *secret", "secret: [", "a: %secret", "a: \"\\secret\"", "secret: !<")) {
            Malformed refused = refused(text);
            assertThat(refused).hasMessageNotContaining("secret").hasMessageStartingWith("line ");
        }
        assertThat(refused("a: *secret").detail()).contains("secret");
    }

    @Test
    void textMustBeUtf8OrMarkedUtf16AndOfUsualSize() throws Malformed {
        assertThat(ForeignText.decode("\ufeffa".getBytes(StandardCharsets.UTF_8))).isEqualTo("a");
        assertThat(ForeignText.decode("\ufeffa".getBytes(StandardCharsets.UTF_16LE)))
                .isEqualTo("a");
        assertThatThrownBy(() -> ForeignText.decode(new byte[] {'a', '\n', 'b', (byte) 0xff}))
                .isInstanceOfSatisfying(Malformed.class, m -> assertThat(m.line()).hasValue(2));
        assertThatThrownBy(() -> ForeignYaml.documents(new byte[ForeignText.MAX_BYTES + 1]))
                .isInstanceOf(Malformed.class);
    }
}
