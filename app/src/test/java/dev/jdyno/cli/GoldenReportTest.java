package dev.jdyno.cli;

import dev.jdyno.measure.RunResult;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.TerminalReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The printed report and the keys of `result.json` for a dozen kept recordings. A text changes
/// only on purpose.
class GoldenReportTest {
    private static final Path FOLDER = Corpus.FOLDER.resolve("reports");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cpu-17-901",
                "lock-synchronized-17-901",
                "thread-pool-tomcat-17-901",
                "pool-starvation-nested-17-901",
                "connection-pool-database-17-901",
                "downstream-slots-17-901",
                "rate-limit-sleep-17-901",
                "event-loop-blocked-17-901",
                "gc-live-set-25-902",
                "logging-caller-17-901",
                "cpu-quota-25-902",
                "accept-queue-25-902"
            })
    void reportAndKeysMatchGolden(String name) throws IOException {
        RunResult judged = Corpus.judged(name, Corpus.planted(name));
        GoldenFile.assertMatches(
                FOLDER.resolve(name + ".txt"),
                new TerminalReport(false).verdict(judged, Optional.empty()));
        var keys = new TreeSet<String>();
        collect("", JsonMapper.shared().readTree(ResultJson.toString(judged)), keys);
        GoldenFile.assertMatches(FOLDER.resolve(name + ".keys"), String.join("\n", keys) + "\n");
    }

    private static void collect(String path, JsonNode node, Set<String> keys) {
        if (node.isObject()) {
            node.properties().forEach(e -> collect(path + "." + e.getKey(), e.getValue(), keys));
        } else if (node.isArray()) {
            node.forEach(element -> collect(path + "[]", element, keys));
        } else {
            keys.add(path.substring(1));
        }
    }
}
