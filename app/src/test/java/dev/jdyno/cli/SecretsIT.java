package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.FreePort;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.json.JsonMapper;

/// A real run with a secret in each place that accepts one. Its files and its output contain no
/// secret, and other users cannot read its files.
@Tag("full") // whole runs
@Execution(ExecutionMode.CONCURRENT)
class SecretsIT {
    private static final String MARK = "s3cret";
    private static final List<Charset> CHARSETS =
            List.of(
                    StandardCharsets.ISO_8859_1,
                    StandardCharsets.UTF_16LE,
                    StandardCharsets.UTF_16BE);
    private static final int LONGEST_MINUTES = 4;

    @TempDir Path dir;

    @Test
    void aRunOfAPlanLeavesNoSecret() throws Exception {
        int port = FreePort.get();
        Path plan =
                Files.writeString(
                        dir.resolve("shop.yaml"),
                        """
                        url: http://s3cret-user:s3cret-word@127.0.0.1:%d/lock?ms=20&cpu=0&access_token=s3cret-query
                        headers:
                          Authorization: Bearer s3cret-header
                          Cookie: session=${IT_COOKIE}
                        body: '{"user": "ann", "login": {"password": "s3cret-body"}}'
                        target: {launch: '%s'}
                        warmup: {atLeast: 2s, atMost: 2s, concurrency: 2}
                        rounds: {length: 2s, concurrency: [1, 3]}
                        evidence: {window: 2s, dumps: 3}
                        """
                                .formatted(port, service(port)));

        CliOutput said = jdyno("run", plan.toString(), "--out", "out");

        Path out = dir.resolve("out");
        assertThat(said.code()).as(said.err()).isIn(0, 3);
        assertThat(artefacts(out))
                .contains(
                        "result.json",
                        "report.html",
                        "plan.yaml",
                        "latency.hlog",
                        "gc.log",
                        "target.log");
        List<String> missing = new ArrayList<>();
        JsonMapper.shared()
                .readTree(Files.readString(out.resolve("result.json")))
                .at("/target/missing")
                .forEach(m -> missing.add(m.asString()));
        // A JVM without a free core may deliver its recording too late. The result then says so.
        assertThat(
                        artefacts(out).contains("recording.jfr")
                                || missing.stream().anyMatch(m -> m.startsWith("jfr: ")))
                .as("a recording, or why there is none: %s", missing)
                .isTrue();
        assertNoSecret(said, out);
        assertForTheOwnerAlone(out);
        assertThat(out.resolve("plan.yaml")).content().contains("${IT_COOKIE}", "Bearer ***");
        assertThat(out.resolve("result.json")).content().contains("-Dshop.password=***");
    }

    @Test
    void aRunOfOptionsLeavesNoSecret() throws Exception {
        int port = FreePort.get();
        Path headers = Files.writeString(dir.resolve("headers"), "Authorization: s3cret-file\n");
        Path body = Files.writeString(dir.resolve("body"), "user=ann&password=s3cret-file");

        CliOutput said =
                jdyno(
                        "run",
                        "http://s3cret-user@127.0.0.1:"
                                + port
                                + "/lock?ms=20&cpu=0&key=s3cret-query",
                        "-H",
                        "X-Api-Key: s3cret header",
                        "-H",
                        "@" + headers,
                        "-b",
                        "@" + body,
                        "--launch",
                        service(port),
                        "--concurrency",
                        "1,2",
                        "--round",
                        "2s",
                        "--warmup",
                        "2s",
                        "--no-profile",
                        "--json");

        assertThat(said.code()).as(said.err()).isIn(0, 3);
        assertThat(said.out()).contains("X-Api-Key: ***", "@" + headers);
        assertNoSecret(said, dir.resolve("jdyno-out"));
        assertForTheOwnerAlone(dir.resolve("jdyno-out"));
    }

    @Test
    void aRunThatFailsShowsNoSecret() throws Exception {
        int port = FreePort.get();

        CliOutput said =
                jdyno(
                        "run",
                        "http://u:s3cret-word@127.0.0.1:" + port + "/?token=s3cret-query",
                        "-H",
                        "Authorization: s3cret-header",
                        "--launch",
                        "java -Dshop.password=s3cret-property --token s3cret-option NoSuchClass");

        assertThat(said.code()).isEqualTo(1);
        assertNoSecret(said, dir.resolve("jdyno-out"));
    }

    @Test
    void loadShowsNoSecret() throws Exception {
        CliOutput said =
                jdyno(
                        "load",
                        "http://u:s3cret-word@127.0.0.1:" + FreePort.get() + "/?token=s3cret-query",
                        "-H",
                        "Authorization: s3cret-header",
                        "-n",
                        "3",
                        "--debug",
                        "--csv",
                        "load.csv",
                        "--hlog",
                        "load.hlog");

        assertThat(said.code()).isEqualTo(1);
        assertNoSecret(said, dir);
        assertThat(mode(dir.resolve("load.csv"))).isEqualTo("rw-------");
        assertThat(mode(dir.resolve("load.hlog"))).isEqualTo("rw-------");
    }

    /// A service with secrets in its environment, flags and arguments. A flight recording of its
    /// own collects all of them.
    private static String service(int port) {
        return "SHOP_TOKEN=s3cret-environment "
                + Path.of(System.getProperty("java.home"), "bin", "java")
                + " -Xmx96m -Dshop.password=s3cret-property -Dshop.apiKey=\"s3cret with spaces\""
                + " -XX:StartFlightRecording:settings=profile -cp "
                + System.getProperty("lab.jar")
                + " dev.jdyno.lab.perf.Perf --port "
                + port
                + " --max-threads 4 --downstream http://127.0.0.1:9";
    }

    /// Runs jdyno in a separate process. The shell's umask lets other users read new files.
    private CliOutput jdyno(String... args) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "sh",
                                "-c",
                                "umask 0; exec \"$@\"",
                                "sh",
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                classPath(),
                                Main.class.getName()));
        command.addAll(List.of(args));
        Path out = dir.resolve("stdout");
        Path err = dir.resolve("stderr");
        var builder =
                new ProcessBuilder(command)
                        .directory(dir.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().putAll(Map.of("IT_COOKIE", "s3cret-variable"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroy();
        }
        return new CliOutput(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /// The class path with absolute paths, because the command runs in another folder than this
    /// test.
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void assertNoSecret(CliOutput said, Path folder) throws Exception {
        assertThat(said.out()).doesNotContain(MARK);
        assertThat(said.err()).doesNotContain(MARK);
        for (Path file : files(folder)) {
            assertThat(file.toString()).as("name").doesNotContain(MARK);
            if (isInput(file)) {
                continue;
            }
            byte[] bytes = unpacked(file);
            for (Charset charset : CHARSETS) {
                assertThat(new String(bytes, charset).contains(MARK))
                        .as("%s holds a secret", file)
                        .isFalse();
            }
            if (file.toString().endsWith(".jfr")) {
                assertThat(RecordingFile.readAllEvents(file))
                        .isNotEmpty()
                        .noneMatch(event -> event.toString().contains(MARK));
            }
        }
    }

    /// True for a file that the test itself wrote.
    private static boolean isInput(Path file) {
        return List.of("headers", "body", "shop.yaml").contains(file.getFileName().toString());
    }

    private static byte[] unpacked(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return file.toString().endsWith(".gz")
                    ? new GZIPInputStream(in).readAllBytes()
                    : in.readAllBytes();
        }
    }

    private static void assertForTheOwnerAlone(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            assertThat(all)
                    .allSatisfy(path ->
                            assertThat(mode(path))
                                    .as("%s", path)
                                    .isEqualTo(
                                            Files.isDirectory(path) ? "rwx------" : "rw-------"));
        }
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> artefacts(Path folder) throws IOException {
        return files(folder).stream().map(f -> f.getFileName().toString()).toList();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
