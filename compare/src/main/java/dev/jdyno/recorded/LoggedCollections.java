package dev.jdyno.recorded;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcCauses;
import dev.jdyno.measure.gc.GcDetail;
import dev.jdyno.measure.gc.RequestedCollections;
import dev.jdyno.measure.statistics.Trend;
import dev.jdyno.measure.thread.ThreadCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A part of a GC log, converted to the counters that a JVM has.
final class LoggedCollections implements Consumer<GcEvent> {
    /// Maximum number of events: 100 hours at three collections a second.
    private static final int MAX = 1_000_000;

    /// Names of stops for tools that inspected the JVM.
    private static final Set<String> INSPECTION_STOPS =
            Set.of("PrintThreads", "ThreadDump", "FindDeadlocks", "PrintJNI");

    private final List<GcEvent.Pause> pauses = new ArrayList<>();
    private final List<GcEvent.Cycle> cycles = new ArrayList<>();
    private final List<GcEvent.SafepointStop> stops = new ArrayList<>();
    private final List<GcEvent.Stall> stalls = new ArrayList<>();
    private Optional<Instant> jvmStart = Optional.empty();
    private double firstS = Double.POSITIVE_INFINITY;
    private double lastS;
    private boolean epoch;
    private boolean restarted;
    private boolean cut;

    /// Sets the time when the JVM began to start, for a log without dates.
    void startedAt(Instant start) {
        if (jvmStart.isEmpty()) {
            jvmStart = Optional.of(start);
        }
    }

    @Override
    public void accept(GcEvent e) {
        if (pauses.size() + cycles.size() + stops.size() + stalls.size() >= MAX) {
            cut = true;
            return;
        }
        see(e.when());
        switch (e) {
            case GcEvent.Pause p -> {
                if (!p.nested()) {
                    pauses.add(p);
                }
            }
            case GcEvent.Cycle c -> cycles.add(c);
            case GcEvent.SafepointStop s -> stops.add(s);
            case GcEvent.Stall s -> stalls.add(s);
            case GcEvent.JvmStart _ -> restarted = true;
            case GcEvent.ConcurrentPhase _ -> {
                // concurrent phases do not stop the application
            }
        }
    }

    private void see(GcEvent.When when) {
        firstS = Math.min(firstS, when.uptimeS());
        lastS = Math.max(lastS, when.uptimeS());
        OptionalLong ms = when.epochMs();
        if (ms.isPresent()) {
            epoch = true;
            if (jvmStart.isEmpty()) {
                jvmStart =
                        Optional.of(
                                Instant.ofEpochMilli(ms.getAsLong())
                                        .minusNanos((long) (when.uptimeS() * 1e9)));
            }
        }
    }

    /// True if the log has dates of its own.
    boolean dated() {
        return epoch;
    }

    /// A note if there were more events than are stored, or several starts of a JVM in one log;
    /// else empty.
    Optional<String> doubt() {
        return cut
                ? Optional.of("of its events the first " + MAX + " are read")
                : restarted ? Optional.of("it is of several starts of a JVM") : Optional.empty();
    }

    /// Number of collections.
    long count() {
        return pauses.stream().filter(p -> p.kind().collects()).count() + cycles.size();
    }

    boolean isEmpty() {
        return pauses.isEmpty() && cycles.isEmpty() && stops.isEmpty();
    }

    /// Time from the first to the last event of the log; empty if wall-clock times are unknown.
    Optional<TimeSpan> span() {
        return jvmStart.filter(_ -> lastS > firstS)
                .map(s -> new TimeSpan(at(s, firstS), at(s, lastS)));
    }

    /// Seconds from the first to the last event of the log.
    double seconds() {
        return Math.max(0, lastS - firstS);
    }

    private static Instant at(Instant start, double uptimeS) {
        return start.plusNanos((long) (uptimeS * 1e9));
    }

    /// True for an event in the period; true for all events if no period is given.
    private Predicate<GcEvent> in(Optional<TimeSpan> time) {
        if (time.isEmpty() || jvmStart.isEmpty()) {
            return _ -> true;
        }
        double from = Duration.between(jvmStart.get(), time.get().from()).toNanos() / 1e9;
        double to = Duration.between(jvmStart.get(), time.get().to()).toNanos() / 1e9;
        return e -> e.when().uptimeS() >= from && e.when().uptimeS() < to;
    }

    /// @param time empty for the whole log
    GcActivity activity(Optional<TimeSpan> time, double seconds) {
        List<GcEvent.Pause> then = pauses.stream().filter(in(time)).toList();
        List<GcEvent.Cycle> concurrentCycles = cycles.stream().filter(in(time)).toList();
        Map<String, Long> causes = new HashMap<>();
        then.stream()
                .filter(p -> p.kind().collects())
                .forEach(p -> causes.merge(p.cause(), 1L, Long::sum));
        Optional<GcEvent.Occupancy> old =
                then.reversed().stream().flatMap(p -> p.old().stream()).findFirst();
        return new GcActivity(
                count(then.stream().filter(p -> p.kind() != PauseKind.FULL && p.kind().collects())),
                count(then.stream().filter(p -> p.kind() == PauseKind.FULL)),
                then.stream().mapToDouble(GcEvent.Pause::ms).sum() / 1000 / seconds,
                allocated(then).map(b -> b / seconds),
                promoted(then).map(b -> b / seconds),
                Optional.empty(),
                old.map(o -> (double) o.afterBytes()),
                old.filter(o -> o.capacityBytes().isPresent())
                        .map(o -> (double) o.capacityBytes().getAsLong()),
                Optional.of(
                        new GcDetail(
                                then.stream().mapToDouble(GcEvent.Pause::ms).max().orElse(0),
                                causes,
                                stalls.stream()
                                                .filter(in(time))
                                                .mapToDouble(GcEvent.Stall::ms)
                                                .sum()
                                        / 1000
                                        / seconds,
                                afterFull(then))),
                new GcActivity.Why(
                        causes,
                        concurrentCycles.size(),
                        then.stream()
                                .flatMap(p -> p.old().stream())
                                .map(o -> (double) o.afterBytes())
                                .min(Comparator.naturalOrder()),
                        Optional.empty()));
    }

    /// The requested collections of the period.
    ///
    /// @param time empty for the whole log
    RequestedCollections requested(Optional<TimeSpan> time) {
        List<GcEvent.Pause> then =
                pauses.stream()
                        .filter(in(time))
                        .filter(p -> p.kind().collects() && GcCauses.isAsked(p.cause()))
                        .toList();
        Map<String, Long> causes = new HashMap<>();
        then.forEach(p -> causes.merge(p.cause(), 1L, Long::sum));
        return new RequestedCollections(
                count(then.stream().filter(p -> p.kind() != PauseKind.FULL)),
                count(then.stream().filter(p -> p.kind() == PauseKind.FULL)),
                causes);
    }

    private static GcActivity.Count count(Stream<GcEvent.Pause> of) {
        List<GcEvent.Pause> all = of.toList();
        return new GcActivity.Count(all.size(), all.stream().mapToDouble(GcEvent.Pause::ms).sum());
    }

    /// Bytes allocated between collections: the sum of the heap's growth from each collection to
    /// the next. Empty if fewer than two collections have heap sizes.
    private static Optional<Double> allocated(List<GcEvent.Pause> pauses) {
        double bytes = 0;
        Optional<GcEvent.Occupancy> last = Optional.empty();
        boolean any = false;
        for (GcEvent.Pause p : pauses) {
            if (p.heap().isEmpty() || !p.kind().collects()) {
                continue;
            }
            if (last.isPresent()) {
                bytes += Math.max(0, p.heap().get().beforeBytes() - last.get().afterBytes());
                any = true;
            }
            last = p.heap();
        }
        return any ? Optional.of(bytes) : Optional.empty();
    }

    private static Optional<Double> promoted(List<GcEvent.Pause> pauses) {
        return pauses.stream().anyMatch(p -> p.promotedBytes().isPresent())
                ? Optional.of(pauses.stream().mapToDouble(p -> p.promotedBytes().orElse(0)).sum())
                : Optional.empty();
    }

    private static List<Trend.Point> afterFull(List<GcEvent.Pause> pauses) {
        return pauses.stream()
                .filter(p -> p.kind() == PauseKind.FULL && p.heap().isPresent())
                .map(p ->
                        new Trend.Point(
                                p.when().uptimeS(), (double) p.heap().orElseThrow().afterBytes()))
                .toList();
    }

    /// Stops that were not for the collector, without those for thread dumps; empty if the log has
    /// no safepoint lines.
    Optional<ThreadCounts.Stops> stops(Optional<TimeSpan> time, double seconds) {
        List<GcEvent.SafepointStop> then =
                stops.stream()
                        .filter(in(time))
                        .filter(s -> !INSPECTION_STOPS.contains(s.operation()))
                        .toList();
        if (stops.isEmpty() || seconds <= 0) {
            return Optional.empty();
        }
        double others =
                then.stream()
                        .filter(s -> !isOfGc(s.operation()))
                        .mapToDouble(s -> s.totalMs() - s.collectingMs().orElse(0))
                        .sum();
        double reaching = then.stream().mapToDouble(GcEvent.SafepointStop::reachingMs).sum();
        return Optional.of(
                new ThreadCounts.Stops(
                        Math.max(0, others) / 1000 / seconds,
                        reaching / 1000 / seconds,
                        then.size() / seconds));
    }

    /// True for an operation of the collector: `G1CollectForAllocation`, `GenCollectFull`,
    /// `ParallelGCFailedAllocation`, `ZMarkEnd`, `ShenandoahInitMark`, `G1PauseRemark`.
    private static boolean isOfGc(String operation) {
        return operation.contains("Collect")
                || operation.contains("GC")
                || operation.startsWith("G1")
                || operation.startsWith("Z")
                || operation.startsWith("Shenandoah")
                || operation.startsWith("CMS");
    }
}
