package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.measure.Eventually;
import dev.jdyno.observe.Leftovers;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A watch of a real JVM that is stopped or killed, and a watch that is killed.
@Tag("full") // watches JVMs to the end of a minute
class WatchConditionsTest {
    /// A stop of less than 2 s is not found.
    private static final int STOP_S = 10;

    // "main" #1 [4711] prio=5 …
    private static final Pattern JAVA_THREAD =
            Pattern.compile("^\"(.*)\" #\\d+", Pattern.MULTILINE);

    @TempDir Path dir;

    private Path folder() {
        return dir.resolve("watch");
    }

    private Target idle() throws IOException, InterruptedException {
        return Victims.launch(Victims.jdks().getFirst(), dir, "idle");
    }

    private List<String> command(Target target, String... more) {
        List<String> words = new ArrayList<>(List.of("watch", "" + target.pid(), "--json"));
        words.addAll(List.of("--out", folder().toString()));
        words.addAll(List.of(more));
        return words;
    }

    /// Complete lines of the day files, in the order of time.
    private List<JsonNode> minutes() throws IOException {
        List<JsonNode> all = new ArrayList<>();
        if (Files.exists(folder())) {
            for (Path file : files(folder())) {
                String text = Files.readString(file);
                text.substring(0, text.lastIndexOf('\n') + 1)
                        .lines()
                        .map(line -> JsonMapper.shared().readTree(line))
                        .filter(entry -> entry.has("stoppedS")) // no event
                        .forEach(all::add);
            }
        }
        return all;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            List<Path> sorted = new ArrayList<>();
            all.forEach(sorted::add);
            sorted.sort(null);
            return sorted;
        }
    }

    private void awaitMinutes(int number) {
        Eventually.until(number + " minutes", () -> minutes().size() >= number);
    }

    /// A watch in this JVM.
    private final class Watch implements AutoCloseable {
        private final StringWriter out = new StringWriter();
        private final StringWriter err = new StringWriter();
        private final AtomicBoolean stop = new AtomicBoolean();
        private final Thread thread;

        Watch(Target target, String... more) {
            String[] words = command(target, more).toArray(String[]::new);
            thread =
                    Thread.ofPlatform()
                            .daemon()
                            .start(() ->
                                    ScopedValue.where(Interrupt.ALSO, stop::get)
                                            .run(() ->
                                                    Main.run(
                                                            new PrintWriter(out),
                                                            new PrintWriter(err),
                                                            words)));
            Eventually.until("the watch begins", () -> out.toString().contains("\"watching\""));
        }

        @Override
        public void close() {
            stop.set(true);
            try {
                thread.join();
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void signal(String name, Target target)
            throws IOException, InterruptedException {
        var kill = new ProcessBuilder("kill", "-" + name, Long.toString(target.pid()));
        assertThat(kill.start().waitFor()).isZero();
    }

    @Test
    void stoppedServiceHasItsTimeInMinuteAndNoVerdict() throws Exception {
        try (Target target = idle();
                Watch _ = new Watch(target)) {
            signal("STOP", target);
            try {
                // sleeps: length of the stop
                TimeUnit.SECONDS.sleep(STOP_S);
            } finally {
                signal("CONT", target);
            }
            awaitMinutes(1);

            // the stop may reach into the next minute
            JsonNode stopped =
                    minutes().stream()
                            .max((a, b) -> Double.compare(stoppedS(a), stoppedS(b)))
                            .orElseThrow();
            assertThat(stoppedS(stopped)).isPositive();
            assertThat(stopped.at("/verdict/bottleneck").stringValue()).isEqualTo("unknown");
            assertThat(stopped.at("/headroom").isNull()).isTrue();
        }
    }

    private static double stoppedS(JsonNode minute) {
        return minute.at("/stoppedS").doubleValue();
    }

    @Test
    void killedWatchLeavesNothingInJvmAndNextOneContinuesDayFile() throws Exception {
        try (Target target = idle()) {
            Set<String> threads = threads(target);
            Process jdyno = started(target);
            try (BufferedReader lines = jdyno.inputReader()) {
                assertThat(lines.readLine()).contains("\"watching\"");
                awaitMinutes(1);
                // in the middle of the next minute, or at its first dump
                jdyno.toHandle().destroyForcibly();
                jdyno.waitFor();
            }

            assertThat(target.isAlive()).isTrue();
            assertThat(Leftovers.in(target)).isEmpty();
            assertThat(threads(target)).isEqualTo(threads);
            assertThat(opened(target)).noneMatch(file -> file.contains("jdyno-"));
            assertThat(Files.readString(proc(target).resolve("maps")))
                    .doesNotContain("libinstrument", "libasyncProfiler");
            int before = minutes().size();
            try (Watch _ = new Watch(target)) {
                awaitMinutes(before + 1);
            }
            assertThat(minutes())
                    .allSatisfy(m -> assertThat(m.at("/pid").longValue()).isEqualTo(target.pid()));
        }
    }

    @Test
    void endOfJvmIsAlertAtAlertmanager() throws Exception {
        var received = new ConcurrentLinkedQueue<String>();
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/api/v2/alerts",
                exchange -> {
                    byte[] body = exchange.getRequestBody().readAllBytes();
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                    received.add(new String(body, StandardCharsets.UTF_8));
                });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/api/v2/alerts";
        try (Target target = idle();
                Watch _ = new Watch(target, "--webhook", url, "--webhook-form", "alertmanager")) {
            Victims.kill(target);

            Eventually.until("the alert", () -> !received.isEmpty());
            JsonNode alert = JsonMapper.shared().readTree(received.remove()).get(0);
            assertThat(alert.at("/labels/alertname").stringValue()).isEqualTo("JdynoGone");
            assertThat(alert.at("/labels/service").stringValue()).isNotEmpty();
            assertThat(alert.has("endsAt")).isFalse();
        } finally {
            server.stop(0);
        }
    }

    private Process started(Target target) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        command.addAll(command(target));
        return new ProcessBuilder(command).redirectError(dir.resolve("jdyno.log").toFile()).start();
    }

    /// Java threads of the JVM without its compilers, which come and go.
    private static Set<String> threads(Target target) throws InterruptedException {
        return JAVA_THREAD
                .matcher(target.jcmd().run("Thread.print"))
                .results()
                .map(m -> m.group(1))
                .filter(name -> !name.contains("Compiler"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Path proc(Target target) {
        return Path.of("/proc", Long.toString(target.pid()));
    }

    private static List<String> opened(Target target) throws IOException {
        List<String> all = new ArrayList<>();
        for (Path file : files(proc(target).resolve("fd"))) {
            try {
                all.add(Files.readSymbolicLink(file).toString());
            } catch (NoSuchFileException closed) {
                // it was open only for a moment
                all.add("");
            }
        }
        return all;
    }
}
