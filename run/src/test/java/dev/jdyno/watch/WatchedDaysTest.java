package dev.jdyno.watch;

import static dev.jdyno.watch.WatchFixture.START;
import static dev.jdyno.watch.WatchFixture.minute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.SkippedLines;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedDay;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.measure.watch.WatchedServices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedDaysTest {
    private static final LocalDate DAY = LocalDate.of(2026, 11, 30);
    private static final String FILE = "shop-2026-11-30.jsonl";

    @TempDir Path folder;

    private WatchedDay day(String... lines) throws IOException {
        Files.write(folder.resolve(FILE), List.of(lines));
        return new WatchedDays(folder).day("shop", DAY);
    }

    @Test
    void cellsAreFiveMinutesWithTheirLongestVerdictFirst() throws IOException {
        WatchedDay day =
                day(
                        minute(3).named(Bottleneck.CPU).line(),
                        minute(4).named(Bottleneck.CPU).line(),
                        minute(0).named(Bottleneck.LOCK).line(),
                        minute(5).named(Bottleneck.LOCK).line(),
                        minute(20).line());

        assertThat(day.cells())
                .extracting(
                        WatchedRange::from,
                        WatchedRange::minutes,
                        c -> c.verdicts().getFirst().bottleneck())
                .containsExactly(
                        tuple(START, 3, Bottleneck.CPU),
                        tuple(START.plusSeconds(300), 1, Bottleneck.LOCK),
                        tuple(START.plusSeconds(1200), 1, Bottleneck.LOAD));
        assertThat(day.whole().orElseThrow().minutes()).isEqualTo(5);
        assertThat(day.minutes()).isSortedAccordingTo(Comparator.comparing(WatchedMinute::at));
    }

    @Test
    void periodsEndWhereTheVerdictChangesOrAMinuteIsMissing() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int n : List.of(0, 5, 10)) {
            lines.add(minute(n).named(Bottleneck.CPU).line());
        }
        lines.add(minute(15).named(Bottleneck.LOCK).line());
        lines.add(minute(30).named(Bottleneck.LOCK).line());

        assertThat(day(lines.toArray(String[]::new)).periods())
                .extracting(WatchedRange::from, WatchedRange::to, WatchedRange::minutes)
                .containsExactly(
                        tuple(START, START.plusSeconds(900), 3),
                        tuple(START.plusSeconds(900), START.plusSeconds(1200), 1),
                        tuple(START.plusSeconds(1800), START.plusSeconds(2100), 1));
    }

    @Test
    void summaryOfPeriodIsThatOfItsTime() throws IOException {
        WatchFixture.write(folder.resolve("watch"));
        WatchedDay day = new WatchedDays(folder.resolve("watch")).day("shop", DAY);

        assertThat(day.periods()).hasSize(4);
        for (WatchedRange period : day.periods()) {
            assertThat(WatchedDays.summary(day, period.from(), period.to())).contains(period);
        }
        assertThat(WatchedDays.summary(day, START.minusSeconds(60), START)).isEmpty();
    }

    @Test
    void eventsOfTheWatchAreKept() throws IOException {
        var event = new WatchEvent.Restarted(START, "shop", 1, 2, 3);
        try (DayFiles files = DayFiles.begin(folder.resolve("w"), "shop", 14, START, _ -> {})) {
            files.add(minute(0).made());
            files.add(event);
        }
        WatchedDay day = new WatchedDays(folder.resolve("w")).day("shop", DAY);

        assertThat(day.events()).containsExactly(event);
        assertThat(day.minutes()).hasSize(1);
        assertThat(day.damaged()).isZero();
        assertThat(DayReader.read(folder.resolve("w"), START, START.plusSeconds(60)).skipped())
                .isEqualTo(SkippedLines.NONE);
    }

    @Test
    void linesOfAnotherDayOrServiceAndNullsAreDamaged() throws IOException {
        String line = minute(0).headroom(1.5).line();

        WatchedDay day =
                day(
                        line,
                        line.replace("2026-11-30", "2026-11-29"),
                        line.replace("\"shop\"", "\"orders\""),
                        line.replace("\"pools\":[]", "\"pools\":[null]"),
                        line.replace("\"dumps\":{", "\"dumps\":null,\"x\":{"),
                        "",
                        "null",
                        "\u0000");

        assertThat(day.minutes()).hasSize(1);
        assertThat(day.damaged()).isEqualTo(7);
    }

    /// Sums and dates of these times overflow.
    @Test
    void mostDistantTimesAreDamaged() throws IOException {
        String line = minute(0).line();
        String at = "\"2026-11-30T14:00:00Z\"";
        String event = WatchFixture.line(new WatchEvent.Watching(START, "shop", 1));
        assertThat(line).contains(at);
        assertThat(event).contains(at);

        WatchedDay day =
                day(
                        line,
                        line.replace(at, "31556889864403199"),
                        line.replace(at, "-31557014167219200"),
                        event.replace(at, "31556889864403199"));

        assertThat(day.minutes()).hasSize(1);
        assertThat(day.damaged()).isEqualTo(3);
    }

    @Test
    void intervalWithoutEndsLeavesTheHeadroomOut() throws IOException {
        String line =
                minute(0).headroom(1.5).line().replaceFirst("\"ci95\":[^]]*]", "\"ci95\":[1,null]");

        assertThat(day(line).minutes())
                .singleElement()
                .satisfies(m -> assertThat(m.headroom()).isEmpty());
    }

    @Test
    void linesAboveTheMaximumAreCounted() throws IOException {
        String line = minute(0).line();
        Files.writeString(folder.resolve(FILE), (line + "\n").repeat(DayReader.MAX_LINES + 7));

        WatchedDay day = new WatchedDays(folder).day("shop", DAY);

        assertThat(day.minutes()).hasSize(DayReader.MAX_LINES);
        assertThat(day.leftOut()).isEqualTo(7);
    }

    @Test
    void linesAreParsedUpToAMaximumAndThenCounted() throws IOException {
        Files.writeString(
                folder.resolve(FILE),
                minute(0).line() + "\n".repeat(DayReader.MAX_READ + 3) + minute(1).line());

        WatchedDay day = new WatchedDays(folder).day("shop", DAY);

        assertThat(day.minutes()).hasSize(1);
        assertThat(day.damaged()).isEqualTo(DayReader.MAX_READ - 1);
        assertThat(day.leftOut()).isEqualTo(4);
    }

    @Test
    void listHasServicesAndTheirNewestDayFirst() throws IOException {
        for (String name :
                List.of(
                        "shop-2026-11-29.jsonl",
                        FILE,
                        "a-b-2026-01-01.jsonl",
                        "shop-2026-13-01.jsonl",
                        "notes.txt")) {
            Files.createFile(folder.resolve(name));
        }

        WatchedServices found = new WatchedDays(folder).list();

        assertThat(found.trouble()).isEmpty();
        assertThat(found.services())
                .containsExactly(
                        new WatchedServices.Service("a-b", List.of(LocalDate.of(2026, 1, 1))),
                        new WatchedServices.Service("shop", List.of(DAY, DAY.minusDays(1))));
        assertThat(new WatchedDays(folder.resolve("none")).list().services()).isEmpty();
        assertThat(new WatchedDays(folder.resolve(FILE)).list().trouble()).isPresent();
    }

    @Test
    void fileThatIsTooLargeIsRefused() throws IOException {
        try (var channel =
                Files.newByteChannel(
                        folder.resolve(FILE),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE)) {
            channel.position(17 << 20);
            channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
        }

        assertThatThrownBy(() -> new WatchedDays(folder).day("shop", DAY))
                .isInstanceOf(UserError.class);
    }
}
