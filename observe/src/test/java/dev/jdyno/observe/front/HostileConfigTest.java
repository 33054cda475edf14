package dev.jdyno.observe.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.observe.host.Glob;
import dev.jdyno.observe.host.JvmStart;
import dev.jdyno.observe.host.SeenFiles;
import dev.jdyno.observe.logging.LoggingConfig;
import dev.jdyno.observe.logging.LoggingFiles;
import dev.jdyno.observe.logging.LoggingFilesTest;
import dev.jdyno.observe.logging.LoggingTree;
import dev.jdyno.target.ProcFs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Configurations that are made to break their reader.
@Timeout(300)
class HostileConfigTest {
    @TempDir Path dir;

    private final SeenFiles files = new SeenFiles(ProcFs.SYSTEM, ProcessHandle.current().pid());

    private List<LoggingCost> costs(String... arguments) {
        return LoggingFiles.costs(
                JvmStart.of(LoggingFilesTest.seenFrom(dir), List.of(arguments), Map.of()));
    }

    private static Malformed refused(String name, String text) {
        return catchThrowableOfType(
                Malformed.class,
                () -> LoggingConfig.read(name, text.getBytes(StandardCharsets.UTF_8)));
    }

    /// A relative path may lead to another file than intended.
    @ParameterizedTest
    @CsvSource({
        "log4j2.yaml, 'a: b\nroot:$6$secret:19000:0: [', 2",
        "log4j2.yaml, 'root: *secret', 1",
        "log4j2.json, '{\"a\": \"secret', 1",
        "logback.xml, '<a>\n<secret></b></a>', 2",
        "logback.xml, 'root:$6$secret:19000:0', 1",
    })
    void doesNotQuoteRefusedContent(String name, String text, int line) {
        Malformed refused = refused(name, text);

        assertThat(refused).hasMessageNotContaining("secret");
        assertThat(refused.line()).hasValue(line);
    }

    /// If entities were replaced, the pattern would request caller data.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE a [<!ENTITY b SYSTEM"
                        + " 'file://DIR/pattern'>]><a><pattern>&b;</pattern></a>",
                "<!DOCTYPE a [<!ENTITY b '%L'><!ENTITY c '&b;&b;'>]><a><pattern>&c;</pattern></a>",
                "<!DOCTYPE a SYSTEM 'file://DIR/dtd'><a><pattern>&b;</pattern></a>"
            })
    void entitiesInXmlAreNotReplaced(String xml) throws IOException {
        Files.writeString(dir.resolve("pattern"), "%L");
        Files.writeString(dir.resolve("dtd"), "<!ENTITY b '%L'>");
        Files.writeString(dir.resolve("logback.xml"), xml.replace("DIR", dir.toString()));

        assertThat(costs("java", "-cp", ".", "Main"))
                .extracting(LoggingCost::part)
                .doesNotContain(LogPart.CALLER_DATA);
    }

    /// For such bytes, the JDK's parser would print its own line to standard error.
    @Test
    void refusesBinaryFile() {
        PrintStream before = System.err;
        var said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            byte[] bytes = "<a>\n\u00ff</a>".getBytes(StandardCharsets.ISO_8859_1);
            Malformed refused =
                    catchThrowableOfType(
                            Malformed.class, () -> LoggingConfig.read("logback.xml", bytes));

            assertThat(refused.line()).hasValue(2);
        } finally {
            System.setErr(before);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void readsDeclaredEncoding() throws IOException {
        String xml =
                "<?xml version='1.0' encoding='ISO-8859-1'?><a><pattern>\u00ff %L</pattern></a>";

        assertThat(LoggingConfig.read("logback.xml", xml.getBytes(StandardCharsets.ISO_8859_1)))
                .extracting(LoggingCost::part)
                .containsExactly(LogPart.CALLER_DATA);
        assertThat(refused("logback.xml", xml.replace("ISO-8859-1", "none"))).isNotNull();
    }

    @Test
    void nestedConfigurationsCauseNoStackOverflow() throws IOException {
        assertThat(refused("a.yaml", "[".repeat(100_000))).isNotNull();
        assertThat(refused("a.json", "{\"a\":".repeat(100_000))).isNotNull();
        assertThat(refused("a.properties", "a.".repeat(100_000) + "b = c")).isNotNull();
        assertThat(refused("a.xml", "<a>".repeat(100_000))).isNotNull();
    }

    @Test
    void longParentKeyIsNotRepeatedInEveryFlattenedName() throws IOException {
        String longKey = "k".repeat(2_000_000);
        var yaml = new StringBuilder("? " + longKey + "\n:\n");
        for (int i = 0; i < 20_000; i++) {
            yaml.append(" a").append(i).append(": 1\n");
        }
        yaml.append("logging.pattern.console: x\n");

        assertThat(LoggingTree.flatYaml(yaml.toString().getBytes(StandardCharsets.UTF_8)))
                .containsOnlyKeys("logging.pattern.console");
    }

    @Test
    void reportsGiantFileWithoutReadingIt() throws IOException {
        try (var sparse = new RandomAccessFile(dir.resolve("logback.xml").toFile(), "rw")) {
            sparse.setLength(6L << 30);
        }

        assertThat(costs("java", "-cp", ".", "Main"))
                .singleElement()
                .satisfies(c -> assertThat(c.unread()).isTrue());
    }

    @Test
    void reportsZipBombWithoutUnpackingIt() throws IOException {
        try (var jar = new JarOutputStream(Files.newOutputStream(dir.resolve("a.jar")))) {
            jar.putNextEntry(new JarEntry("logback.xml"));
            jar.write(new byte[ForeignText.MAX_BYTES + 1]);
        }

        assertThat(costs("java", "-cp", "a.jar", "Main"))
                .singleElement()
                .satisfies(c -> assertThat(c.unread()).isTrue());
    }

    @Test
    void refusesArchiveWithMillionsOfEntries() throws IOException {
        ByteBuffer end = ByteBuffer.allocate(22).order(ByteOrder.LITTLE_ENDIAN);
        end.putInt(0, 0x06054b50).putInt(12, 1 << 30).putInt(16, 0);
        try (var sparse = new RandomAccessFile(dir.resolve("a.jar").toFile(), "rw")) {
            sparse.setLength(1L << 30);
            sparse.seek(1L << 30);
            sparse.write(end.array());
        }

        assertThat(costs("java", "-cp", "a.jar", "Main"))
                .singleElement()
                .satisfies(c -> assertThat(c.unread()).isTrue());
    }

    @Test
    void impossibleFileNamesAreReportedAsUnread() {
        assertThat(costs("java", "-cp", "a\0b", "-Dlogback.configurationFile=c\0d", "Main"))
                .isNotEmpty()
                .allMatch(LoggingCost::unread);
        assertThat(costs("java", "@a\0b", "Main")).isEmpty();
    }

    @Test
    void readsRecursiveArgumentFileOnce() throws IOException {
        Files.writeString(dir.resolve("args"), "@args -Da=b\n@args\n");

        var start =
                JvmStart.of(
                        LoggingFilesTest.seenFrom(dir),
                        List.of("java", "@args", "Main", "x"),
                        Map.of());

        assertThat(start.properties()).containsEntry("a", "b");
        assertThat(start.program()).containsExactly("x");
    }

    @ParameterizedTest
    @CsvSource({
        "*.conf, a.conf, true", "*.conf, .conf, true", "a*b*c, aXbYbZc, true",
                "a*b*c, aXbYbZ, false",
        "[a-c]?.cfg, b1.cfg, true", "[!a-c]?.cfg, b1.cfg, false", "[a, [a, true", "*, '', true",
        "a\\*b, a*b, true", "a\\*b, aXb, false", "'', a, false", "'{a,b}', a, false"
    })
    void includePatternsMatchAsInGlob7(String pattern, String name, boolean matches) {
        assertThat(new Glob(pattern).matches(name)).isEqualTo(matches);
    }

    @Test
    void patternWithManyStarsIsMatchedFast() {
        assertThat(new Glob("*a".repeat(100) + "b").matches("a".repeat(255))).isFalse();
    }

    @Test
    void reportsFailedIncludeOnce() throws IOException {
        Path main = dir.resolve("nginx.conf");
        String circle = ("include " + main + ";\n").repeat(50);
        Files.writeString(
                main,
                "include a\0b;\ninclude [;\ninclude {*;\n" + circle,
                StandardCharsets.ISO_8859_1);

        NginxConfig.read(files, main.toString(), "");

        assertThat(files.unread())
                .contains("more than " + SeenFiles.MAX_FILES + " files")
                .hasSizeLessThan(25);
    }

    @Test
    void totalSizeOfIncludedTextIsLimited() throws IOException {
        Path main = dir.resolve("nginx.conf");
        Files.writeString(
                main, ("include " + main + ";\n").repeat(50) + "# " + "x".repeat(3 << 20) + "\n");

        NginxConfig.read(files, main.toString(), "");

        assertThat(files.unread()).containsExactly("more than 16 MiB in all");
    }

    @Test
    void totalNumberOfDirectivesIsLimited() throws IOException {
        Path main = Files.writeString(dir.resolve("nginx.conf"), "a;".repeat(1_900_000));

        NginxConfig.read(files, main.toString(), "");

        assertThat(files.unread()).hasSize(1);
    }

    @Test
    void readsHugeSectionsAndLinesInLinearTime() throws IOException {
        Path main = dir.resolve("httpd.conf");
        Files.writeString(
                main,
                "Foo "
                        + "\"a\" b ".repeat(150_000)
                        + "\n"
                        + "<a\nb\n".repeat(150_000)
                        + "</a>\n".repeat(150_000)
                        + "MaxRequestWorkers 7\n");
        var config = ApacheConfig.read(files, main.toString(), dir.toString(), Set.of());
        assertThat(config.number("MaxRequestWorkers")).contains(7L);

        String defaults = "defaults\n maxconn 5\n" + "cache\n".repeat(300_000);
        assertThat(
                        HaproxySettings.limits(
                                defaults + "listen l\n server s 127.0.0.1:8080\n", Set.of(8080)))
                .singleElement()
                .satisfies(l -> assertThat(l.atOnce()).isEqualTo(5));
    }

    @Test
    void quotedTextWithBlanksIsOneWord() throws IOException {
        Path main = dir.resolve("httpd.conf");
        Files.writeString(
                main,
                "ProxyPass \"/a b\" http://h:8080/ max=20\n<IfModule !x >\nA \"1\"\n</IfModule>\n");

        var config = ApacheConfig.read(files, main.toString(), dir.toString(), Set.of());

        assertThat(config.all("ProxyPass"))
                .containsExactly(List.of("ProxyPass", "/a b", "http://h:8080/", "max=20"));
        assertThat(config.all("A")).containsExactly(List.of("A", "1"));
    }
}
