package dev.jdyno.observe.logging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.observe.logging.LoggingFiles.Configuration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LoggingEditsTest {
    private static final Configuration LOGBACK =
            new Configuration(
                    "logback.xml",
                    """
                    <?xml version="1.0" encoding="ISO-8859-1"?>
                    <configuration>
                      <!-- <appender name="X" class="x.FileAppender"> > -->
                      <appender name="FILE" class="ch.qos.logback.core.FileAppender">
                        <file>a&amp;b.log</file>
                        <encoder><pattern>%d %-40class{36}.%method:%line - %msg%n</pattern></encoder>
                      </appender>
                      <appender name="ASYNC" class="ch.qos.logback.classic.AsyncAppender">
                        <queueSize>512</queueSize>
                        <includeCallerData>true</includeCallerData>
                        <appender-ref ref="FILE"/>
                      </appender>
                      <appender name="OWN" class="ch.qos.logback.core.rolling.RollingFileAppender">
                        <immediateFlush>true</immediateFlush>
                      </appender>
                      <root level="INFO"><appender-ref ref="ASYNC"/><appender-ref ref="OWN"/></root>
                    </configuration>
                    """);

    private static final Configuration LOG4J2 =
            new Configuration(
                    "log4j2.xml",
                    """
                    <Configuration>
                      <Appenders>
                        <RollingFile name="F" fileName="x.log"><PatternLayout pattern="%d %C.%M %m%n"/></RollingFile>
                        <Async name="A" includeLocation="true" bufferSize="512"><AppenderRef ref="F"/></Async>
                      </Appenders>
                      <Loggers><Root level="info"><AppenderRef ref="F"/></Root></Loggers>
                    </Configuration>
                    """);

    private static final Configuration PROPERTIES =
            new Configuration(
                    "log4j2.properties",
                    """
                    # appender.file.type = File
                    appender.file.type = RollingFile
                    appender.file.name = F
                    appender.file.fileName = x.log
                    appender.file.layout.type = PatternLayout
                    appender.file.layout.pattern = %d %C.%M:%L %m%n
                    appender.async.type = Async
                    appender.async.name = A
                    appender.async.includeLocation = true
                    appender.async.bufferSize = 512
                    appender.async.appenderRef.type = AppenderRef
                    appender.async.appenderRef.ref = F
                    rootLogger.appenderRef.a.ref = A
                    """);

    private static final Configuration YAML =
            new Configuration(
                    "log4j2.yaml",
                    """
                    Configuration:
                      appenders:
                        RollingFile:
                          name: F
                          fileName: x.log
                          PatternLayout:
                            pattern: "%d %C.%M:%L %m%n"
                        Async:
                          name: A
                          includeLocation: true
                          bufferSize: 512
                          AppenderRef:
                            ref: F
                    """);

    @Test
    void propertiesAndYamlKeepAllOtherLines() throws IOException {
        for (Configuration before : new Configuration[] {PROPERTIES, YAML}) {
            String after =
                    LoggingEdits.without(
                                    Set.of(LogPart.CALLER_DATA, LogPart.FLUSH, LogPart.SMALL_QUEUE),
                                    before)
                            .orElseThrow();

            assertThat(LoggingConfig.read(before.name(), before.content())).hasSizeGreaterThan(2);
            assertThat(LoggingConfig.read(before.name(), after.getBytes(StandardCharsets.UTF_8)))
                    .as(after)
                    .isEmpty();
            assertThat(after.lines().count()).isEqualTo(before.text().lines().count() + 1);
            assertThat(before.text().lines().filter(l -> after.lines().noneMatch(l::equals)))
                    .as("changed lines")
                    .hasSize(3);
        }
    }

    @Test
    void keepsPartThatCannotBeRemovedByLine() {
        var alone =
                new Configuration(
                        "log4j2.properties",
                        """
                        appender.file.type = File
                        appender.file.immediateFlush = false
                        """);

        assertThat(LoggingEdits.without(Set.of(LogPart.SYNCHRONOUS), alone)).isEmpty();
        assertThat(LoggingEdits.without(Set.of(LogPart.FLUSH), alone)).isEmpty();
    }

    @Test
    void removesAllCostlyParts() throws IOException {
        for (Configuration before : new Configuration[] {LOGBACK, LOG4J2}) {
            String after = LoggingEdits.without(LoggingEdits.PARTS, before).orElseThrow();

            assertThat(LoggingConfig.read(before.name(), before.content())).isNotEmpty();
            assertThat(LoggingConfig.read(before.name(), after.getBytes(StandardCharsets.UTF_8)))
                    .as(after)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CALLER_DATA", "FLUSH", "SMALL_QUEUE"})
    void removesSinglePart(LogPart part) throws IOException {
        for (Configuration before : new Configuration[] {LOGBACK, LOG4J2}) {
            String after = LoggingEdits.without(Set.of(part), before).orElseThrow();

            assertThat(LoggingConfig.read(before.name(), after.getBytes(StandardCharsets.UTF_8)))
                    .extracting(LoggingCost::part)
                    .isNotEmpty()
                    .doesNotContain(part);
        }
    }

    @Test
    void keepsCheapParts() {
        String after = LoggingEdits.without(Set.of(LogPart.SMALL_QUEUE), LOGBACK).orElseThrow();

        assertThat(after)
                .isEqualTo(
                        LOGBACK.text()
                                .replace("ISO-8859-1", "UTF-8")
                                .replace("<queueSize>512", "<queueSize>10000"));
    }

    @Test
    void requestsHandTheirLinesOver() {
        String logback = LoggingEdits.without(Set.of(LogPart.SYNCHRONOUS), LOGBACK).orElseThrow();
        String log4j2 = LoggingEdits.without(Set.of(LogPart.SYNCHRONOUS), LOG4J2).orElseThrow();

        assertThat(logback)
                .contains("<appender name=\"OWN-jdyno-async\"")
                .contains("<appender-ref ref=\"OWN-jdyno-async\"/></root>")
                .contains("<appender-ref ref=\"ASYNC\"/><appender-ref");
        assertThat(log4j2).contains("<Root level=\"info\"><AppenderRef ref=\"F-jdyno-async\"/>");
    }

    @Test
    void leavesInvalidXmlUnchanged() {
        assertThat(
                        LoggingEdits.without(
                                LoggingEdits.PARTS, new Configuration("logback.xml", "<a><b></a>")))
                .isEmpty();
        assertThat(
                        LoggingEdits.without(
                                LoggingEdits.PARTS,
                                new Configuration("log4j2.properties", "appender.a.type=File")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'%d %class.%method:%line - %m%n', '%d %logger - %m%n'",
        "'%C{1.}.%M(%L) %m', '%logger{1.} %m'",
        "'%-40class{36} [%file:%line] %m', '%-40logger{36}  %m'",
        "'%M:%L %m', ' %m'",
        "'%logger{36}.%method:%line - %m', '%logger{36} - %m'",
        "'%caller{2}%m', '%m'",
        "'%d [%thread] %c: %m (a.b) [x]', '%d [%thread] %c: %m (a.b) [x]'"
    })
    void removesCallerWithItsSeparators(String pattern, String without) {
        assertThat(LoggingEdits.withoutCaller(pattern)).isEqualTo(without);
    }
}
