package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Eventually;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DiagnoseFilesTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    /// Thread dumps, a flight recording and a GC log of a real JVM, made with the tools of its JDK.
    @Tag("full") // starts a JVM of each JDK and records it
    @ParameterizedTest
    @MethodSource("jdks")
    void theFilesOfARealJvmNameItsLock(Path jdk) throws Exception {
        Path files = Files.createDirectory(dir.resolve("files"));
        try (Target target =
                Victims.launch(
                        jdk,
                        dir,
                        "lock-over-sleep",
                        "-Xmx64m",
                        "-Xlog:gc*:file=" + files.resolve("gc.log") + ":time,uptime,level,tags")) {
            target.jcmd().run("JFR.start name=elsewhere settings=default");
            for (int i = 0; i < 10; i++) {
                Files.writeString(
                        files.resolve("dump-" + i + ".txt"), target.jcmd().run("Thread.print"));
            }
            target.jcmd().run("JFR.dump name=elsewhere filename=" + files.resolve("recording.jfr"));
        }

        CliOutput all =
                CliOutput.jdyno("diagnose", "--files", files.toString(), "--json", "--no-store");
        CliOutput recording =
                CliOutput.jdyno(
                        "diagnose",
                        "--files",
                        files.resolve("recording.jfr").toString(),
                        "--json",
                        "--no-store");

        assertThat(all.code()).as(all.err()).isZero();
        JsonNode document = JsonMapper.shared().readTree(all.out());
        assertThat(document.at("/verdict/bottleneck").stringValue()).isEqualTo("lock");
        assertThat(document.at("/census/dumps").intValue()).isEqualTo(10);
        assertThat(document.at("/files").valueStream().map(f -> f.at("/kind").stringValue()))
                .contains("thread-dumps", "flight-recording", "gc-log");
        assertThat(recording.code()).as(recording.err()).isZero();
        JsonNode alone = JsonMapper.shared().readTree(recording.out());
        assertThat(alone.at("/verdict/confidence").doubleValue())
                .isLessThan(document.at("/verdict/confidence").doubleValue());
    }

    private static JsonNode judged(Path... files) {
        List<String> words =
                new ArrayList<>(List.of("diagnose", "--json", "--no-store", "--files"));
        Stream.of(files).map(Path::toString).forEach(words::add);
        CliOutput said = CliOutput.jdyno(words.toArray(String[]::new));
        assertThat(said.code()).as(said.err()).isZero();
        return JsonMapper.shared().readTree(said.out());
    }

    /// Kind, number of records and use of each file.
    private static List<String> files(JsonNode document) {
        return document.at("/files")
                .valueStream()
                .map(f ->
                        f.at("/kind").stringValue()
                                + " "
                                + f.at("/records").longValue()
                                + (f.at("/used").booleanValue() ? " used" : " not used"))
                .toList();
    }

    /// Mean number of threads in a dump that wait for this cause.
    private static double threads(JsonNode document, String cause) {
        return document.at("/census/busy")
                .valueStream()
                .filter(b -> b.at("/cause").stringValue().equals(cause))
                .mapToDouble(b -> b.at("/threads").doubleValue())
                .sum();
    }

    private static OptionalDouble signal(JsonNode document, String id) {
        return document.at("/census/signals")
                .valueStream()
                .filter(s -> s.at("/id").stringValue().equals(id))
                .mapToDouble(s -> s.at("/value").doubleValue())
                .findFirst();
    }

    /// A JVM in which one of four threads sleeps with the lock for which the others wait.
    private Target locked(Path jdk) throws Exception {
        Target target = Victims.launch(jdk, dir, "lock-over-sleep", "-Xmx64m");
        Eventually.until(
                "three threads that wait",
                () -> count(target.jcmd().run("Thread.print"), "- waiting to lock") == 3);
        return target;
    }

    private static long count(String text, String part) {
        return text.lines().filter(l -> l.contains(part)).count();
    }

    private static void assertThreeWaitForTheLock(JsonNode document, int dumps) {
        assertThat(document.at("/census/dumps").intValue()).isEqualTo(dumps);
        assertThat(threads(document, "lock")).isEqualTo(3);
        assertThat(threads(document, "sleep")).isEqualTo(1);
    }

    /// The output of a service in which its JVM wrote thread dumps, each after the signal QUIT.
    @Tag("full") // starts a JVM of each JDK
    @ParameterizedTest
    @MethodSource("jdks")
    void dumpsBySignalAreReadInTheLogOfAService(Path jdk) throws Exception {
        Path output = dir.resolve("output.txt");
        Path log = dir.resolve("service.log");
        try (Target target = locked(jdk)) {
            for (int i = 1; i <= 3; i++) {
                run("sh", "-c", "kill -QUIT " + target.pid());
                int dumps = i;
                Eventually.until(
                        "dump " + i,
                        () -> count(Files.readString(output), "JNI global ref") == dumps);
            }
        }
        Files.copy(output, log);

        JsonNode document = judged(log);

        assertThat(Files.readString(log)).startsWith("ready ");
        assertThat(files(document)).containsExactly("thread-dumps 3 used");
        assertThreeWaitForTheLock(document, 3);
    }

    @Tag("full") // starts a JVM of each JDK
    @ParameterizedTest
    @MethodSource("jdks")
    void theOutputOfJstackIsRead(Path jdk) throws Exception {
        Path first = dir.resolve("first.txt");
        Path second = dir.resolve("second.txt");
        try (Target target = locked(jdk)) {
            for (Path file : List.of(first, second)) {
                Files.writeString(
                        file,
                        run(
                                jdk.resolve("bin/jstack").toString(),
                                "-l",
                                Long.toString(target.pid())));
            }
        }

        JsonNode document = judged(first, second);

        assertThat(files(document)).containsExactly("thread-dumps 1 used", "thread-dumps 1 used");
        assertThreeWaitForTheLock(document, 2);
    }

    /// @return the output
    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    @Tag("full") // starts a JVM
    @Test
    void aJsonDumpOfARealJvmHasItsVirtualThreads() throws Exception {
        Path home = Path.of(System.getProperty("java.home"));
        List<Path> dumps = new ArrayList<>();
        try (Target target = Victims.launch(home, dir, "virtual-semaphore", "-Xmx64m")) {
            Eventually.until(
                    "four threads that wait",
                    () -> count(Files.readString(json(target)), "Semaphore.acquire(") == 4);
            for (int i = 0; i < 3; i++) {
                dumps.add(json(target));
            }
        }

        JsonNode document = judged(dumps.toArray(Path[]::new));

        assertThat(files(document))
                .containsExactly(
                        "thread-dump-json 1 used",
                        "thread-dump-json 1 used",
                        "thread-dump-json 1 used");
        assertThat(document.at("/target/jdkVersion").stringValue())
                .isEqualTo(Runtime.version().toString());
        assertThat(document.at("/census/dumps").intValue()).isEqualTo(3);
        assertThat(signal(document, "virtualThreads")).hasValue(4);
        assertThat(threads(document, "pool")).isEqualTo(4);
        assertThat(document.at("/census/pools").valueStream())
                .filteredOn(p -> p.at("/virtual").booleanValue())
                .extracting(p -> p.at("/size").doubleValue())
                .containsExactly(4.0);
    }

    private Path json(Target target) throws Exception {
        Path file = Files.createTempDirectory(dir, "json").resolve("threads.json");
        target.jcmd().run("Thread.dump_to_file -format=json " + file);
        return file;
    }

    /// A recording with the settings `profile` of a JVM that loads classes all the time, with text
    /// dumps: these settings take one dump a minute.
    @Tag("full") // records a JVM of each JDK for seconds
    @ParameterizedTest
    @MethodSource("jdks")
    void aRecordingWithProfileSettingsIsUsed(Path jdk) throws Exception {
        Path recording = dir.resolve("profile.jfr");
        List<Path> files = new ArrayList<>(List.of(recording));
        try (Target target = Victims.launch(jdk, dir, "load-classes", "-Xmx64m")) {
            target.jcmd().run("JFR.start name=elsewhere settings=profile");
            for (int i = 0; i < 3; i++) {
                files.add(
                        Files.writeString(
                                dir.resolve("dump-" + i + ".txt"),
                                target.jcmd().run("Thread.print")));
            }
            Eventually.until(
                    "four counts of loaded classes",
                    () -> {
                        Files.deleteIfExists(recording);
                        target.jcmd().run("JFR.dump name=elsewhere filename=" + recording);
                        return types(recording).filter("jdk.ClassLoadingStatistics"::equals).count()
                                >= 4;
                    });
        }
        long events = types(recording).count();

        JsonNode document = judged(files.toArray(Path[]::new));

        assertThat(files(document))
                .containsExactlyInAnyOrder(
                        "thread-dumps 1 used",
                        "thread-dumps 1 used",
                        "thread-dumps 1 used",
                        "flight-recording " + events + " used");
        assertThat(document.at("/target/means").toString()).contains("\"jfr\"");
        assertThat(document.at("/cpu").isObject()).isTrue();
        assertThat(signal(document, "classesLoadedPerS").orElseThrow()).isPositive();
        assertThat(document.at("/target/missing").toString())
                .doesNotContain("class loading:", "CPU:", "collector:");
    }

    private static Stream<String> types(Path recording) throws IOException {
        return RecordingFile.readAllEvents(recording).stream().map(e -> e.getEventType().getName());
    }

    @Test
    void optionsOfARunningJvmAreRefusedTogether() {
        CliOutput said =
                CliOutput.jdyno(
                        "diagnose",
                        "--jmx",
                        "--dumps",
                        "5",
                        "--no-metrics",
                        "--files",
                        dir.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--jmx", "--dumps", "--no-metrics");
    }

    @Test
    void aFolderWithoutRecordingsIsAMistake() {
        CliOutput said = CliOutput.jdyno("diagnose", "--files", dir.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
    }

    @Test
    void offersJvmAndFilesIfNeitherIsGiven() {
        CliOutput said = CliOutput.jdyno("diagnose");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("PID", "--files");
    }
}
