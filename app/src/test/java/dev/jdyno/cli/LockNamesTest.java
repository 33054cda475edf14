package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.TerminalReport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A lock is named by its class and by the code that waits for it, because object addresses differ
/// from run to run.
class LockNamesTest {
    private static final Pattern ADDRESS = Pattern.compile("(?<=[\\w$])@[0-9a-f]{6,}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lock-synchronized-17-901",
                "lock-reentrant-17-901",
                "lock-over-io-17-901",
                "logging-caller-17-901"
            })
    void formsShowNoObjectAddresses(String name) throws IOException {
        assertThat(Corpus.planted(name).census())
                .flatExtracting(ThreadSamples::busy)
                .anyMatch(b -> ADDRESS.matcher(b.where()).find());

        RunResult judged = Corpus.judged(name, Corpus.planted(name));

        assertThat(new TerminalReport(false).verdict(judged, Optional.empty()))
                .doesNotContainPattern(ADDRESS);
        assertThat(HtmlReport.render(judged, List.of())).doesNotContainPattern(ADDRESS);
        assertThat(ResultJson.toString(judged)).doesNotContainPattern(ADDRESS);
    }

    @Test
    void lockHasSameNameInTwoRuns() {
        RunResult one = judged("lock-synchronized-17-901");
        RunResult other = judged("lock-synchronized-25-902");

        assertThat(one.verdict().where())
                .isEqualTo(other.verdict().where())
                .contains("Ledger")
                .contains(" in ");
    }

    private static RunResult judged(String name) {
        return Corpus.judged(name, Corpus.planted(name));
    }
}
