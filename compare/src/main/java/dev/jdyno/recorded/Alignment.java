package dev.jdyno.recorded;

import dev.jdyno.measure.text.Texts;
import dev.jdyno.recorded.FoundRecords.Flight;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The time that the files have in common, and the files that belong to it. Thread dumps decide if
/// there are any, else flight recordings, else GC logs. A recording of another time shows nothing
/// about these requests.
///
/// @param time empty if no file has wall-clock times
/// @param seconds its length
/// @param missing files that are not used, with the reason
record Alignment(
        Optional<TimeSpan> time,
        double seconds,
        List<Flight> flights,
        List<FoundRecords.Collections> gcLogs,
        List<String> missing) {
    /// Minimum length of the time around the dumps. Dumps of a few seconds are diagnosed with the
    /// minute around them.
    private static final double LEAST_S = 60;

    /// Minimum common time for which two files belong to the same time.
    private static final double COMMON_S = 2;

    Alignment {
        flights = List.copyOf(flights);
        gcLogs = List.copyOf(gcLogs);
        missing = List.copyOf(missing);
    }

    static Alignment of(FoundRecords found, DumpSeries series) {
        List<String> missing = new ArrayList<>();
        series.otherZone()
                .ifPresent(z ->
                        missing.add(
                                "time zone of the thread dumps: taken as UTC"
                                        + (z.getTotalSeconds() == 0 ? "" : z.getId())
                                        + ", for so they are of the time of the other files"));
        missing.addAll(series.otherJvms());
        Optional<TimeSpan> dumps = series.span().map(s -> s.atLeast(LEAST_S));
        Optional<TimeSpan> time = dumps;
        List<Flight> flights = new ArrayList<>();
        for (Flight f : found.flights()) {
            Optional<TimeSpan> common = common(time, f.span());
            if (!OneJvm.isSame(series.jvmStart(), f.jvm().started())) {
                missing.add(f.file() + ": not used, it is of another JVM than the thread dumps");
            } else if (common.isPresent()) {
                flights.add(f);
                time = common;
            } else {
                missing.add(otherTime(f.file()));
            }
        }
        List<FoundRecords.Collections> gcLogs = new ArrayList<>();
        for (FoundRecords.Collections g : found.gcLogs()) {
            if (!gcLogs.isEmpty()) {
                missing.add(g.file() + ": not used, one GC log is read at a time");
                continue;
            }
            Optional<TimeSpan> its = g.events().span();
            Optional<TimeSpan> common = common(time, its);
            if (common.isPresent()) {
                gcLogs.add(g);
                time = common;
            } else if (time.isEmpty()) {
                // no wall clock in any file: the log's own time counts
                gcLogs.add(g);
            } else {
                missing.add(its.isEmpty() ? noClock(g.file()) : otherTime(g.file()));
            }
        }
        double seconds =
                time.map(TimeSpan::seconds)
                        .orElseGet(() ->
                                gcLogs.stream()
                                        .mapToDouble(g -> g.events().seconds())
                                        .max()
                                        .orElse(0));
        return new Alignment(time, Math.max(1, seconds), flights, gcLogs, missing);
    }

    private static Optional<TimeSpan> common(Optional<TimeSpan> time, Optional<TimeSpan> its) {
        return time.isEmpty()
                ? its
                : its.flatMap(time.get()::and).filter(c -> c.seconds() >= COMMON_S);
    }

    private static String otherTime(String file) {
        return Texts.say("%s: not used, it is of another time than the other files", file);
    }

    private static String noClock(String file) {
        return Texts.say(
                "%s: not used, its lines have no dates and no thread dump says when the JVM started;"
                        + " log with -Xlog:gc*:file=gc.log:time,uptime,level,tags",
                file);
    }
}
