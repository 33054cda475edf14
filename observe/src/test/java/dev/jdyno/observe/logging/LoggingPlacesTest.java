package dev.jdyno.observe.logging;

import static dev.jdyno.observe.logging.LoggingFilesTest.CHEAP_LOGBACK;
import static dev.jdyno.observe.logging.LoggingFilesTest.COSTLY_LOG4J2;
import static dev.jdyno.observe.logging.LoggingFilesTest.COSTLY_LOGBACK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.observe.host.JvmStart;
import dev.jdyno.observe.host.Resources;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Places in which a logging configuration may lie, with real archives.
class LoggingPlacesTest {
    @TempDir Path dir;
    private Path root = Path.of("");

    @BeforeEach
    void anEmptyRoot() throws IOException {
        root = dir;
    }

    private List<LoggingCost> costs(String... arguments) {
        return costs(Map.of(), arguments);
    }

    private List<LoggingCost> costs(Map<String, String> environment, String... arguments) {
        return LoggingFiles.costs(start(environment, arguments));
    }

    private JvmStart start(Map<String, String> environment, String... arguments) {
        return JvmStart.of(LoggingFilesTest.seenFrom(root), List.of(arguments), environment);
    }

    private void archive(String name, Map<String, String> entries) throws IOException {
        Path file = dir.resolve(name);
        Files.createDirectories(file.getParent());
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (var entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
    }

    private void write(String name, String text) throws IOException {
        Files.createDirectories(dir.resolve(name).getParent());
        Files.writeString(dir.resolve(name), text);
    }

    @Test
    void theConfigurationInsideASpringBootJarIsFound() throws IOException {
        archive("app.jar", Map.of("BOOT-INF/classes/logback-spring.xml", COSTLY_LOGBACK));

        assertThat(costs("java", "-jar", "app.jar"))
                .extracting(LoggingCost::file)
                .containsOnly("app.jar!/BOOT-INF/classes/logback-spring.xml");
    }

    @ParameterizedTest
    @CsvSource({
        "java -jar app.war, app.war",
        "java -jar runner.jar --port 80 app.war, app.war",
        "java -Dcatalina.base=tomcat -cp bootstrap.jar Bootstrap start, tomcat/webapps/app.war",
        "java -cp start.jar Main, webapps/app.war"
    })
    void theConfigurationInsideAWarIsFound(String command, String war) throws IOException {
        archive(war, Map.of("WEB-INF/classes/logback.xml", COSTLY_LOGBACK));

        assertThat(costs(command.split(" ")))
                .extracting(c -> c.file().replaceFirst("^\\./", ""))
                .containsOnly(war + "!/WEB-INF/classes/logback.xml");
    }

    @Test
    void readsConfigurationOfEachWebApplication() throws IOException {
        write("base/webapps/a/WEB-INF/classes/logback.xml", COSTLY_LOGBACK);
        write("base/webapps/b/WEB-INF/classes/log4j2.xml", COSTLY_LOG4J2);
        // the archive from which the application was unpacked
        archive("base/webapps/a.war", Map.of("WEB-INF/classes/logback.xml", COSTLY_LOGBACK));

        assertThat(costs(Map.of("CATALINA_BASE", "base"), "java", "-cp", "x.jar", "Bootstrap"))
                .extracting(LoggingCost::file)
                .hasSize(8)
                .containsOnly(
                        "base/webapps/a/WEB-INF/classes/logback.xml",
                        "base/webapps/b/WEB-INF/classes/log4j2.xml");
    }

    @Test
    void theClassPathOfAnArgumentFileIsSearched() throws IOException {
        write("conf dir/logback.xml", COSTLY_LOGBACK);
        write("args", "# started so\n-Xmx64m -cp \\\n   'missing.jar:conf dir'\nMain\n");

        assertThat(costs("java", "@args", "further"))
                .extracting(LoggingCost::file)
                .containsOnly("conf dir/logback.xml");
    }

    @Test
    void wordsOfArgumentFilesAreSplitAsTheLauncherDoes() {
        assertThat(JvmStart.words("-a \"b c\" 'd\\\\e'f # no\n\t-D\"x y\"=z#1 \"\""))
                .containsExactly("-a", "b c", "d\\ef", "-Dx y=z#1", "");
    }

    @Test
    void usesClassPathOfEnvironmentIfCommandLineHasNone() throws IOException {
        write("conf/logback.xml", COSTLY_LOGBACK);
        Map<String, String> environment = Map.of("CLASSPATH", "x.jar:conf");

        assertThat(costs(environment, "java", "Main")).isNotEmpty();
        assertThat(costs(environment, "java", "-cp", "x.jar", "Main")).isEmpty();
    }

    @Test
    void jarsThatAManifestNamesAreSearched() throws IOException {
        archive(
                "app/app.jar",
                Map.of(
                        "META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\nClass-Path: lib/my%20a.jar\n"));
        archive("app/lib/my a.jar", Map.of("log4j2.xml", COSTLY_LOG4J2));

        assertThat(costs("java", "-jar", "app/app.jar"))
                .extracting(LoggingCost::file)
                .containsOnly("app/lib/my a.jar!/log4j2.xml");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Dlogging.config=other.xml",
                "-Dlogging.config=file:./other.xml",
                "-Dlogback.configurationFile=other.xml",
                "-Dlog4j.configurationFile=other.xml",
                "-Dlog4j2.configurationFile=other.xml,cheap.xml",
                "-Dlog4j2.configurationFile=classpath:in-jar.xml",
                "-Dlogback.configurationFile=in-jar.xml"
            })
    void theFileThatAPropertyNamesIsRead(String property) throws IOException {
        write("other.xml", COSTLY_LOGBACK);
        write("cheap.xml", CHEAP_LOGBACK);
        archive("app.jar", Map.of("in-jar.xml", COSTLY_LOGBACK, "logback.xml", CHEAP_LOGBACK));

        assertThat(costs("java", property, "-jar", "app.jar"))
                .hasSize(4)
                .extracting(LoggingCost::file)
                .allMatch(f -> f.endsWith("other.xml") || f.equals("app.jar!/in-jar.xml"));
    }

    @Test
    void theFileThatTheEnvironmentOrSpringNamesIsRead() throws IOException {
        write("other.xml", COSTLY_LOGBACK);
        archive(
                "app.jar",
                Map.of(
                        "BOOT-INF/classes/application.yml",
                        "server: {port: 80}\n---\nlogging:\n  config: other.xml\n"));
        archive("plain.jar", Map.of("x", ""));

        assertThat(costs("java", "-jar", "app.jar")).hasSize(4);
        assertThat(costs("java", "-jar", "plain.jar")).isEmpty();
        assertThat(costs("java", "-jar", "plain.jar", "--logging.config=other.xml")).hasSize(4);
        assertThat(costs(Map.of("LOGGING_CONFIG", "other.xml"), "java", "-jar", "plain.jar"))
                .hasSize(4);
        assertThat(
                        costs(
                                Map.of(
                                        "JAVA_TOOL_OPTIONS",
                                        "-Dlogback.configurationFile=other.xml"),
                                "java",
                                "-jar",
                                "plain.jar"))
                .hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application.properties|logging.pattern.console=%d %C.%M:%L %m%n",
                "application.yml|logging:~  pattern:~    console: '%d %L %m%n'",
                "config/application.yaml|logging.pattern.file: '%method %m%n'",
                "application-prod.yml|logging: {pattern: {file: '%L'}}"
            })
    void springsPatternsAreRead(String name, String text) throws IOException {
        archive("app.jar", Map.of("BOOT-INF/classes/" + name, text.replace('~', '\n')));

        assertThat(costs("java", "-Dspring.profiles.active=prod", "-jar", "app.jar"))
                .singleElement()
                .satisfies(c -> {
                    assertThat(c.part()).isEqualTo(LogPart.CALLER_DATA);
                    assertThat(c.file()).isEqualTo("app.jar!/BOOT-INF/classes/" + name);
                    assertThat(c.says()).startsWith("logging.pattern.");
                });
    }

    /// A separate configuration has its own pattern, unless it refers to Spring's.
    @Test
    void springPatternsCountOnlyIfTheConfigurationUsesThosePatterns() throws IOException {
        Map<String, String> environment = Map.of("LOGGING_PATTERN_CONSOLE", "%L");
        archive("own.jar", Map.of("BOOT-INF/classes/logback.xml", CHEAP_LOGBACK));
        archive(
                "springs.jar",
                Map.of(
                        "BOOT-INF/classes/logback-spring.xml",
                        CHEAP_LOGBACK.replace(
                                "<configuration>",
                                "<configuration><include resource="
                                        + "'org/springframework/boot/logging/logback/base.xml'/>")));

        assertThat(costs(environment, "java", "-jar", "own.jar")).isEmpty();
        assertThat(costs(environment, "java", "-jar", "springs.jar"))
                .extracting(LoggingCost::file)
                .containsExactly("its environment");
    }

    @Test
    void findsPropertyOfCostlySpringPattern() throws IOException {
        String pattern = "logging.pattern.console=%d %C.%M:%L %m%n";
        archive("app.jar", Map.of("BOOT-INF/classes/application.properties", pattern));
        archive(
                "own.jar",
                Map.of(
                        "BOOT-INF/classes/application.properties",
                        pattern,
                        "BOOT-INF/classes/logback.xml",
                        CHEAP_LOGBACK));

        assertThat(LoggingFiles.costlyPatterns(start(Map.of(), "java", "-jar", "app.jar")))
                .isEqualTo(Map.of("logging.pattern.console", "%d %C.%M:%L %m%n"));
        assertThat(LoggingFiles.costlyPatterns(start(Map.of(), "java", "-jar", "own.jar")))
                .isEmpty();
    }

    /// Spring Boot exports the effective pattern as a property, whatever its source.
    @Test
    void patternThatSpringExportsIsUsed() throws IOException {
        archive(
                "app.jar",
                Map.of("BOOT-INF/classes/application.properties", "logging.pattern.console=%m"));
        JvmStart start = start(Map.of(), "java", "-jar", "app.jar");

        assertThat(LoggingFiles.costs(start)).isEmpty();
        assertThat(LoggingFiles.costs(start.answered("7:\n#now\nCONSOLE_LOG_PATTERN=%L %m\n")))
                .singleElement()
                .satisfies(c -> assertThat(c.file()).endsWith("application.properties"));
    }

    @Test
    void prefersJvmPropertiesToCommandLine() throws IOException {
        write("conf/logback.xml", COSTLY_LOGBACK);
        JvmStart start = start(Map.of(), "jsvc", "-home", "x", "-cp", "y", "Daemon");

        assertThat(LoggingFiles.costs(start.answered("7:\n#now\njava.class.path=a.jar\\:conf\n")))
                .hasSize(4);
    }

    @ParameterizedTest
    @MethodSource("dev.jdyno.target.Victims#jdks")
    void queriesRunningJvmAndReadsItsFiles(Path jdk) throws Exception {
        write("logback.xml", COSTLY_LOGBACK);
        write("args", "-Dlogback.configurationFile=" + dir.resolve("logback.xml"));

        try (Target target = Victims.launch(jdk, dir, "sleep", "@" + dir.resolve("args"))) {
            assertThat(LoggingFiles.costs(target)).hasSize(4);
            assertThat(JvmStart.of(target).classPath()).anyMatch(p -> p.contains("victim-classes"));
        }
    }

    @Test
    void ignoresConfigurationHiddenByFixedConfiguration() throws IOException {
        write("a/logback.xml", CHEAP_LOGBACK);
        write("b/logback.xml", COSTLY_LOGBACK);

        assertThat(costs("java", "-cp", "a:b", "Main")).isEmpty();
    }

    @Test
    void reportsUnreadableConfiguration() throws IOException {
        Files.createSymbolicLink(dir.resolve("logback.xml"), Path.of("logback.xml"));
        write("broken.jar", "no archive");

        assertThat(costs("java", "-cp", ".", "Main"))
                .singleElement()
                .satisfies(c -> {
                    assertThat(c.unread()).isTrue();
                    assertThat(c.file()).isEqualTo("./logback.xml");
                });
        assertThat(costs("java", "-jar", "broken.jar"))
                .extracting(LoggingCost::file, LoggingCost::unread)
                .containsExactly(tuple("broken.jar", true));
        assertThat(costs("java", "-Dlogging.config=gone.xml", "-jar", "x.jar"))
                .extracting(LoggingCost::file, LoggingCost::unread)
                .containsExactly(tuple("gone.xml", true));
        assertThat(costs("java", "-Dlogging.config=http://conf/logback.xml", "-jar", "x.jar"))
                .singleElement()
                .satisfies(c -> assertThat(c.says()).contains("nothing is fetched"));
    }

    @Test
    void reportsTooLongClassPath() {
        String places =
                IntStream.rangeClosed(0, Resources.MAX_PLACES)
                        .mapToObj(i -> "p" + i)
                        .collect(Collectors.joining(":"));

        assertThat(costs("java", "-cp", places, "Main"))
                .singleElement()
                .satisfies(c -> assertThat(c.says()).contains("more than 500 places"));
    }
}
