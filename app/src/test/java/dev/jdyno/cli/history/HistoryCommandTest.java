package dev.jdyno.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.CliOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HistoryCommandTest {
    @TempDir private Path folder;

    private Path run;

    /// The folder of a finished run, with a result that other tests use, too.
    @BeforeEach
    void aResult() throws IOException {
        run = Files.createDirectories(folder.resolve("jdyno-out/20261101-080000-shop"));
        Files.copy(
                Path.of("../report/src/test/resources/report/result.json"),
                run.resolve("result.json"));
        Files.writeString(run.resolve("report.html"), "<html>");
    }

    private CliOutput history(String... words) {
        List<String> all = new ArrayList<>(List.of("history"));
        all.addAll(List.of(words));
        all.addAll(List.of("--store", folder.resolve("store/history.db").toString()));
        return CliOutput.jdyno(all.toArray(String[]::new));
    }

    private static JsonNode json(CliOutput said) {
        assertThat(said.code()).as(said.err()).isZero();
        return JsonMapper.shared().readTree(said.out());
    }

    @Test
    void importedResultIsShownAndExported() throws IOException {
        assertThat(json(history("--json")).get("all").asInt()).isZero();
        assertThat(history("import", folder.toString()).code()).isZero();
        assertThat(history("import", folder.toString()).code()).as("again").isZero();

        JsonNode list = json(history("list", "--json"));
        assertThat(list.get("all").asInt()).isEqualTo(1);
        JsonNode result = JsonMapper.shared().readTree(run.resolve("result.json").toFile());
        JsonNode entry =
                json(history("show", list.get("results").get(0).get("id").asString(), "--json"));
        assertThat(entry.get("verdict")).isEqualTo(result.get("verdict").get("bottleneck"));
        assertThat(entry.get("folder").asString()).isEqualTo(run.toString());
        assertThat(entry.get("artifacts").size()).isEqualTo(2);
        double max = 0;
        for (JsonNode round : result.get("rounds")) {
            max = Math.max(max, round.get("qps").asDouble());
        }
        assertThat(figure(entry, "qps")).isEqualTo(max);

        String csv = history("export", "--format", "csv").out();
        assertThat(csv.lines()).hasSize(1 + entry.get("figures").size());
        assertThat(json(history("export"))).isEqualTo(entry);
        assertThat(
                        json(history("trend", entry.get("plan").asString(), "--json"))
                                .get("points")
                                .size())
                .isEqualTo(1);
    }

    private static double figure(JsonNode entry, String name) {
        for (JsonNode figure : entry.get("figures")) {
            if (figure.get("name").asString().equals(name)) {
                return figure.get("value").asDouble();
            }
        }
        throw new AssertionError("no " + name + " in " + entry);
    }

    @Test
    void deletionNeedsYesAndKeepsLabelledResults() {
        history("import", folder.toString());
        assertThat(history("prune", "--keep", "0").code()).isZero();
        assertThat(json(history("--json")).get("all").asInt()).as("it only says so").isEqualTo(1);
        String id = json(history("--json")).get("results").get(0).get("id").asString();
        assertThat(history("label", id, "before the cache").code()).isZero();
        history("prune", "--keep", "0", "--yes");
        assertThat(json(history("--json")).get("all").asInt()).isEqualTo(1);
        history("label", id);
        history("prune", "--keep", "0", "--yes");
        assertThat(json(history("--json")).get("all").asInt()).isZero();
        assertThat(run.resolve("result.json")).exists();
    }

    @Test
    void allMistakesOfTheCommandLineAreReported() {
        CliOutput said = history("--verb", "load", "--since", "yesterday");
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--verb load", "--since yesterday");
        assertThat(history("show", "20200101").code()).isEqualTo(2);
        assertThat(history("prune").code()).isEqualTo(2);
        assertThat(history("export", "--format", "xml").code()).isEqualTo(2);
        assertThat(history("import", folder.resolve("nowhere").toString()).code()).isEqualTo(2);
        assertThat(CliOutput.jdyno("history", "--store", "mysql://db/perf").code()).isEqualTo(2);
    }

    @Test
    void brokenResultDoesNotPreventOtherImports() throws IOException {
        Path broken = Files.createDirectories(folder.resolve("jdyno-out/a-broken-one"));
        Files.writeString(broken.resolve("result.json"), "{\"schema\": 1");
        assertThat(history("import", folder.toString()).code()).isEqualTo(2);
        assertThat(json(history("--json")).get("all").asInt()).isEqualTo(1);
    }
}
