package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.guard.Bisected;
import dev.jdyno.guard.Guarded;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.repository.Revision;
import dev.jdyno.repository.Versions;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BisectReportTest {
    private static final String SECRET = "--db-password=hunter2";

    private static Revision commit(int number) {
        return new Revision(
                String.format("%040x", number),
                String.format("%040x", 100 + number),
                Instant.parse("2026-11-0" + number + "T10:00:00Z"),
                "Parse \u001b[31mprices twice " + SECRET);
    }

    private static Bisected bisected(
            Bisected.Verdict verdict, Optional<Bisected.Found> found, int changedLines) {
        return new Bisected(
                "shop",
                verdict,
                commit(1),
                commit(5),
                4,
                found.map(_ -> Metric.CPU),
                found.map(_ -> new Effect(1.05, new Interval(1.03, 1.07), Optional.of(0.001), 8)),
                Optional.of(10.0),
                found,
                List.of(
                        new Bisected.Suspect(commit(3), 0.97),
                        new Bisected.Suspect(commit(2), 0.02)),
                List.of(new Guarded.Grew("com.acme.Price.of", 1, 1.5)),
                List.of(),
                new Versions.Diff(
                        List.of("src/com/acme/Price.java", "README.md"),
                        List.of(
                                new Versions.FileLines(
                                        "src/com/acme/Price.java",
                                        List.of("com.acme.Price.of"),
                                        Collections.nCopies(changedLines, "+ twice(" + SECRET)))),
                List.of(new Bisected.Version(commit(3), 4, 1.05)),
                List.of(new Bisected.Skipped(commit(2), false, "exit code 1 " + SECRET)),
                0.95,
                8,
                1200,
                60,
                false,
                List.of(new Note.GoodFailed("a note", SECRET)));
    }

    private static Bisected found() {
        return bisected(
                Bisected.Verdict.FOUND,
                Optional.of(new Bisected.Found(List.of(commit(3)), 0.97)),
                2);
    }

    @Test
    void documentHasKeysOfContract() throws IOException {
        String json = BisectReport.json(found());
        assertThat(json).doesNotContain("hunter2");
        Golden.assertMatches("documents/bisect.json", json);
        Golden.assertMatches(
                "documents/bisect-bare.json",
                BisectReport.json(bisected(Bisected.Verdict.NOT_WORSE, Optional.empty(), 0)));
    }

    @Test
    void theTerminalHasTheCommitTheMethodAndItsLines() throws IOException {
        String text = BisectReport.terminal(found());
        assertThat(text).doesNotContain("hunter2", "\u001b");
        Golden.assertMatches("bisect.txt", text);
    }

    @Test
    void marksTruncatedDiff() {
        String text =
                BisectReport.terminal(
                        bisected(
                                Bisected.Verdict.FOUND,
                                Optional.of(
                                        new Bisected.Found(List.of(commit(3), commit(4)), 0.97)),
                                100));
        assertThat(text.lines().filter(l -> l.startsWith("  + twice"))).hasSize(30);
        assertThat(text).contains("70 more lines");
    }
}
