package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Recording;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Recommendation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Every kept recording is judged again and must give the same row as before, so a changed rule
/// shows its effect on all services. A commit that changes a row explains why the new row is
/// better.
class GoldenTableTest {
    /// Maximum difference of confidence that is ignored.
    private static final double STEP = 0.05;

    @Test
    void everyRecordingHasVerdictOfTable() throws IOException {
        Map<String, Recording> all = Corpus.all();
        assertThat(all.size()).isGreaterThanOrEqualTo(120);
        List<String> rows = new ArrayList<>();
        rows.add("recording\tverdict\tconfidence\twhere\trecommendations");
        all.forEach((name, recording) -> rows.add(row(name, recording)));
        GoldenFile.assertMatches(
                Corpus.FOLDER.resolve("golden.tsv"), String.join("\n", rows) + "\n");
    }

    private static String row(String name, Recording recording) {
        RunResult judged = Corpus.judged(name, recording);
        return String.join(
                "\t",
                name,
                judged.verdict().bottleneck().key(),
                String.format(
                        Locale.ROOT,
                        "%.2f",
                        Math.round(judged.verdict().confidence() / STEP) * STEP),
                judged.verdict().where(),
                judged.recommendations().stream()
                        .map(Recommendation::id)
                        .collect(Collectors.joining(" ")));
    }
}
