package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.history.Entries;
import dev.jdyno.history.Entry;
import dev.jdyno.history.EntryFixture;
import dev.jdyno.history.Filter;
import dev.jdyno.history.History;
import dev.jdyno.history.Kind;
import dev.jdyno.history.Store;
import dev.jdyno.observe.Measures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A real service that needs four times its CPU time of earlier days.
@Measures
class GuardIT {
    @Test
    void reportsAndStoresRegressionAfterSecondMeasurement(@TempDir Path folder) throws Exception {
        Path store = folder.resolve("store/history.db");
        History history = History.open(new Store.File(store));
        for (int day = 6; day > 0; day--) {
            history.add(day(day, 1 + 0.01 * (day % 3)));
        }
        Path plan =
                Files.writeString(
                        folder.resolve("page.yaml"),
                        """
                        name: page
                        url: http://127.0.0.1:{port}/perf?cpu=4
                        target:
                          launch: %s -Xmx128m -cp %s dev.jdyno.lab.perf.Perf --downstream http://127.0.0.1:9 --port {port}
                        evidence: {window: 1s, dumps: 3}
                        look: {profile: false}
                        """
                                .formatted(
                                        Path.of(System.getProperty("java.home"), "bin", "java"),
                                        System.getProperty("lab.jar")));
        Path out = folder.resolve("out");
        String line =
                "guard %s --json --quiet --starts 1 --block 2s --warmup 3s --store %s --out %s"
                        .formatted(plan, store, out);

        // without a store, the result of the day would be lost
        StoreFailsTest.refuses(store);
        CliOutput said = CliOutput.jdyno(line.split(" "));
        StoreFailsTest.takesAgain(store);
        assertThat(
                        CliOutput.jdyno(
                                        "history",
                                        "import",
                                        out.toString(),
                                        "--store",
                                        store.toString())
                                .code())
                .isZero();

        assertThat(said.code()).as(said.err()).isEqualTo(4);
        JsonNode json = JsonMapper.shared().readTree(said.out());
        assertThat(json.get("verdict").asString()).isEqualTo("regression");
        assertThat(json.get("confirmed").asBoolean()).isTrue();
        JsonNode cpu = json.get("figures").get(0);
        assertThat(cpu.get("name").asString()).isEqualTo("cpuMsPerRequest");
        assertThat(cpu.get("verdict").asString()).isEqualTo("worse");
        assertThat(cpu.get("ratio").asDouble()).isBetween(2.0, 8.0);
        assertThat(out.resolve("junit.xml")).isNotEmptyFile();
        Entry stored = history.list(Filter.ALL.newest(1)).getFirst();
        assertThat(stored.verdict()).isEqualTo("regression");
        assertThat(stored.figure("load.concurrency").orElseThrow().value()).isEqualTo(4);
        assertThat(history.reported("page").get("cpuMsPerRequest")).containsExactly(stored.id());
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive)).isEmpty();

        assertThat(
                        CliOutput.jdyno(
                                        "guard",
                                        plan.toString(),
                                        "--accept",
                                        "it does more",
                                        "--store",
                                        store.toString())
                                .code())
                .isZero();
        assertThat(history.accepted("page").getFirst().id()).isEqualTo(stored.id());
    }

    private static Entry day(int ago, double noise) {
        Instant at = Instant.now().minus(Duration.ofDays(ago));
        return new EntryFixture("day-" + (10 - ago), Kind.GUARD, "page", at)
                .environment(Entries.machine())
                .commandLine("jdyno guard page.yaml")
                .figures(
                        List.of(
                                figure("cpuMsPerRequest", "ms", 1.1 * noise),
                                figure("load.concurrency", "requests in flight", 4),
                                figure("load.ratePerS", "requests/s", 50),
                                figure("machineNs", "ns", 2)))
                .entry();
    }

    private static Entry.Figure figure(String name, String unit, double value) {
        return new Entry.Figure(name, unit, value, Optional.empty());
    }
}
