package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/// The launcher with a real JVM, in odd environments.
class LauncherIT {
    private static final long HANG_MINUTES = 3;
    private static final List<String> WHATIF =
            List.of("whatif", "--json", "--resource", "cpu=20/2", "--delay", "io=80");

    @TempDir Path dir;

    private record Ran(int code, String out, String err) {}

    private static Path tree() {
        return Path.of(System.getProperty("basedir", ".")).resolve("..");
    }

    private static Path launcher() {
        return tree().resolve("jdyno");
    }

    private Ran run(Map<String, String> environment, List<String> command) throws Exception {
        Path out = dir.resolve("out.txt");
        Path err = dir.resolve("err.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(dir.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("XDG_CACHE_HOME", dir.toRealPath().toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(HANG_MINUTES, TimeUnit.MINUTES)).isTrue();
        return new Ran(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    private Ran jdyno(Map<String, String> environment, List<String> words) throws Exception {
        List<String> command = new ArrayList<>(List.of(launcher().toRealPath().toString()));
        command.addAll(words);
        return run(environment, command);
    }

    private static void assertOneDocument(Ran ran) {
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(JsonMapper.shared().readTree(ran.out()).isObject()).isTrue();
    }

    @Test
    void collectorFlagInUserVariablesAppliesOnlyToServices() throws Exception {
        Ran ran =
                jdyno(
                        Map.of(
                                "JAVA_TOOL_OPTIONS",
                                "-XX:+UseG1GC",
                                "JDK_JAVA_OPTIONS",
                                "-XX:+UseZGC",
                                "_JAVA_OPTIONS",
                                "-XX:+UseParallelGC",
                                "CLASSPATH",
                                "/nowhere"),
                        WHATIF);

        assertOneDocument(ran);
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void debugListsIgnoredVariablesOnce() throws Exception {
        List<String> words = new ArrayList<>(WHATIF);
        words.add("--debug");

        Ran ran = jdyno(Map.of("JAVA_TOOL_OPTIONS", "-Dsaid=1", "CLASSPATH", "."), words);

        assertOneDocument(ran);
        assertThat(ran.err().lines().filter(l -> l.contains("JAVA_TOOL_OPTIONS"))).hasSize(1);
        assertThat(ran.err().lines().filter(l -> l.contains("CLASSPATH"))).hasSize(1);
    }

    @Test
    void serviceGetsUserVariablesButNoJdynoSecrets() throws Exception {
        Path got = dir.resolve("got.txt");

        Ran ran =
                jdyno(
                        Map.of(
                                "JAVA_TOOL_OPTIONS",
                                "-Dsaid=1",
                                "LC_ALL",
                                "C",
                                "PGPASSWORD",
                                "s3cret",
                                "JDYNO_STORE",
                                dir.resolve("history.db").toString()),
                        List.of(
                                "run",
                                "http://127.0.0.1:9/",
                                "--launch",
                                "export -p > '" + got + "'; exit 7"));

        assertThat(ran.code()).isEqualTo(1);
        assertThat(Files.readString(got))
                .contains("JAVA_TOOL_OPTIONS='-Dsaid=1'", "LC_ALL='C'")
                .doesNotContain("s3cret", "JDYNO_STORE", "JDYNO_TARGET", "PGPASSWORD");
    }

    @ParameterizedTest
    @ValueSource(strings = {":", "UTC+99", "No/Such_Place", "../../etc/passwd", "<+0330>-3:30"})
    void startsInAnyTimeZone(String zone) throws Exception {
        assertOneDocument(jdyno(Map.of("TZ", zone, "LANG", "C", "LC_ALL", ""), WHATIF));
    }

    @Test
    void readsAFileWithAnUmlautInALocaleOfAscii() throws Exception {
        Path log = dir.resolve("gröÖße 1.log");
        Files.writeString(log, "[0.010s][info][gc] Using Serial\n");

        Ran ran = jdyno(Map.of("LC_ALL", "C"), List.of("gc", log.toString()));

        assertThat(ran.err()).doesNotContain("no such file", "Malformed", "unmappable");
        assertThat(ran.out()).contains("gröÖße 1.log");
    }

    @Test
    void runsWithFullTemporaryFolderWithoutExtraOutput() throws Exception {
        String full =
                // the source tree and its jar may lie below /tmp themselves
                "mount --bind \"$1\" /mnt && mount -t tmpfs -o size=64k none /tmp || exit 9;"
                        + " head -c 1m /dev/zero > /tmp/full 2>/dev/null; shift; exec /mnt/jdyno \"$@\"";
        assumeTrue(mountsAreOurs(), "no mounts of our own here");
        List<String> command =
                new ArrayList<>(List.of("unshare", "--mount", "--map-root-user", "sh", "-c", full));
        command.addAll(List.of("sh", tree().toRealPath().toString()));
        command.addAll(WHATIF);

        Ran ran = run(Map.of("XDG_CACHE_HOME", "/nowhere"), command);

        assertOneDocument(ran);
    }

    private static boolean mountsAreOurs() throws IOException, InterruptedException {
        return new ProcessBuilder(
                                "unshare",
                                "--mount",
                                "--map-root-user",
                                "mount",
                                "-t",
                                "tmpfs",
                                "none",
                                "/mnt")
                        .start()
                        .waitFor()
                == 0;
    }

    private List<Path> archives() throws IOException {
        try (Stream<Path> all = Files.list(dir.resolve("jdyno"))) {
            return all.toList();
        }
    }

    /// Another start has moved the class archive a moment before.
    @Test
    void startsWhereAnotherStartTakesTheArchive() throws Exception {
        assertOneDocument(jdyno(Map.of(), WHATIF));
        assertThat(archives()).hasSize(1);
        Path taken = Files.createDirectory(dir.resolve("taken")).resolve("mv");
        Files.writeString(taken, "#!/bin/sh\nrm -f \"$2\"\necho gone >&2\nexit 1\n");
        assertThat(taken.toFile().setExecutable(true)).isTrue();

        Ran ran = jdyno(Map.of("PATH", taken.getParent() + ":" + System.getenv("PATH")), WHATIF);

        assertOneDocument(ran);
        assertThat(ran.err()).isEmpty();
    }

    /// Of several first starts at once, each leaves a class archive.
    @Test
    void keepsOneArchive() throws Exception {
        assertOneDocument(jdyno(Map.of(), WHATIF));
        Path made = archives().getFirst();
        Files.copy(
                made, made.resolveSibling(made.getFileName() + "1")); // a pid that no process has
        assertOneDocument(jdyno(Map.of(), WHATIF));
        assertThat(archives()).hasSize(1);
        Files.copy(archives().getFirst(), made);
        assertOneDocument(jdyno(Map.of(), WHATIF));

        assertThat(archives()).hasSize(1);
    }
}
