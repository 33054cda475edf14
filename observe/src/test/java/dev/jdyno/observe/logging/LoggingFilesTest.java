package dev.jdyno.observe.logging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.observe.host.JvmStart;
import dev.jdyno.target.TargetFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

public class LoggingFilesTest {
    /// Configuration of experiment E10.
    static final String COSTLY_LOGBACK =
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

    /// The same configuration after the experiment's fixes.
    static final String CHEAP_LOGBACK =
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

    static final String COSTLY_LOG4J2 =
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
        root = dir;
    }

    private List<LoggingCost> costs(String... arguments) {
        return LoggingFiles.costs(JvmStart.of(seenFrom(root), List.of(arguments), Map.of()));
    }

    /// Reads paths as a process with this root and working folder sees them.
    public static TargetFiles seenFrom(Path root) {
        return TargetFiles.below(root, Path.of("/"));
    }

    private void write(String name, String text) throws IOException {
        Files.createDirectories(dir.resolve(name).getParent());
        Files.writeString(dir.resolve(name), text);
    }

    @Test
    void namesCostlyPartsOfLogbackAndTheirFix() throws IOException {
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/logback.xml"), COSTLY_LOGBACK);

        List<LoggingCost> costs =
                costs("java", "-Dlogback.configurationFile=/etc/logback.xml", "-jar", "app.jar");

        assertThat(costs)
                .extracting(LoggingCost::part)
                .containsExactlyInAnyOrder(
                        LogPart.CALLER_DATA,
                        LogPart.CALLER_DATA,
                        LogPart.FLUSH,
                        LogPart.SMALL_QUEUE);
        assertThat(costs).extracting(LoggingCost::file).containsOnly("/etc/logback.xml");
    }

    @Test
    void fixedConfigurationHasNoRecommendations() throws IOException {
        Files.writeString(dir.resolve("logback.xml"), CHEAP_LOGBACK);

        assertThat(costs("java", "-cp", ".", "Main")).isEmpty();
    }

    @Test
    void log4j2InAFolderOfTheClassPathIsReadToo() throws IOException {
        Files.createDirectories(dir.resolve("conf"));
        Files.writeString(dir.resolve("conf/log4j2.xml"), COSTLY_LOG4J2);

        assertThat(costs("java", "-cp", "missing.jar:conf", "Main"))
                .extracting(LoggingCost::part)
                .containsExactlyInAnyOrder(
                        LogPart.CALLER_DATA,
                        LogPart.CALLER_DATA,
                        LogPart.FLUSH,
                        LogPart.SYNCHRONOUS);
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
                .filter(c -> c.part() == LogPart.SMALL_QUEUE)
                .toList();
    }

    /// The asynchronous appender of Log4j 2 holds 1024 lines, the ring buffer of asynchronous
    /// loggers more.
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
    void namesSmallLog4j2QueueWithItsKey(String appender) throws IOException {
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
        // a class that is not logback's, so its default size is unknown
        "com.acme.AsyncAppender, '', 0",
        "com.acme.AsyncAppender, <queueSize>64</queueSize>, 64"
    })
    void namesSmallLogbackQueueOfKnownSize(String type, String size, int lines) throws IOException {
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
    void reportsFileThatIsNoXml() throws IOException {
        Files.writeString(dir.resolve("logback.xml"), "<configuration><!DOCTYPE");

        assertThat(costs("java", "-cp", ".", "Main"))
                .singleElement()
                .satisfies(c -> assertThat(c.part()).isEqualTo(LogPart.UNREAD));
    }

    @Test
    void reportsNothingWithoutConfiguration() {
        assertThat(costs("java", "-cp", "lib/*:app.jar", "Main")).isEmpty();
    }

    /// The same configuration as `COSTLY_LOG4J2` in each configuration language.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "log4j2.properties|appender.f.type = File~appender.f.fileName = a.log~appender.f.layout.type = PatternLayout~appender.f.layout.pattern = %C %m%n~rootLogger = info, f~rootLogger.includeLocation = true",
                "log4j2.yaml|Configuration:~  Appenders:~    File:~      name: F~      PatternLayout: {pattern: '%d %C %m%n'}~  Loggers:~    Root: {level: info, includeLocation: 'true'}",
                "log4j2.yml|Configuration:~  appenders:~    appender:~    - {type: File, name: F, layout: {type: PatternLayout, pattern: '%L'}}~  Loggers: {Root: {includeLocation: true}}",
                "log4j2.json|{\"configuration\": {\"appenders\": {\"File\": [{\"name\": \"F\", \"PatternLayout\": {\"pattern\": \"%M\"}}]}, \"loggers\": {\"root\": {\"includeLocation\": \"true\"}}}}"
            })
    void readsLog4j2InAllFormats(String name, String text) throws IOException {
        write("conf/" + name, text.replace('~', '\n'));

        assertThat(costs("java", "-cp", "conf", "Main"))
                .extracting(LoggingCost::part)
                .containsExactlyInAnyOrder(
                        LogPart.CALLER_DATA,
                        LogPart.CALLER_DATA,
                        LogPart.FLUSH,
                        LogPart.SYNCHRONOUS);
    }

    @Test
    void readsSmallQueueFromProperties() throws IOException {
        write(
                "log4j2.properties",
                "appender.q.type = async\nappender.q.bufferSize = 64\nappender.File.type = Console\n");

        assertThat(costs("java", "-cp", ".", "Main"))
                .singleElement()
                .satisfies(c -> assertThat(c.says()).startsWith("the queue holds 64 lines"));
    }

    @Test
    void readsPatternFromProperty() throws IOException {
        write(
                "log4j2.xml",
                "<Configuration><Properties><Property name='P'>%d %L %m</Property></Properties>"
                        + "<Appenders><Console><PatternLayout pattern='${P}'/></Console></Appenders>"
                        + "</Configuration>");

        assertThat(costs("java", "-cp", ".", "Main"))
                .extracting(LoggingCost::part)
                .containsExactly(LogPart.CALLER_DATA);
    }

    @Test
    void aConfigurationThatIsCodeIsFoundAndNotRun() throws IOException {
        write("logback.groovy", "appender('FILE', FileAppender) {}");

        assertThat(costs("java", "-cp", ".", "Main"))
                .singleElement()
                .satisfies(c -> {
                    assertThat(c.unread()).isTrue();
                    assertThat(c.file()).endsWith("logback.groovy");
                    assertThat(c.says()).contains("is code");
                });
    }
}
