package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.LoggingCost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoggingFilesTest {
    /// As E10 found it.
    private static final String DEAR_LOGBACK =
            """
            <configuration>
              <appender name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
                <file>app.log</file>
                <encoder><pattern>%d %-5level [%thread] %logger{36}.%method:%line - %msg%n</pattern></encoder>
              </appender>
              <appender name="LATER" class="ch.qos.logback.classic.AsyncAppender">
                <appender-ref ref="FILE"/>
                <includeCallerData>true</includeCallerData>
              </appender>
              <root level="INFO"><appender-ref ref="LATER"/></root>
            </configuration>
            """;

    /// The same after its rounds.
    private static final String CHEAP_LOGBACK =
            """
            <configuration>
              <appender name="FILE" class="ch.qos.logback.core.FileAppender">
                <immediateFlush>false</immediateFlush>
                <encoder><pattern>%d %-5level [%thread] %logger{36} - %msg%n</pattern></encoder>
              </appender>
              <appender name="LATER" class="ch.qos.logback.classic.AsyncAppender">
                <queueSize>10000</queueSize>
                <appender-ref ref="FILE"/>
              </appender>
            </configuration>
            """;

    private static final String DEAR_LOG4J2 =
            """
            <Configuration>
              <Appenders>
                <File name="FILE" fileName="app.log">
                  <PatternLayout pattern="%d %p %C{1.}.%M(%L) %m%n"/>
                </File>
              </Appenders>
              <Loggers><Root level="info" includeLocation="true"><AppenderRef ref="FILE"/></Root></Loggers>
            </Configuration>
            """;

    @TempDir Path dir;
    private Path root = Path.of("");

    @BeforeEach
    void anEmptyRoot() throws IOException {
        root = Files.createDirectories(dir.resolve("root"));
    }

    private List<LoggingCost> costs(String... arguments) {
        return LoggingFiles.costs(root, dir, List.of(arguments));
    }

    @Test
    void theDearPartsOfLogbackAreNamedWithTheirCure() throws IOException {
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/logback.xml"), DEAR_LOGBACK);

        List<LoggingCost> costs =
                costs("java", "-Dlogback.configurationFile=/etc/logback.xml", "-jar", "app.jar");

        assertThat(costs)
                .extracting(LoggingCost::part)
                .containsExactlyInAnyOrder("caller-data", "caller-data", "flush", "small-queue");
        assertThat(costs).extracting(LoggingCost::file).containsOnly("/etc/logback.xml");
    }

    @Test
    void aConfigurationThatWasMendedHasNone() throws IOException {
        Files.writeString(dir.resolve("logback.xml"), CHEAP_LOGBACK);

        assertThat(costs("java", "-cp", ".", "Main")).isEmpty();
    }

    @Test
    void log4j2InAFolderOfTheClassPathIsReadToo() throws IOException {
        Files.createDirectories(dir.resolve("conf"));
        Files.writeString(dir.resolve("conf/log4j2.xml"), DEAR_LOG4J2);

        assertThat(costs("java", "-cp", "missing.jar:conf", "Main"))
                .extracting(LoggingCost::part)
                .containsExactlyInAnyOrder("caller-data", "caller-data", "flush", "synchronous");
    }

    private List<LoggingCost> log4j2(String appenders, String loggers) throws IOException {
        Files.writeString(
                dir.resolve("log4j2.xml"),
                "<Configuration><Appenders>"
                        + appenders
                        + "</Appenders><Loggers>"
                        + loggers
                        + "</Loggers></Configuration>");
        return costs("java", "-cp", ".", "Main").stream()
                .filter(c -> c.part().equals("small-queue"))
                .toList();
    }

    /// Its asynchronous appender holds 1024 lines, a ring buffer of asynchronous loggers more.
    @Test
    void log4j2sOwnQueuesAreNotCalledSmall() throws IOException {
        assertThat(log4j2("<Async name='A'><AppenderRef ref='FILE'/></Async>", "")).isEmpty();
        assertThat(log4j2("<File name='FILE' fileName='a' bufferSize='512'/>", "<AsyncRoot/>"))
                .as("a file's buffer is no queue")
                .isEmpty();
        assertThat(log4j2("<Async name='A' bufferSize='${size}'/>", ""))
                .as("a size that is not known")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Async name='A' bufferSize='128'><AppenderRef ref='FILE'/></Async>",
                "<Async name='A'><bufferSize>128</bufferSize></Async>",
                "<Async name='A' bufferSize='128'/><Async name='B' bufferSize='8192'/>"
            })
    void aSmallQueueOfLog4j2IsNamedWithItsOwnKey(String appender) throws IOException {
        assertThat(log4j2(appender, ""))
                .singleElement()
                .satisfies(c -> {
                    assertThat(c.says()).startsWith("the queue holds 128 lines");
                    assertThat(c.change()).isEqualTo("bufferSize=\"10000\"");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "ch.qos.logback.classic.AsyncAppender, '', 256",
        "ch.qos.logback.classic.AsyncAppender, <queueSize>64</queueSize>, 64",
        "ch.qos.logback.classic.AsyncAppender, <queueSize>${size}</queueSize>, 0",
        // not logback's: nobody knows its preset
        "com.acme.AsyncAppender, '', 0",
        "com.acme.AsyncAppender, <queueSize>64</queueSize>, 64"
    })
    void aSmallQueueOfLogbackIsNamedWhereItsSizeIsKnown(String type, String size, int lines)
            throws IOException {
        Files.writeString(
                dir.resolve("logback.xml"),
                "<configuration><appender class='"
                        + type
                        + "'>"
                        + size
                        + "</appender><appender class='ch.qos.logback.core.FileAppender'>"
                        + "<immediateFlush>false</immediateFlush><bufferSize>8192</bufferSize>"
                        + "</appender></configuration>");

        List<LoggingCost> costs = costs("java", "-cp", ".", "Main");

        if (lines == 0) {
            assertThat(costs).isEmpty();
        } else {
            assertThat(costs)
                    .singleElement()
                    .satisfies(c -> {
                        assertThat(c.says()).startsWith("the queue holds " + lines + " lines");
                        assertThat(c.change()).isEqualTo("<queueSize>10000</queueSize>");
                    });
        }
    }

    @Test
    void theConfigurationInsideASpringBootJarIsFound() throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(dir.resolve("app.jar")))) {
            zip.putNextEntry(new ZipEntry("BOOT-INF/classes/logback-spring.xml"));
            zip.write(DEAR_LOGBACK.getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
        }

        assertThat(costs("java", "-jar", "app.jar"))
                .extracting(LoggingCost::file)
                .containsOnly("app.jar!/BOOT-INF/classes/logback-spring.xml");
    }

    @Test
    void aFileThatIsNoXmlIsSaidAndHarmsNothing() throws IOException {
        Files.writeString(dir.resolve("logback.xml"), "<configuration><!DOCTYPE");

        assertThat(costs("java", "-cp", ".", "Main"))
                .singleElement()
                .satisfies(c -> assertThat(c.part()).isEqualTo("unread"));
    }

    @Test
    void withoutAnyConfigurationThereIsNothingToSay() {
        assertThat(costs("java", "-cp", "lib/*:app.jar", "Main")).isEmpty();
    }
}
