package dev.jdyno.cli.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.Main;
import dev.jdyno.heapmodel.Allocating;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.report.words.memory.HeapAdviceText;
import dev.jdyno.sizing.LiveHeap;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LiveHeapTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String line) {
        return Main.run(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                ("heap " + line).split(" "));
    }

    /// A process on Serial with 64 MiB, whose four threads allocate 64 KiB a request.
    private static Process allocating() throws IOException {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-XX:+UseSerialGC",
                                        "-Xmx64m",
                                        "-Xlog:gc",
                                        "-cp",
                                        classes(),
                                        "dev.jdyno.heapmodel.Allocating",
                                        "4",
                                        "100000000",
                                        "65536",
                                        "4096",
                                        "1"))
                        .redirectErrorStream(true)
                        .start();
        var lines = process.inputReader();
        String line = lines.readLine();
        while (line != null && !line.contains("GC(0)")) {
            line = lines.readLine();
        }
        Thread.ofVirtual().start(() -> lines.lines().forEach(_ -> {}));
        return process;
    }

    private static String classes() {
        return Path.of(
                        URI.create(
                                Allocating.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toString()))
                .toString();
    }

    @Test
    void runningJvmGetsHeapAdvice() throws IOException {
        Process service = allocating();
        try {
            int exit =
                    run(
                            "--pid "
                                    + service.pid()
                                    + " --duration 2s --slo gc=50% --container 600m --json");

            assertThat(err.toString()).isEmpty();
            assertThat(exit).isZero();
        } finally {
            service.destroyForcibly();
        }
        JsonNode advice = JsonMapper.shared().readTree(out.toString()).get("advice");
        assertThat(advice.get("observed").get("heapBytes").asLong()).isEqualTo(64L << 20);
        assertThat(advice.get("observed").get("allocBytesPerS").asLong()).isGreaterThan(1 << 20);
        assertThat(advice.get("observed").get("edenBytes").asLong()).isBetween(8L << 20, 24L << 20);
        assertThat(advice.get("chosen").get("flags").toString()).contains("-Xmn", "SurvivorRatio");
        assertThat(advice.get("chosen").get("memory").get("totalBytes").asLong())
                .isLessThan(600L << 20);
    }

    @Test
    void errorNamesTheInvalidProcess() {
        int exit = run("--pid 999999999 --duration 2s");

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("no process 999999999");
    }

    @Test
    void errorNamesTheInvalidDuration() {
        assertThat(run("--pid 1 --duration 2h")).isEqualTo(2);
        assertThat(err.toString()).contains("--duration 2h", "between 1 s and 1 h");
    }

    @Test
    void reportsMissingFiguresWithoutPid() {
        assertThat(run("--hold 10ms")).isEqualTo(2);
        assertThat(err.toString()).contains("--xmx is missing", "--request-bytes is missing");
    }

    /// A stop request ends an observation of one hour after a few seconds.
    @Test
    void stoppedObservationStillGivesAdvice() throws Exception {
        Process service = allocating();
        try {
            var asked = new AtomicInteger();
            LiveHeap live =
                    LiveHeap.watch(
                            service.pid(),
                            Duration.ofHours(1),
                            () -> asked.incrementAndGet() > 8,
                            HeapGoal.parse("gc=50%"),
                            new SizingOptions().parse());

            assertThat(String.join("\n", HeapAdviceText.lines(live))).contains("collections");
            assertThat(asked).as("looks until it stopped").hasValueLessThan(20);
        } finally {
            service.destroyForcibly();
        }
    }
}
