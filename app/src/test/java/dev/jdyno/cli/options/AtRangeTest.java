package dev.jdyno.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Problems;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AtRangeTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant NOW = Instant.parse("2026-11-30T13:30:00Z");

    private final Problems problems = new Problems();

    @ParameterizedTest
    @CsvSource({
        "14:05..14:20, 2026-11-30T13:05:00Z, 2026-11-30T13:20:00Z",
        // begins later today, so it was yesterday
        "14:31..14:40, 2026-11-29T13:31:00Z, 2026-11-29T13:40:00Z",
        "14:30..15:00, 2026-11-30T13:30:00Z, 2026-11-30T14:00:00Z",
        "23:50..00:10, 2026-11-29T22:50:00Z, 2026-11-29T23:10:00Z",
        "2026-11-28T23:50..00:10, 2026-11-28T22:50:00Z, 2026-11-28T23:10:00Z",
        "2026-11-28T09:00..2026-11-29T09:00:30, 2026-11-28T08:00:00Z, 2026-11-29T08:00:30Z",
        // the hour that the change of summer time repeats
        "2026-10-25T01:30..03:30, 2026-10-24T23:30:00Z, 2026-10-25T02:30:00Z"
    })
    void rangeIsInZoneOfUser(String text, Instant from, Instant to) {
        assertThat(AtRange.of(text, NOW, BERLIN, problems)).contains(new AtRange(from, to));
        assertThat(problems.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "..",
                "14:05",
                "14:05..",
                "..14:20",
                "14:05-14:20",
                "24:05..14:20",
                "2pm..3pm",
                "14:5..14:20",
                "2026-02-30T10:00..11:00",
                "2026-11-29T10:00..2026-11-28T10:00",
                "2026-01-01T00:00..2026-03-01T00:00"
            })
    void otherTextsAreMistakes(String text) {
        assertThat(AtRange.of(text, NOW, BERLIN, problems)).isEmpty();
        assertThat(problems.list()).hasSize(1);
    }

    @Test
    void equalTimesAreOneDay() {
        assertThat(AtRange.of("10:00..10:00", NOW, BERLIN, problems))
                .contains(
                        new AtRange(
                                Instant.parse("2026-11-30T09:00:00Z"),
                                Instant.parse("2026-12-01T09:00:00Z")));
    }
}
