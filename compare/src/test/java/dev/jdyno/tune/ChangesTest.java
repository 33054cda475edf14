package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Change;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangesTest {
    @ParameterizedTest
    @CsvSource({
        "-Xmn64m, -Xmn128m, true",
        "-Xmn64m, -Xmx128m, false",
        "-XX:+UseG1GC, -XX:+UseParallelGC, true",
        "-XX:-UseG1GC, -XX:+UseZGC, true",
        "-XX:+UseStringDeduplication, -XX:-UseStringDeduplication, true",
        "-XX:ConcGCThreads=1, -XX:ConcGCThreads=2, true",
        "-Da=1, -Da=2, true",
        "-Da=1, -Db=1, false"
    })
    void laterChangeReplacesEarlierChangeOfSameSetting(String before, String more, boolean same) {
        Change.Launch first = Change.jvmArgument(before);
        Change.Launch second = Change.jvmArgument(more);

        assertThat(Changes.with(List.of(first), List.of(second)))
                .isEqualTo(same ? List.of(second) : List.of(first, second));
    }

    @Test
    void partsOfLoggingConfigurationAreSeparateChanges() {
        Change.Launch flush = new Change.LoggingEdit(Optional.of("l.xml"), "flush", "off");
        Change.Launch queue = new Change.LoggingEdit(Optional.of("l.xml"), "small-queue", "10");

        List<Change.Launch> both = Changes.with(List.of(flush), List.of(queue));

        assertThat(both).containsExactly(flush, queue);
        assertThat(Changes.without(both, flush)).containsExactly(queue);
    }

    /// Ids are the keys of measurements in a journal. With other ids, all would be measured again.
    @Test
    void idsOfChangesAreStableAndUnique() {
        List<Change.Launch> all =
                List.of(
                        Change.jvmArgument("-Xmx512m"),
                        Change.jvmArgument("-XX:ConcGCThreads=2"),
                        Change.jvmArgument("-XX:+UseSerialGC"),
                        new Change.WithoutJvmFlag("-Xint"),
                        Change.jvmArgument("-Da=b"),
                        new Change.EnvironmentVariable("a", "b"),
                        new Change.ProgramArgument("--a={}", "b"),
                        new Change.FileValue("app.yaml.tmpl", "a", "b"),
                        new Change.LoggingEdit(Optional.of("logback.xml"), "caller", "x"),
                        new Change.LoggingEdit(Optional.empty(), "caller", "x"));
        assertThat(all)
                .extracting(Change.Launch::id)
                .containsExactly(
                        "-Xmx512m",
                        "-XX:ConcGCThreads=2",
                        "-XX:+UseSerialGC",
                        "without -Xint",
                        "-Da=b",
                        "env a=b",
                        "arg --a={} b",
                        "file app.yaml.tmpl a=b",
                        "logging logback.xml without caller",
                        "logging  without caller");
        assertThat(all)
                .extracting(Change.Launch::isOfJvm)
                .containsExactly(true, true, true, true, true, false, false, false, true, true);
    }
}
