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
    void ofTwoThatSetTheSameTheLaterCounts(String before, String more, boolean same) {
        Change first = Change.jvmArgument(before);
        Change second = Change.jvmArgument(more);

        assertThat(Changes.with(List.of(first), List.of(second)))
                .isEqualTo(same ? List.of(second) : List.of(first, second));
    }

    @Test
    void partsOfALoggingConfigurationAreChangesOfTheirOwn() {
        Change flush = new Change.LoggingEdit(Optional.of("l.xml"), "flush", "off");
        Change queue = new Change.LoggingEdit(Optional.of("l.xml"), "small-queue", "10");

        List<Change> both = Changes.with(List.of(flush), List.of(queue));

        assertThat(both).containsExactly(flush, queue);
        assertThat(Changes.without(both, flush)).containsExactly(queue);
    }
}
