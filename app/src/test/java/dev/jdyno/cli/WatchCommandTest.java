package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.observe.Measures;
import dev.jdyno.target.MeteredVictim;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import dev.jdyno.watch.WatchFixture;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class WatchCommandTest {
    private static final int CLIENTS = 12;

    @TempDir Path dir;

    @Test
    void allMistakesAreReportedAtOnce() {
        CliOutput said =
                CliOutput.jdyno(
                        "watch",
                        "..",
                        "--keep",
                        "0",
                        "--metrics-port",
                        "70000",
                        "--headroom-below",
                        "0.5",
                        "--duration",
                        "1s",
                        "--out",
                        dir.resolve("out").toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err())
                .contains("5 mistakes", "--keep 0", "--metrics-port 70000", "--headroom-below");
        assertThat(dir.resolve("out")).doesNotExist();
    }

    @Test
    void oneAddressOfMetricsIsOfOneService() {
        CliOutput said =
                CliOutput.jdyno("watch", "shop", "orders", "--metrics", "http://127.0.0.1:1/");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--metrics");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("watch.yaml"), text);
    }

    @Test
    void mistakesOfFileAndOptionsAreReportedAtOnce() throws IOException {
        Path file = file("services: [{name: shop, headroom: 2}]\nkeep: 0\nout: out\n");

        CliOutput said = CliOutput.jdyno("watch", "--config", file.toString(), "--duration", "1s");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err())
                .contains("3 mistakes", file + ":1 services[0].headroom", file + ":2 keep")
                .contains("--duration");
        assertThat(dir.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep: 0", "services: []", "services: [{name: '4711'}]"})
    void missingServicesAreReportedWithOtherMistakes(String text) throws IOException {
        CliOutput said = CliOutput.jdyno("watch", "--config", file(text).toString(), "--keep", "0");

        assertThat(said.code()).isEqualTo(2);
        // that of the option, and one of the file or two
        assertThat(said.err())
                .contains(text.startsWith("keep") ? "3 mistakes" : "2 mistakes")
                .contains("--keep 0");
        assertThat(said.err().contains("PID|NAME")).isEqualTo(text.startsWith("keep"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "keep: 3",
                "services: [{name: '..'}]",
                "services: [{pid: 2147483647}]",
                "services: [{name: shop}]\nwebhook: {url: '@nowhere'}",
                "services: [{name: shop}]\nwebhook: {url: 'http://127.0.0.1', form: alertmanager}"
            })
    void fileThatCannotBeWatchedIsMistake(String text) throws IOException {
        CliOutput said = CliOutput.jdyno("watch", "--config", file(text).toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("1 mistake", "watch.yaml");
    }

    @Test
    void optionsWinOverFile() throws Exception {
        Path file =
                file(
                        "services: [{name: watched-%s}]%nout: a%nmetricsPort: 0%n"
                                .formatted(UUID.randomUUID()));
        var err = new StringWriter();
        var stop = new AtomicBoolean();
        Thread watch =
                Thread.ofPlatform()
                        .daemon()
                        .start(() ->
                                ScopedValue.where(Interrupt.ALSO, stop::get)
                                        .run(() ->
                                                Main.run(
                                                        new PrintWriter(new StringWriter()),
                                                        new PrintWriter(err),
                                                        "watch",
                                                        "--config",
                                                        file.toString(),
                                                        "--out",
                                                        dir.resolve("b").toString())));
        try {
            Eventually.until(
                    "it waits for a JVM", () -> err.toString().contains("waiting for one"));
        } finally {
            stop.set(true);
            watch.join();
        }

        assertThat(err.toString()).contains("metrics: http://127.0.0.1:");
        assertThat(dir.resolve("a")).doesNotExist();
        assertThat(dir.resolve("b")).isDirectory();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--webhook-form alertmanager",
                "--webhook http://127.0.0.1:1/ --webhook-form slack",
                "--webhook http://127.0.0.1:1/ --webhook-form alertmanager",
                "--webhook http://127.0.0.1:1 --webhook-form alertmanager"
            })
    void formOfWebhookThatCannotWorkIsMistake(String words) {
        List<String> all = new ArrayList<>(List.of("watch", "shop", "--out", dir + "/out"));
        all.addAll(List.of(words.split(" ")));

        CliOutput said = CliOutput.jdyno(all.toArray(String[]::new));

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--webhook");
        assertThat(dir.resolve("out")).doesNotExist();
    }

    /// Names of minutes, from `from` on.
    private void write(Path folder, Instant from, Bottleneck... names) throws IOException {
        Files.createDirectories(folder);
        for (int i = 0; i < names.length; i++) {
            Instant at = from.plusSeconds(60L * i);
            Files.writeString(
                    folder.resolve("shop-" + at.toString().substring(0, 10) + ".jsonl"),
                    WatchFixture.minute(i).at(at).named(names[i]).line() + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    private static String local(Instant at) {
        return LocalDateTime.ofInstant(at, ZoneId.systemDefault()).toString();
    }

    @Test
    void rangeOfMinutesIsSummarised() throws IOException {
        Instant from = Instant.parse("2026-11-30T14:05:00Z");
        write(dir, from, Bottleneck.CPU, Bottleneck.LOCK, Bottleneck.CPU, Bottleneck.LOAD);
        String range = local(from) + ".." + local(from.plusSeconds(180));

        CliOutput said =
                CliOutput.jdyno("diagnose", "--at", range, "--from", dir.toString(), "--json");
        CliOutput text = CliOutput.jdyno("diagnose", "--at", range, "--from", dir.toString());

        assertThat(said.code()).as(said.err()).isZero();
        JsonNode service = JsonMapper.shared().readTree(said.out()).at("/services/0");
        assertThat(service.at("/minutes").intValue()).isEqualTo(3);
        assertThat(service.at("/verdicts/0/bottleneck").stringValue()).isEqualTo("cpu");
        assertThat(service.at("/verdicts/0/minutes").intValue()).isEqualTo(2);
        assertThat(service.at("/means/cores").doubleValue()).isEqualTo(1.5);
        assertThat(service.at("/headroom/minutes").intValue()).isEqualTo(3);
        assertThat(service.at("/headroom/limits/reason").stringValue())
                .isEqualTo("too-few-windows");
        assertThat(text.code()).isZero();
        assertThat(text.out()).contains("shop", "cpu", "lock").doesNotContain("load");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--at 14:05..14:20 4711",
                "--at 14:05..14:20 --dumps 5",
                "--at 14:05..14:20 --files a",
                "--at nonsense",
                "--from DIR",
                "--at 14:05..14:20 --from /nowhere",
                "--at 2001-01-01T00:00..00:10"
            })
    void mistakesOfRangeAreUsersErrors(String words) {
        List<String> all = new ArrayList<>(List.of("diagnose"));
        all.addAll(List.of(words.replace("DIR", dir.toString()).split(" ")));
        if (!words.contains("--from")) {
            all.addAll(List.of("--from", dir.toString()));
        }
        CliOutput said = CliOutput.jdyno(all.toArray(String[]::new));

        assertThat(said.code()).as(said.out()).isEqualTo(2);
        assertThat(said.err()).contains("error:");
    }

    private List<JsonNode> lines(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<JsonNode> all = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                Files.readAllLines(file).forEach(l -> all.add(JsonMapper.shared().readTree(l)));
            }
            return all;
        }
    }

    @Measures
    @Test
    void minuteOfServiceWithMetricsHasItsPoolAndBottleneck() throws Exception {
        try (Target target = MeteredVictim.launch(dir)) {
            URI page = URI.create("http://127.0.0.1:" + Victims.port(dir) + "/");
            var enough = new AtomicBoolean();
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Thread.ofPlatform().daemon().start(() -> ask(page, enough)));
            }
            Instant begin = Instant.now();
            Path folder = dir.resolve("watch");
            CliOutput said =
                    CliOutput.jdyno(
                            "watch",
                            Long.toString(target.pid()),
                            "--duration",
                            "20s",
                            "--json",
                            "--out",
                            folder.toString());
            enough.set(true);
            for (Thread client : clients) {
                client.join();
            }

            assertThat(said.code()).as(said.err()).isZero();
            JsonNode event =
                    JsonMapper.shared().readTree(said.out().lines().findFirst().orElseThrow());
            assertThat(event.at("/event").stringValue()).isEqualTo("watching");
            assertThat(event.at("/pid").longValue()).isEqualTo(target.pid());
            assertThat(lines(folder).getFirst()).as("the event is kept").isEqualTo(event);
            JsonNode minute = lines(folder).get(1);
            assertThat(minute.at("/requests/from").stringValue()).isEqualTo("metrics");
            assertThat(minute.at("/requests/perS").doubleValue()).isPositive();
            assertThat(minute.at("/pools/0/name").stringValue()).isEqualTo("orders");
            assertThat(minute.at("/pools/0/max").doubleValue()).isEqualTo(MeteredVictim.SIZE);
            assertThat(minute.at("/dumps/count").intValue()).isPositive();
            assertThat(minute.at("/verdict/bottleneck").stringValue()).isNotEqualTo("unknown");
            String range =
                    local(begin.truncatedTo(ChronoUnit.SECONDS))
                            + ".."
                            + local(begin.plusSeconds(600).truncatedTo(ChronoUnit.SECONDS));
            assertThat(
                            CliOutput.jdyno("diagnose", "--at", range, "--from", folder.toString())
                                    .code())
                    .isZero();
        }
    }

    private static void ask(URI page, AtomicBoolean enough) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (!enough.get()) {
                client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding());
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Tag("full") // starts two JVMs
    @Test
    void restartOfNamedServiceIsNoticedAndWatchedOn() throws Exception {
        String name = "watched-" + UUID.randomUUID();
        String flag = "-Dspring.application.name=" + name;
        Path jdk = Victims.jdks().getFirst();
        var out = new StringWriter();
        var err = new StringWriter();
        var stop = new AtomicBoolean();
        Thread watch =
                Thread.ofPlatform()
                        .daemon()
                        .start(() ->
                                ScopedValue.where(Interrupt.ALSO, stop::get)
                                        .run(() ->
                                                Main.run(
                                                        new PrintWriter(out),
                                                        new PrintWriter(err),
                                                        "watch",
                                                        name,
                                                        "--no-metrics",
                                                        "--json",
                                                        "--out",
                                                        dir.resolve("watch").toString())));
        try {
            Eventually.until(
                    "it waits for the first JVM", () -> err.toString().contains("waiting for one"));
            long first;
            try (Target target =
                    Victims.launch(jdk, Files.createDirectory(dir.resolve("a")), "idle", flag)) {
                first = target.pid();
                Eventually.until(
                        "the first JVM is watched", () -> out.toString().contains("\"watching\""));
            }
            try (Target target =
                    Victims.launch(jdk, Files.createDirectory(dir.resolve("b")), "idle", flag)) {
                Eventually.until(
                        "the second JVM is watched",
                        () -> out.toString().contains("\"restarted\""));
                JsonNode event =
                        JsonMapper.shared().readTree(out.toString().lines().toList().getLast());
                assertThat(event.at("/oldPid").longValue()).isEqualTo(first);
                assertThat(event.at("/pid").longValue()).isEqualTo(target.pid());
            }
        } finally {
            stop.set(true);
            watch.join();
        }
    }
}
