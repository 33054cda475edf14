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
