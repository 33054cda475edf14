package dev.jdyno.report;

import static dev.jdyno.watch.WatchFixture.START;
import static dev.jdyno.watch.WatchFixture.minute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.SkippedLines;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedDay;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.measure.watch.WatchedServices;
import dev.jdyno.watch.RangeSummary;
import dev.jdyno.watch.WatchFixture;
import dev.jdyno.watch.WatchedDays;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class WatchReportTest {
    private static final WatchedMinute LOW =
            minute(1).named(Bottleneck.CONNECTION_POOL).headroom(1.25).pool(9).made(2, "orders");

    private static final WatchedMinute HIGH = minute(2).headroom(1.75).made();

    private static final List<WatchEvent> EVENTS =
            List.of(
                    new WatchEvent.Watching(START, "shop", 4711),
                    new WatchEvent.BottleneckChanged(
                            START, "shop", Optional.empty(), minute(0).made().verdict()),
                    new WatchEvent.BottleneckChanged(
                            START, "shop", Optional.of(Bottleneck.LOAD), LOW.verdict()),
                    new WatchEvent.HeadroomBelow(START, "shop", 1.5, LOW.headroom().orElseThrow()),
                    new WatchEvent.HeadroomBack(START, "shop", 1.5, HIGH.headroom().orElseThrow()),
                    new WatchEvent.CpuPerRequestChanged(
                            START, "shop", START.minusSeconds(1200), 2, 2.5),
                    new WatchEvent.Restarted(START, "shop", 4711, 4799, 12.4),
                    new WatchEvent.Gone(START, "shop", 4799));

    private static final SkippedLines SKIPPED = new SkippedLines(1, 2);

    private static final WatchedRange RANGE =
            RangeSummary.of("shop", START, START.plusSeconds(900), List.of(minute(0).made(), LOW));

    @Test
    void writesEventsAsLines() throws IOException {
        var json = new StringBuilder();
        var text = new StringBuilder();
        for (WatchEvent event : EVENTS) {
            json.append(WatchReport.json(event)).append('\n');
            text.append(WatchReport.line(event, ZoneOffset.UTC)).append('\n');
        }

        assertThat(json.toString().lines()).hasSameSizeAs(EVENTS);
        assertThat(text.toString().lines()).hasSameSizeAs(EVENTS);
        Golden.assertMatches("documents/watch-events.jsonl", json.toString());
        Golden.assertMatches("documents/watch-events.txt", text.toString());
    }

    @Test
    void writesMinuteAsLine() throws IOException {
        Golden.assertMatches(
                "documents/watch-minute.txt", WatchReport.line(LOW, ZoneOffset.UTC) + "\n");
    }

    @Test
    void writesRange() throws IOException {
        Golden.assertMatches("documents/watched.json", WatchReport.json(List.of(RANGE), SKIPPED));
        Golden.assertMatches(
                "documents/watched.txt", WatchReport.text(List.of(RANGE), SKIPPED, ZoneOffset.UTC));
    }

    @Test
    void writesDayAndServices(@TempDir Path folder) throws IOException {
        var days = new WatchedDays(WatchFixture.write(folder.resolve("watch")));
        WatchedDay day = days.day("shop", LocalDate.of(2026, 11, 30));

        Golden.assertMatches("documents/watched-day.json", WatchReport.json(day));
        Golden.assertMatches(
                "documents/watched-services.json",
                WatchReport.json(
                        new WatchedServices(
                                "jdyno-out/watch", days.list().services(), Optional.empty())));
    }

    @Test
    void eventOfDayFileIsThePrintedDocument() {
        for (WatchEvent event : EVENTS) {
            assertThat(JsonMapper.shared().readTree(WatchFixture.line(event)))
                    .isEqualTo(JsonMapper.shared().readTree(WatchReport.json(event)));
        }
    }

    @Test
    void placeWithEscapesAndLineEndsIsOneLine() {
        var event =
                new WatchEvent.BottleneckChanged(
                        START,
                        "shop",
                        Optional.empty(),
                        new WatchedMinute.Named(Bottleneck.LOCK, "a\n\u001b[2Jb", 0.5));

        assertThat(WatchReport.line(event, ZoneOffset.UTC).lines()).hasSize(1);
        assertThat(WatchReport.line(event, ZoneOffset.UTC)).doesNotContain("\u001b");
        assertThat(WatchReport.json(event).lines()).hasSize(1);
    }
}
