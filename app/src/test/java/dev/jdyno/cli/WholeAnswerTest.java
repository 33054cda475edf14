package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.report.terminal.TerminalReport;
import dev.jdyno.report.words.TextLines;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The terminal shows the verdict of third-party services without truncation, at any width.
class WholeAnswerTest {
    private static final Pattern CUT = Pattern.compile("[\\w)]\\.\\.\\.");

    @ParameterizedTest
    @CsvSource({
        "order-ledger,80",
        "order-ledger,100",
        "order-ledger,120",
        "payment-capture,80",
        "payment-capture,100",
        "payment-capture,120",
        "contact-sheet,80",
        "contact-sheet,100",
        "contact-sheet,120"
    })
    void truncatesNoSentence(String name, int columns) throws IOException {
        RunResult judged = Corpus.judged(name, Corpus.other(name));

        String text = new TerminalReport(false, columns).verdict(judged, Optional.empty());

        List<String> lines = text.lines().toList();
        assertThat(lines)
                .hasSizeLessThanOrEqualTo(
                        TerminalReport.MAX_LINES * TextLines.WIDTH / Math.min(columns, 100));
        assertThat(lines).allSatisfy(l -> assertThat(l).hasSizeLessThanOrEqualTo(columns));
        assertThat(lines)
                .filteredOn(l -> !l.startsWith("  at N="))
                .noneMatch(l -> CUT.matcher(l).find());
    }

    /// A reader searches for the method, not for the package or the class of the lock.
    @ParameterizedTest
    @CsvSource({"order-ledger", "payment-capture"})
    void headlineStartsWithMethodAndLine(String name) throws IOException {
        RunResult judged = Corpus.judged(name, Corpus.other(name));
        String method = PlaceText.frame(judged.verdict().where()).orElseThrow();
        String brief = method.substring(method.lastIndexOf('.', method.lastIndexOf('.') - 1) + 1);

        String text = new TerminalReport(false).verdict(judged, Optional.empty());

        assertThat(text)
                .contains(
                        "Bottleneck: %s at %s ("
                                .formatted(judged.verdict().bottleneck().key(), brief))
                .doesNotContain(method);
    }
}
