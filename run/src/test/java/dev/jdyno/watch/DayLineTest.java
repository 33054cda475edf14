package dev.jdyno.watch;

import static dev.jdyno.watch.WatchFixture.minute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchedMinute;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DayLineTest {
    private static final WatchedMinute WHOLE =
            minute(0).named(Bottleneck.CPU).headroom(1.25).pool(7).made(2, "com.acme.Page.get");

    private static Optional<WatchedMinute> read(String line) {
        return DayEntry.read(line).map(e -> ((DayEntry.Minute) e).minute());
    }

    @Test
    void lineHasWholeMinute() {
        assertThat(read(DayLine.text(WHOLE))).contains(WHOLE);
    }

    @Test
    void minuteWithoutFiguresIsReadBack() {
        WatchedMinute bare =
                new WatchedMinute(
                        WatchFixture.START,
                        12.5,
                        -3600,
                        4,
                        "shop",
                        1,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        0,
                        new WatchedMinute.Dumps(0, 0),
                        new WatchedMinute.Named(Bottleneck.UNKNOWN, "", 0),
                        Optional.empty());

        assertThat(read(DayLine.text(bare))).contains(bare);
    }

    @Test
    void lineIsOneLineWithoutSecretsAndControlCharacters() {
        String line =
                DayLine.text(
                        minute(0).made(2, "jdbc:x?password=hunter2\n\u001b[2J" + "a".repeat(500)));

        assertThat(line.lines()).hasSize(1);
        assertThat(line).doesNotContain("hunter2").doesNotContain("\u001b").hasSizeLessThan(1500);
    }

    @Test
    void everyBeginningOfLineIsDamaged() {
        String line = DayLine.text(WHOLE);

        for (int i = 0; i < line.length(); i++) {
            assertThat(read(line.substring(0, i))).isEmpty();
        }
    }

    @Test
    void minuteWithoutAllCoresIsRead() {
        WatchedMinute minute = read(DayLine.text(WHOLE).replace("\"allCores\":2.0,", "")).get();

        assertThat(minute.cpu().orElseThrow().allCores()).isEmpty();
        assertThat(minute.requests()).isEqualTo(WHOLE.requests());
    }

    @Test
    void keysOfLaterVersionAreSkipped() {
        assertThat(read(DayLine.text(WHOLE).replaceFirst("\\{", "{\"later\":{\"a\":[1]},")))
                .contains(WHOLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "1",
                "\"jdyno/minute/1\"",
                "{\"schema\":\"jdyno/minute/2\"}",
                "{\"schema\":\"jdyno/minute/1\"}",
                "{\"schema\":\"jdyno/minute/1\",\"at\":\"2026-11-30T14:00:00Z\",\"seconds\":60}"
            })
    void otherDocumentsAreDamaged(String line) {
        assertThat(read(line)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"seconds\":60.0 \"seconds\":-1",
                "\"seconds\":60.0 \"seconds\":1e300",
                "\"seconds\":60.0 \"seconds\":\"NaN\"",
                "\"perS\":100.0 \"perS\":\"NaN\"",
                "\"perS\":100.0 \"perS\":-5",
                "\"perS\":100.0 \"perS\":1e300",
                "\"cores\":1.5 \"cores\":\"Infinity\"",
                "\"allCores\":2.0 \"allCores\":\"NaN\"",
                "\"allCores\":2.0 \"allCores\":-1",
                "\"bottleneck\":\"cpu\" \"bottleneck\":\"other\"",
                "\"bottleneck\":\"cpu\" \"bottleneck\":null",
                "\"ci95\":[112.5,137.5] \"ci95\":[9,1]",
                "\"at\":\"2026-11-30T14:00:00Z\" \"at\":\"yesterday\"",
                "\"at\":\"2026-11-30T14:00:00Z\" \"at\":31556889864403199",
                "\"at\":\"2026-11-30T14:00:00Z\" \"at\":-31557014167219200",
                "\"at\":\"2026-11-30T14:00:00Z\" \"at\":\"+10000-01-01T00:00:00Z\"",
                "\"at\":\"2026-11-30T14:00:00Z\" \"at\":\"1969-12-31T23:59:59Z\"",
                "\"inUse\":7.0 \"inUse\":\"NaN\"",
                "\"limitPerS\":125.0 \"limitPerS\":-1",
                "\"ratio\":1.25 \"ratio\":\"NaN\""
            })
    void impossibleValuesAreDamaged(String change) {
        String line = DayLine.text(WHOLE);
        String[] words = change.split(" ");

        assertThat(line).contains(words[0]);
        assertThat(read(line.replace(words[0], words[1]))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"})
    void timesOfYearsOfFourDigitsAreRead(String at) {
        assertThat(read(DayLine.text(WHOLE).replace("2026-11-30T14:00:00Z", at)))
                .map(WatchedMinute::at)
                .contains(Instant.parse(at));
    }

    @Test
    void deepNestingIsDamaged() {
        assertThat(read("[".repeat(60_000))).isEmpty();
    }
}
