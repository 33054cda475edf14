package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Eventually;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// JVMs that do not respond to attach requests. jdyno reports the figures of the kernel and of
/// their shared memory.
class UnattachedTest {
    private static final Path JDK = Victims.jdks().getFirst();

    @TempDir Path dir;

    private CliOutput diagnosed(Target target) {
        return CliOutput.jdyno(
                "diagnose",
                Long.toString(target.pid()),
                "--duration",
                "3s",
                "--dumps",
                "4",
                "--json",
                "--quiet",
                "--out",
                dir.resolve("kept").toString());
    }

    @Tag("full") // watches for seconds
    @Test
    void marksVerdictFromCountersWithoutAttach() throws Exception {
        try (Target target =
                Victims.launch(JDK, dir, "compute", "-Xmx64m", "-XX:+DisableAttachMechanism")) {
            CliOutput said = diagnosed(target);

            assertThat(said.code()).as(said.err()).isZero();
            assertThat(dir.resolve("kept/diagnosis.json")).content().isEqualTo(said.out());
            JsonNode document = JsonMapper.shared().readTree(said.out());
            assertThat(document.at("/target/missing").toString())
                    .contains("attach: it runs with", "thread dumps: it runs with");
            assertThat(document.at("/census/dumps").intValue()).isZero();
            assertThat(document.at("/census/signals").toString()).contains("fdShare", "gcCores");
            assertThat(document.at("/cpu/processCores").doubleValue()).isPositive();
            assertThat(document.at("/gc").isObject()).isTrue();
            assertThat(document.at("/verdict/bottleneck").stringValue()).isNotEqualTo("load");
            assertThat(dir.resolve("kept/diagnosis.txt"))
                    .content()
                    .contains("(no thread dump)", "not seen: thread dumps")
                    .doesNotContain("0 dumps", "no thread was in use");
        }
    }

    @Tag("full") // watches for seconds
    @Test
    void namesFlagOfMissingCountersAndKeepsOtherFigures() throws Exception {
        try (Target target =
                Victims.launch(JDK, dir, "compute", "-Xmx64m", "-XX:+PerfDisableSharedMem")) {
            CliOutput said = diagnosed(target);

            assertThat(said.code()).as(said.err()).isZero();
            JsonNode document = JsonMapper.shared().readTree(said.out());
            assertThat(document.at("/target/missing").toString())
                    .contains("-XX:+PerfDisableSharedMem")
                    .doesNotContain("UsePerfData");
            assertThat(document.at("/gc").isNull()).isTrue();
            assertThat(document.at("/census/dumps").intValue()).isPositive();
            assertThat(document.at("/cpu/processCores").doubleValue()).isPositive();
            assertThat(document.at("/verdict/bottleneck").stringValue()).isNotEmpty();
        }
    }

    @Test
    void observesStoppedJvmWithoutWaitingForReplies() throws Exception {
        try (Target target = Victims.launch(JDK, dir, "sleep", "-Xmx64m")) {
            signal("STOP", target);
            try {
                CliOutput said = diagnosed(target);

                assertThat(said.code()).as(said.err()).isEqualTo(3);
                assertThat(said.err()).contains("did not run", "kill -CONT");
                JsonNode document = JsonMapper.shared().readTree(said.out());
                assertThat(document.at("/target/missing").toString())
                        .contains("thread dumps: it is stopped");
                assertThat(document.at("/target/standstills/0/by").stringValue())
                        .isEqualTo("signal");
                assertThat(document.at("/target/standstills/0/toS").isNull()).isTrue();
                assertThat(document.at("/census/dumps").intValue()).isZero();
                assertThat(document.at("/verdict/bottleneck").stringValue()).isEqualTo("unknown");
            } finally {
                signal("CONT", target);
            }
        }
    }

    private static void signal(String name, Target target)
            throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(target.pid())).start().waitFor();
    }

    @Test
    void keepsObservationsOfEndedJvm() throws Exception {
        try (Target target = Victims.launch(JDK, dir, "sleep", "-Xmx64m")) {
            // if the JVM ended before jdyno attaches to it, jdyno would not find it
            Path attached = Path.of("/tmp/.java_pid" + target.pid());
            CompletableFuture<Void> killed =
                    CompletableFuture.runAsync(() ->
                                    Eventually.until(
                                            "the attachment", () -> Files.exists(attached)))
                            .thenRunAsync(
                                    () -> Victims.kill(target),
                                    CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS));
            CliOutput said =
                    CliOutput.jdyno(
                            "diagnose",
                            Long.toString(target.pid()),
                            "--duration",
                            "10m",
                            "--json",
                            "--quiet",
                            "--out",
                            dir.resolve("kept").toString());
            killed.join();

            assertThat(said.code()).isEqualTo(1);
            assertThat(said.err()).contains("is gone");
            JsonNode document = JsonMapper.shared().readTree(said.out());
            assertThat(document.at("/partial").booleanValue()).isTrue();
            assertThat(document.at("/census").isNull()).isTrue();
            assertThat(document.at("/inFlight").isNull()).isTrue();
            assertThat(document.at("/target/missing").toString()).contains("is gone");
            assertThat(dir.resolve("kept/diagnosis.json")).content().isEqualTo(said.out());
            assertThat(dir.resolve("kept/diagnosis.txt")).content().contains("(until it ended)");
        }
    }

    @Tag("full") // watches for seconds
    @Test
    void readsThreadsFromKernelWithoutDumps() throws Exception {
        try (Target target =
                Victims.launch(JDK, dir, "compute", "-Xmx64m", "-XX:+DisableAttachMechanism")) {
            String pid = Long.toString(target.pid());

            CliOutput said = CliOutput.jdyno("threads", pid, "--duration", "300ms", "--dumps", "3");

            assertThat(said.code()).as(said.err()).isZero();
            assertThat(said.out())
                    .contains(
                            "not seen: thread dumps: it runs with",
                            "threads by the kernel's names",
                            "pool-1-thread",
                            "running or ready",
                            "Busiest threads")
                    .doesNotContain("Java threads", "No thread is in use");

            CliOutput json =
                    CliOutput.jdyno(
                            "threads", pid, "--duration", "300ms", "--dumps", "3", "--json");
            JsonNode document = JsonMapper.shared().readTree(json.out());
            assertThat(document.at("/kernelThreads").toString()).contains("pool-1-thread");
            assertThat(document.at("/missing").size()).isEqualTo(1);
            assertThat(document.at("/census/dumps").intValue()).isZero();
        }
    }
}
