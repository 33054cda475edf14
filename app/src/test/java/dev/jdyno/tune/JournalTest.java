package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.compare.Outcome;
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

class JournalTest {
    private static final Race.Raced RACED =
            new Race.Raced(
                    Race.Ended.MEASURED,
                    Optional.of(
                            new Measured(
                                    Outcome.BETTER,
                                    Optional.of(1.25),
                                    Optional.of(new Interval(1.2, 1.3)),
                                    Optional.of(100.0),
                                    Optional.of(125.0),
                                    3,
                                    false,
                                    Optional.empty(),
                                    Optional.of(18),
                                    Optional.empty())),
                    "",
                    Set.of(Race.Doubt.NOT_STEADY, Race.Doubt.HEAP_FILLS));

    @TempDir private Path folder;
    private long nanos;

    private void write(String step) {
        try (Journal journal = Journal.open(folder, () -> nanos)) {
            journal.raced(step, "about it", 2, RACED);
        }
    }

    @Test
    void whatWasFinishedIsKnownAgain() {
        write("a");
        write("b");

        try (Journal journal = Journal.open(folder, () -> nanos)) {
            assertThat(journal.of("a").orElseThrow().raced()).contains(RACED);
            assertThat(journal.of("c")).isEmpty();
            assertThat(journal.resumes()).isTrue();
        }
    }

    @Test
    void whatAStartToldIsKnownAgain() {
        var look =
                new Look(
                        1.5,
                        false,
                        Optional.of("/opt/jdk/bin/java"),
                        List.of(new Configuration("conf/logback.xml", "<configuration/>")),
                        Map.of("logging.pattern.console", "%C %m%n"));
        try (Journal journal = Journal.open(folder, () -> nanos)) {
            journal.looked("look", 2, look);
        }

        try (Journal journal = Journal.open(folder, () -> nanos)) {
            assertThat(journal.of("look").orElseThrow().look()).contains(look);
        }
    }

    @Test
    void timeCountsFromWhatIsUsedAgain() {
        try (Journal journal = Journal.open(folder, () -> nanos)) {
            nanos += 10_000_000_000L;
            journal.raced("a", "about it", 8, RACED);
            nanos += 20_000_000_000L;
            journal.raced("b", "about it", 20, RACED);
        }

        try (Journal journal = Journal.open(folder, () -> nanos)) {
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

    @Test
    void aLineThatAKillCutShortWasNotFinished() throws IOException {
        write("a");
        Files.writeString(
                folder.resolve(Journal.NAME), "{\"step\":\"00", StandardOpenOption.APPEND);
        write("b");

        try (Journal journal = Journal.open(folder, () -> nanos)) {
            assertThat(journal.of("a")).isPresent();
            assertThat(journal.of("b")).isPresent();
        }
    }

    @Test
    void anotherFileIsRefused() throws IOException {
        Files.writeString(folder.resolve(Journal.NAME), "hello\n");

        assertThatThrownBy(() -> Journal.open(folder, () -> nanos))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 1");
    }
}
