package dev.jdyno.observe.stages;

import dev.jdyno.measure.thread.StageTimes.Stage;
import dev.jdyno.observe.jfr.FlightStack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;

/// The JVM's counters of timed methods (`jdk.MethodTiming`, JEP 520), read at ticks. Each event
/// contains everything since the instrumentation. Counts and means of an interval are differences.
/// The minimum and maximum of an interval are known only if they are outside the range of all
/// earlier calls.
final class StageCounters {
    static final String FROM = "jdk.MethodTiming";

    /// Everything since the instrumentation; a time is empty if the clock is too coarse for it.
    private record Sum(
            long count, Optional<Double> totalMs, Optional<Double> minMs, Optional<Double> maxMs) {
        static final Sum NONE = new Sum(0, Optional.of(0.0), Optional.empty(), Optional.empty());

        /// The sum of two overloads.
        Sum plus(Sum other) {
            if (count == 0 || other.count == 0) {
                return count == 0 ? other : this;
            }
            return new Sum(
                    count + other.count,
                    totalMs.flatMap(a -> other.totalMs.map(b -> a + b)),
                    minMs.flatMap(a -> other.minMs.map(b -> Math.min(a, b))),
                    maxMs.flatMap(a -> other.maxMs.map(b -> Math.max(a, b))));
        }
    }

    private record Overload(String method, String descriptor) {}

    private final Map<Overload, TreeMap<Double, Sum>> sums = new HashMap<>();
    private final TreeSet<Double> ticks = new TreeSet<>();
    private final double slack;

    /// @param every time between two ticks
    StageCounters(Duration every) {
        this.slack = every.toNanos() / 1e9 / 2;
    }

    /// @param atS seconds since the window began
    void add(RecordedEvent event, double atS) {
        RecordedMethod method = event.getValue("method");
        long count = event.getLong("invocations");
        Double before = ticks.floor(atS);
        if (before == null || atS - before > slack) {
            ticks.add(atS);
        }
        sums.computeIfAbsent(
                        new Overload(FlightStack.name(method), method.getDescriptor()),
                        _ -> new TreeMap<>())
                .put(
                        atS,
                        // without a call the times are not numbers
                        count == 0
                                ? Sum.NONE
                                : new Sum(
                                        count,
                                        ms(event, "average").map(mean -> mean * count),
                                        ms(event, "minimum"),
                                        ms(event, "maximum")));
    }

    private static Optional<Double> ms(RecordedEvent event, String field) {
        return event.getLong(field) == Long.MIN_VALUE
                ? Optional.empty()
                : Optional.of(event.getDuration(field).toNanos() / 1e6);
    }

    /// The ticks nearest to the wanted ends of intervals, and the last tick.
    List<Double> ends(List<Double> wanted) {
        List<Double> ends = new ArrayList<>();
        for (double end : wanted) {
            Double below = ticks.floor(end);
            Double above = ticks.ceiling(end);
            boolean later = below == null || (above != null && above - end < end - below);
            Double nearest = later ? above : below;
            if (nearest != null && (ends.isEmpty() || nearest > ends.getLast())) {
                ends.add(nearest);
            }
        }
        return ends;
    }

    /// Calls per second of each method until the last tick; 0 if it was not called.
    Map<String, Double> rates(List<String> methods) {
        Map<String, Double> rates = new HashMap<>();
        if (!ticks.isEmpty()) {
            double seconds = ticks.last();
            methods.forEach(m -> rates.put(m, stage(m, 0, seconds).count() / seconds));
        }
        return rates;
    }

    private Sum at(String method, double atS) {
        return sums.entrySet().stream()
                .filter(e -> e.getKey().method().equals(method))
                .map(e -> e.getValue().floorEntry(atS + slack))
                .filter(e -> e != null)
                .map(Entry::getValue)
                .reduce(Sum.NONE, Sum::plus);
    }

    /// The calls that ended between two ticks; 0 is the time of the instrumentation.
    Stage stage(String tag, double fromS, double toS) {
        Sum before = fromS <= 0 ? Sum.NONE : at(tag, fromS);
        Sum after = at(tag, toS);
        long count = after.count() - before.count();
        if (count <= 0) {
            return Stage.notCalled(tag);
        }
        return new Stage(
                tag,
                count,
                after.totalMs().flatMap(a -> before.totalMs().map(b -> (a - b) / count)),
                after.minMs().filter(m -> before.count() == 0 || isLess(m, before.minMs())),
                after.maxMs().filter(m -> before.count() == 0 || isMore(m, before.maxMs())),
                Optional.empty(),
                FROM);
    }

    private static boolean isLess(double ms, Optional<Double> before) {
        return before.filter(b -> ms < b).isPresent();
    }

    private static boolean isMore(double ms, Optional<Double> before) {
        return before.filter(b -> ms > b).isPresent();
    }
}
