package dev.jdyno.recorded;

import dev.jdyno.measure.text.Texts;
import dev.jdyno.recorded.FoundRecords.Flight;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The time that the files have in common, and the files that belong to it. Thread dumps decide if
/// there are any, else flight recordings, else GC logs. A recording of another time shows nothing
/// about these requests.
///
/// @param time empty if no file has wall-clock times
/// @param seconds length of that time in seconds
/// @param missing files that are not used, with the reason
record Alignment(
        Optional<TimeSpan> time,
        double seconds,
        List<Flight> flights,
        List<FoundRecords.Collections> gcLogs,
        List<String> missing) {
    /// Minimum length of the time around the dumps. Dumps of a few seconds are diagnosed with the
    /// minute around them.
    private static final double MIN_S = 60;

    /// Minimum overlap with which two files belong to the same time.
    private static final double COMMON_S = 2;

    /// Minimum time of a log for rates of collections. In a shorter time, each pause is a single
    /// event.
    static final double RATE_S = 5;

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
        Optional<TimeSpan> dumps = series.span().map(s -> s.atLeast(MIN_S));
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
            Optional<TimeSpan> common = commonOfLog(time, its);
            if (common.isPresent()) {
                gcLogs.add(g);
                // a log that is too short for rates still shows the collector and the heap, but
                // does not shorten the time
                boolean narrows = time.isEmpty() || common.get().seconds() >= RATE_S;
                time = narrows ? common : time;
            } else if (time.isEmpty()) {
                // no file has wall-clock times, so the log's own time is used
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

    /// The common part; for a log that is shorter than {@link #COMMON_S}, the whole log.
    private static Optional<TimeSpan> commonOfLog(Optional<TimeSpan> time, Optional<TimeSpan> its) {
        return common(time, its)
                .or(() ->
                        time.filter(t -> its.filter(i -> t.and(i).equals(its)).isPresent())
                                .flatMap(_ -> its));
    }

    /// The time to which a single dump belongs.
    static TimeSpan around(Instant dump) {
        return new TimeSpan(dump, dump).atLeast(MIN_S);
    }

    /// Seconds of the diagnosed time for which this log has events.
    double secondsOf(FoundRecords.Collections log) {
        return time.isEmpty()
                ? log.events().seconds()
                : log.events().span().flatMap(time.get()::and).map(TimeSpan::seconds).orElse(0.0);
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
