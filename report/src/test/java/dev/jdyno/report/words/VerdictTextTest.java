package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VerdictTextTest {
    /// One line of a narrow terminal, and no name that another one has, too.
    @ParameterizedTest
    @EnumSource(Bottleneck.class)
    void everyNameHasAShortSentenceOfItsOwn(Bottleneck name) {
        assertThat(VerdictText.headline(name)).hasSizeLessThanOrEqualTo(78).endsWith(".");
        assertThat(Stream.of(Bottleneck.values()).map(VerdictText::headline))
                .doesNotHaveDuplicates();
    }

    private static Verdict beside(Verdict.RunnerUp... others) {
        return new Verdict(Bottleneck.CPU, "", 0.9, Sentence.of(""), List.of(), List.of(others));
    }

    /// What may be true as well is not ruled out.
    @Test
    void onlyNamesThatTheEvidenceIsAgainstAreRuledOut() {
        var possible =
                new Verdict.RunnerUp(
                        Bottleneck.LOCK, 0.6, true, Optional.empty(), Sentence.of("waits"));
        var first = Verdict.RunnerUp.ruledOut(Bottleneck.JIT, 0.3, "compilers rest");
        var second = Verdict.RunnerUp.ruledOut(Bottleneck.DISK, 0.1, "no reads");

        assertThat(VerdictText.notBecauseOf(beside(possible, first, second), Sentence::text))
                .contains("jit (compilers rest), disk");
        assertThat(VerdictText.notBecauseOf(beside(possible, first, second))).contains("jit, disk");
        assertThat(VerdictText.notBecauseOf(beside(possible), Sentence::text)).isEmpty();
        assertThat(VerdictText.notBecauseOf(beside(possible))).isEmpty();
    }
}
