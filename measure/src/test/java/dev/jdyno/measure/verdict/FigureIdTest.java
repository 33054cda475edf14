package dev.jdyno.measure.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FigureIdTest {
    private static Stream<FigureId> ids() {
        return Stream.of(
                        Stream.<FigureId>of(FigureId.Total.values()),
                        Stream.of(Cause.values()).map(FigureId.Part::new),
                        Stream.of(
                                new FigureId.Pool("part:cpu"),
                                new FigureId.Pool(""),
                                new FigureId.Exceptions(0),
                                new FigureId.ExceptionsPerRequest(11),
                                new FigureId.Other("queue:disk", "requests")))
                .flatMap(i -> i);
    }

    @ParameterizedTest
    @MethodSource("ids")
    void readsItsOwnText(FigureId id) {
        assertThat(FigureId.of(id.id(), id.unit())).isEqualTo(id);
    }

    /// Ids of figures in documents of other versions.
    @ParameterizedTest
    @CsvSource({
        "response-time, ms",
        "throughput, 1/s",
        "in-flight, requests",
        "cpu-of-threads, cores",
        "run-queue, threads",
        "part:runQueue, ms",
        "pool:http-nio-8080-exec, threads",
        "exceptions:3, 1/s",
        "exceptions-per-request:3, 1/request"
    })
    void aKnownTextHasItsUnit(String id, String unit) {
        assertThat(FigureId.of(id, "?").id()).isEqualTo(id);
        assertThat(FigureId.of(id, "?").unit()).isEqualTo(unit);
    }

    @ParameterizedTest
    @CsvSource({
        "exceptions:",
        "exceptions:-1",
        "exceptions:007",
        "exceptions:99999999999",
        "part:x"
    })
    void keepsOtherTexts(String id) {
        assertThat(FigureId.of(id, "?")).isEqualTo(new FigureId.Other(id, "?"));
    }
}
