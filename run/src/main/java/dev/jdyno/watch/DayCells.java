package dev.jdyno.watch;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.SkippedLines;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedDay;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Summarises the minutes of a day by cells of equal length, and by periods with one verdict.
final class DayCells {
    private static final Duration CELL = Duration.ofMinutes(WatchedDay.CELL_MINUTES);

    private DayCells() {}

    /// What was read of a day file.
    ///
    /// @param minutes in the order of their time, all of the day
    /// @param events in the order of their time, all of the day
    record Read(
            String service,
            LocalDate day,
            List<WatchedMinute> minutes,
            List<WatchEvent> events,
            SkippedLines skipped) {}

    static WatchedDay day(Read read) {
        List<WatchedMinute> minutes = read.minutes();
        Instant begin = read.day().atStartOfDay().toInstant(ZoneOffset.UTC);
        List<WatchedRange> cells = cells(read.service(), minutes);
        return new WatchedDay(
                read.service(),
                read.day(),
                minutes,
                read.events(),
                minutes.isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                RangeSummary.of(
                                        read.service(),
                                        begin,
                                        begin.plus(Duration.ofDays(1)),
                                        minutes)),
                cells,
                periods(cells, minutes),
                read.skipped().damaged(),
                read.skipped().leftOut());
    }

    /// The cells that have a minute, in the order of time. Each begins at a multiple of its length.
    private static List<WatchedRange> cells(String service, List<WatchedMinute> minutes) {
        SortedMap<Instant, List<WatchedMinute>> byCell = new TreeMap<>();
        for (WatchedMinute m : minutes) {
            byCell.computeIfAbsent(begin(m), _ -> new ArrayList<>()).add(m);
        }
        return byCell.entrySet().stream()
                .map(e -> RangeSummary.of(service, e.getKey(), e.getKey().plus(CELL), e.getValue()))
                .toList();
    }

    private static Instant begin(WatchedMinute minute) {
        long s = minute.at().getEpochSecond();
        return Instant.ofEpochSecond(s - Math.floorMod(s, CELL.toSeconds()));
    }

    /// Summaries of consecutive cells whose longest verdict is the same.
    private static List<WatchedRange> periods(
            List<WatchedRange> cells, List<WatchedMinute> minutes) {
        List<WatchedRange> periods = new ArrayList<>();
        int next = 0;
        while (next < cells.size()) {
            WatchedRange first = cells.get(next);
            Instant end = first.to();
            next++;
            while (next < cells.size()
                    && cells.get(next).from().equals(end)
                    && longest(cells.get(next)) == longest(first)) {
                end = cells.get(next).to();
                next++;
            }
            periods.add(
                    RangeSummary.of(
                            first.service(),
                            first.from(),
                            end,
                            RangeSummary.within(minutes, first.from(), end)));
        }
        return periods;
    }

    private static Bottleneck longest(WatchedRange cell) {
        return cell.verdicts().getFirst().bottleneck();
    }
}
