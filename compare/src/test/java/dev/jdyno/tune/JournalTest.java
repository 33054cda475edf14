package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.compare.StartNoise;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.logging.LoggingFiles.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JournalTest {
    private static final Race.Raced RACED =
            new Race.Raced(
                    Race.Ended.MEASURED,
                    Optional.of(
                            new Measured(
                                    Outcome.BETTER,
                                    Metric.CPU,
                                    Optional.of(1.25),
                                    Optional.of(new Interval(1.2, 1.3)),
                                    Optional.of(1.125),
                                    Optional.of(new Interval(1, 1.25)),
                                    Optional.of(100.0),
                                    Optional.of(125.0),
                                    3,
                                    false,
                                    Optional.empty(),
                                    Optional.of(18),
                                    Optional.empty())),
                    "",
                    Set.of(Race.Doubt.NOT_STEADY, Race.Doubt.HEAP_FILLS),
                    new StartNoise(0.1, 3),
                    Metric.QPS);

    @TempDir private Path folder;
    private long nanos;

    private static final Subject SUBJECT =
            new Subject(
                    List.of("a"), 0, Map.of("/app.jar", "b"), Map.of("JDK /jdk", "c"), Map.of());

    private static Subject.Seen seen(Subject subject) {
        return new Subject.Seen(subject, List.of());
    }

    private Journal open() {
        return Journal.open(folder, seen(SUBJECT), List.of("url: x"), () -> nanos);
    }

    private void write(String step) {
        try (Journal journal = open()) {
            journal.raced(step, "about it", 2, RACED);
        }
    }

    @Test
    void restoresFinishedSteps() {
        write("a");
        write("b");

        try (Journal journal = open()) {
            assertThat(journal.of("a").orElseThrow().raced()).contains(RACED);
            assertThat(journal.of("c")).isEmpty();
            assertThat(journal.resumes()).isTrue();
        }
    }

    @Test
    void restoresObservationsOfStart() {
        var look =
                new Look(
                        1.5,
                        false,
                        Optional.of("/opt/jdk/bin/java"),
                        List.of(new Configuration("conf/logback.xml", "<configuration/>")),
                        Map.of("logging.pattern.console", "%C %m%n"),
                        Optional.of(8e9));
        try (Journal journal = open()) {
            journal.looked("look", 2, look);
        }

        try (Journal journal = open()) {
            assertThat(journal.of("look").orElseThrow().look()).contains(look);
        }
    }

    @Test
    void elapsedTimeIncludesReusedSteps() {
        try (Journal journal = open()) {
            nanos += 10_000_000_000L;
            journal.raced("a", "about it", 8, RACED);
            nanos += 20_000_000_000L;
            journal.raced("b", "about it", 20, RACED);
        }

        try (Journal journal = open()) {
            nanos += 1_000_000_000L;
            assertThat(journal.elapsed()).isEqualTo(1);
            journal.of("a");
            assertThat(journal.elapsed()).isEqualTo(10);
            journal.of("b");
            assertThat(journal.elapsed()).isEqualTo(30);
            journal.of("a");
            nanos += 5_000_000_000L;
            assertThat(journal.elapsed()).isEqualTo(35);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"step\":\"00", "\0\0\0\0", "{\"step\":\n", "\0\0\n"})
    void truncatedLastLineIsUnfinishedStep(String rest) throws IOException {
        write("a");
        Files.writeString(folder.resolve(Journal.NAME), rest, StandardOpenOption.APPEND);
        try (Journal journal = open()) {
            assertThat(journal.dropped()).isPresent();
        }
        write("b");

        try (Journal journal = open()) {
            assertThat(journal.dropped()).isEmpty();
            assertThat(journal.of("a")).isPresent();
            assertThat(journal.of("b")).isPresent();
        }
    }

    @Test
    void aBrokenLineInTheMiddleIsNamed() throws IOException {
        write("a");
        Files.writeString(folder.resolve(Journal.NAME), "{\"st\n", StandardOpenOption.APPEND);
        Files.writeString(folder.resolve(Journal.NAME), "{}\n", StandardOpenOption.APPEND);

        assertThatThrownBy(this::open).isInstanceOf(UserError.class).hasMessageContaining("line 3");
    }

    @Test
    void refusesOtherFile() throws IOException {
        Files.writeString(folder.resolve(Journal.NAME), "hello\n");

        assertThatThrownBy(this::open).isInstanceOf(UserError.class).hasMessageContaining("line 1");
        assertThat(folder.resolve(Journal.NAME)).hasContent("hello\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[]",
                "{}",
                "{\"schema\":\"jdyno/tune-journal/1\"}",
                "{\"schema\":\"jdyno/tune-journal/1\",\"subject\":null}",
                "{\"schema\":\"jdyno/tune-journal/1\",\"subject\":{}}",
                "{\"subject\":{\"plan\":[],\"secrets\":0,\"files\":{},\"java\":{},\"variables\":{}}}"
            })
    void refusesEmptyHeader(String header) throws IOException {
        Files.writeString(folder.resolve(Journal.NAME), header + "\n{}\n");

        assertThatThrownBy(this::open).isInstanceOf(UserError.class).hasMessageContaining("line 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"null", "{}", "[]", "{\"step\":null}", "{\"step\":\"a\",\"about\":\"b\"}"})
    void aLineWithoutItsFieldsIsNamed(String line) throws IOException {
        write("a");
        Files.writeString(
                folder.resolve(Journal.NAME), line + "\n" + line + "\n", StandardOpenOption.APPEND);

        assertThatThrownBy(this::open).isInstanceOf(UserError.class).hasMessageContaining("line 3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"ended\":\"MEASURED\"|\"ended\":null",
                "\"why\":\"\"|\"why\":null",
                "\"noise\":{|\"noise\":null,\"else\":{",
                "\"degrees\":3|\"degrees\":-3",
                "\"squares\":0.1|\"squares\":-0.1",
                "\"squares\":0.1|\"squares\":1e999"
            })
    void namesImpossibleComparison(String part, String damaged) throws IOException {
        write("a");
        Path file = folder.resolve(Journal.NAME);
        String whole = Files.readAllLines(file).get(1);
        assertThat(whole).contains(part);
        Files.writeString(
                file,
                whole.replace(part, damaged) + "\n" + whole + "\n",
                StandardOpenOption.APPEND);

        assertThatThrownBy(this::open).isInstanceOf(UserError.class).hasMessageContaining("line 3");
    }

    @Test
    void refusesMeasurementsOfOtherSubject() {
        write("a");
        Subject other =
                new Subject(List.of("a"), 0, Map.of("/app.jar", "B"), SUBJECT.java(), Map.of());

        assertThatThrownBy(() -> Journal.open(folder, seen(other), List.of("url: x"), () -> nanos))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("/app.jar");
    }

    @Test
    void onlyOwnerCanRead() throws IOException {
        write("a");

        assertThat(Files.getPosixFilePermissions(folder.resolve(Journal.NAME))).hasSize(2);
    }
}
