package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchedDay;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.watch.WatchFixture;
import dev.jdyno.watch.WatchedDays;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchDayPageTest {
    private static final LocalDate DAY = LocalDate.of(2026, 11, 30);

    @TempDir Path folder;

    private WatchDayPage page() throws IOException {
        return new WatchDayPage(
                new WatchedDays(WatchFixture.write(folder.resolve("watch"))).day("shop", DAY),
                Optional.of(DAY.minusDays(1)),
                Optional.empty(),
                "test");
    }

    @Test
    void cellsStandAtTheirTimeInTheColourOfTheirVerdict() throws IOException {
        // 14:00 is the 168th cell of a day
        assertThat(page().cells())
                .extracting(WatchDayPage.Cell::x, WatchDayPage.Cell::colour)
                .containsExactly(
                        tuple(168L, "--b-load"),
                        tuple(169L, "--b-load"),
                        tuple(170L, "--b-connection-pool"),
                        tuple(171L, "--b-connection-pool"),
                        tuple(172L, "--b-cpu"),
                        tuple(173L, "--b-cpu"),
                        tuple(186L, "--b-load"),
                        tuple(187L, "--b-load"));
        assertThat(page().cells().getFirst().link())
                .isEqualTo("range?service=shop&from=2026-11-30T14:00:00Z&to=2026-11-30T14:05:00Z");
        assertThat(page().width()).isEqualTo(288);
    }

    @Test
    void marksAreOfEventsThatAreNoCells() throws IOException {
        // gone at 14:30:30, restarted at 15:30
        assertThat(page().marks())
                .extracting(WatchDayPage.Mark::x)
                .containsExactly("174.10", "186.00");
    }

    @Test
    void legendHasTheBottlenecksOfTheDayTheLongestFirst() throws IOException {
        assertThat(page().legend())
                .extracting(WatchedRange.Share::bottleneck, WatchedRange.Share::minutes)
                .containsExactly(
                        tuple(Bottleneck.LOAD, 20),
                        tuple(Bottleneck.CPU, 10),
                        tuple(Bottleneck.CONNECTION_POOL, 10));
    }

    @Test
    void chartsHaveEachMinuteThatHasTheFigure() throws IOException {
        assertThat(page().charts())
                .extracting(Figure::id, f -> f.chart().series().getFirst().points().size())
                .containsExactly(tuple("load", 40), tuple("cpu", 40), tuple("headroom", 20));
        Chart.Point first =
                page().charts().getFirst().chart().series().getFirst().points().getFirst();
        assertThat(first.x()).isCloseTo(14 + 0.5 / 60, within(1e-9));
        assertThat(first.y()).isEqualTo(100);
        assertThat(page().missing()).isEmpty();
    }

    @Test
    void figuresThatNoMinuteHasAreNamed() throws IOException {
        Path file = folder.resolve("shop-2026-11-30.jsonl");
        Files.writeString(
                file,
                WatchFixture.minute(0)
                        .line()
                        .replaceFirst("\"requests\":\\{[^}]*}", "\"requests\":null"));
        var page =
                new WatchDayPage(
                        new WatchedDays(folder).day("shop", DAY),
                        Optional.empty(),
                        Optional.empty(),
                        "test");

        assertThat(page.charts()).isEmpty();
        assertThat(page.missing()).hasSize(3);
    }

    @Test
    void everyBottleneckHasAColourOfItsOwn() {
        List<String> colours =
                Stream.of(Bottleneck.values())
                        .map(b -> Assets.colour(WatchDayPage.colour(b)))
                        .toList();

        assertThat(colours).doesNotHaveDuplicates();
    }

    @Test
    void rangeNamesTheNextTimesOfItsDay() throws IOException {
        WatchedDay day = page().day();
        var times = new DayTimes("shop", DAY);
        var where = new WatchRangePage.Where("a b", ZoneId.of("Asia/Tokyo"));
        var last =
                new WatchRangePage(
                        day,
                        times.end().minusSeconds(300),
                        times.end(),
                        Optional.empty(),
                        where,
                        "test");

        assertThat(last.later()).isEmpty();
        assertThat(last.earlier())
                .contains("range?service=shop&from=2026-11-30T23:50:00Z&to=2026-11-30T23:55:00Z");
        assertThat(last.command())
                .contains("jdyno diagnose --at 2026-12-01T08:55..2026-12-01T09:00 --from 'a b'");
        assertThat(last.title()).contains("23:55–24:00");
    }
}
