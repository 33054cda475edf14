package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.observe.Measures;
import dev.jdyno.target.Target;
import dev.jdyno.target.TomcatVictim;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DiagnoseCommandTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void namesLockWithoutRecordingInTarget(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "lock-over-sleep", "-Xmx64m")) {
            CliOutput said =
                    CliOutput.jdyno(
                            "diagnose",
                            Long.toString(target.pid()),
                            "--duration",
                            "3s",
                            "--dumps",
                            "5",
                            "--json",
                            "--quiet",
                            "--out",
                            dir.resolve("kept").toString());

            assertThat(said.code()).as(said.err()).isZero();
            assertThat(dir.resolve("kept/diagnosis.json")).content().isEqualTo(said.out());
            assertThat(dir.resolve("kept/diagnosis.txt")).content().contains("Bottleneck: lock");
            JsonNode document = JsonMapper.shared().readTree(said.out());
            assertThat(document.at("/verdict/bottleneck").stringValue()).isEqualTo("lock");
            assertThat(document.at("/inFlight").doubleValue()).isGreaterThan(1);
            assertThat(document.at("/throughputPerS").isNull()).isTrue();
            assertThat(document.at("/throughputFrom").isNull()).isTrue();
            assertThat(document.at("/target/missing").toString())
                    .contains("connector does not run", "--jmx", "--access-log");
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno");
        }
    }

    @Measures
    @Test
    void readsThroughputFromContainerOverJmx() throws Exception {
        try (Target target = TomcatVictim.launch(dir, "beans")) {
            int port = TomcatVictim.ports(dir).getFirst();
            AtomicBoolean enough = new AtomicBoolean();
            Thread load =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    while (!enough.get()) {
                                        TomcatVictim.ask(port, 20);
                                    }
                                } catch (IOException | InterruptedException failed) {
                                    throw new IllegalStateException(failed);
                                }
                            });
            try {
                CliOutput first = diagnosed(target, "--jmx", "--json");
                assertThat(first.code()).as(first.err()).isZero();
                JsonNode document = JsonMapper.shared().readTree(first.out());
                assertThat(document.at("/throughputFrom").stringValue()).isEqualTo("tomcat");
                assertThat(document.at("/throughputPerS").doubleValue()).isBetween(1.0, 50.0);
                assertThat(document.at("/rtContainerMs").doubleValue()).isGreaterThan(18);
                assertThat(document.at("/rtMeanMs").isNumber()).isTrue();
                assertThat(document.at("/target/means").toString()).contains("\"jmx\"");
                assertThat(document.at("/target/missing").toString()).doesNotContain("requests:");
                assertThat(document.at("/warnings").toString())
                        .contains("stays until the JVM ends");

                // the first diagnosis started the JMX connector of the target
                CliOutput second = diagnosed(target);
                assertThat(second.out())
                        .contains("/s by Tomcat's request counter", "by Little's law")
                        .doesNotContain("stays until", "not seen: requests");

                Path log = Files.writeString(dir.resolve("access.log"), "before\n");
                CliOutput third = diagnosed(target, "--jmx", "--access-log", log.toString());
                assertThat(third.out()).contains("0.0/s by the access log");
            } finally {
                enough.set(true);
                load.join();
            }
        }
    }

    @Measures
    @Test
    void estimatesThroughputFromDataSegments() throws Exception {
        try (Target target = TomcatVictim.launch(dir, "beans")) {
            URI page = URI.create("http://127.0.0.1:" + TomcatVictim.ports(dir).getFirst() + "/");
            AtomicBoolean enough = new AtomicBoolean();
            AtomicLong answered = new AtomicLong();
            long start = System.nanoTime();
            try (HttpClient client =
                            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
                    var callers = Executors.newVirtualThreadPerTaskExecutor()) {
                HttpRequest ask = HttpRequest.newBuilder(page).build();
                List<Future<?>> calls = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    calls.add(
                            callers.submit(() -> {
                                while (!enough.get()) {
                                    client.send(ask, BodyHandlers.discarding());
                                    answered.incrementAndGet();
                                }
                                return null;
                            }));
                }
                CliOutput said = diagnosed(target, "--json");
                double perS = answered.get() / ((System.nanoTime() - start) / 1e9);
                enough.set(true);
                for (Future<?> call : calls) {
                    call.get();
                }

                assertThat(said.code()).as(said.err()).isZero();
                JsonNode document = JsonMapper.shared().readTree(said.out());
                assertThat(document.at("/throughputFrom").stringValue()).isEqualTo("segments");
                assertThat(document.at("/throughputPerS").doubleValue() / perS).isBetween(0.6, 1.7);
                assertThat(document.at("/throughputBetween/0").doubleValue() / perS)
                        .isBetween(0.55, 1.7);
                assertThat(document.at("/warnings").toString())
                        .contains("one request at a time", "--jmx");
            } finally {
                enough.set(true);
            }
        }
    }

    private static CliOutput diagnosed(Target target, String... options) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "diagnose",
                                Long.toString(target.pid()),
                                "--duration",
                                "3s",
                                "--dumps",
                                "3",
                                "--quiet"));
        command.addAll(List.of(options));
        return CliOutput.jdyno(command.toArray(String[]::new));
    }

    @Test
    void reportsFolderErrorBeforeObserving() throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "");
        CliOutput said =
                CliOutput.jdyno("diagnose", "1", "--duration", "1h", "--out", file + "/below");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("cannot create the folder", "--out DIR");
    }

    @Test
    void everyMistakeIsNamedAtOnce() {
        CliOutput said = CliOutput.jdyno("diagnose", "1", "--duration", "1s", "--dumps", "0");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("2 mistakes", "--duration", "--dumps");
    }
}
