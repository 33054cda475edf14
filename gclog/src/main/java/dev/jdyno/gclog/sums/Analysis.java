package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.PhaseTotal;
import dev.jdyno.gclog.event.Setup;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcFacts;
import dev.jdyno.measure.gc.GcLogFigures;
import dev.jdyno.measure.gc.GcSetting;
import dev.jdyno.measure.gc.ShenandoahCycle;
import dev.jdyno.measure.gc.YoungCopy;
import dev.jdyno.measure.gc.ZgcYoung;
import dev.jdyno.measure.load.Incomplete;
import dev.jdyno.measure.statistics.Trend;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// All that one log says, added up: what diagnoses, reports and the heap model read. Its size does
/// not depend on the log's.
///
/// @param source the files it was read from
/// @param generational whether ZGC or Shenandoah ran in their generational mode
/// @param spanS seconds from the first stamp to the last; 0 when the log has no stamps
/// @param incomplete its compressed files that were not read to their end
/// @param events how many of each kind, by the keys of {@link PauseKind} and `concurrent`, `minor`,
///   `major`; young counts every young collection
/// @param pauses all stops by the collector, each once
/// @param stopped where the application's standstill went
/// @param allocBytesPerS empty when fewer than two collections tell a heap
/// @param causes by count, most frequent first
/// @param zgcYoung young collections of generational ZGC, the first some thousand
/// @param zgcYoungLogged how many of these the log showed, kept or not
/// @param shenandoahCycles those that ran to their end, the first some thousand
/// @param shenandoahCyclesLogged how many of these the log showed, kept or not
/// @param phases of pauses and of concurrent work, largest total first
/// @param cyclesBusyS seconds in which at least one collection ran beside the application
/// @param series collections in order, thinned when there are many
/// @param timeline sums over at most 256 equal slices of the log
/// @param pauseBins how many pauses were how long
public record Analysis(
        String source,
        Collector collector,
        boolean generational,
        Setup setup,
        double spanS,
        OptionalLong startEpochMs,
        Lines lines,
        List<Incomplete> incomplete,
        Map<String, Long> events,
        Distribution pauses,
        Map<PauseKind, Distribution> pausesByKind,
        double pausesAboveGoal,
        double pauseGoalMs,
        Stopped stopped,
        Heap heap,
        Optional<Double> allocBytesPerS,
        Optional<Double> promotedBytesPerS,
        double allocatedBytes,
        double promotedBytes,
        Ages ages,
        Survivors survivors,
        Optional<Copying> copying,
        List<ZgcYoung> zgcYoung,
        long zgcYoungLogged,
        List<ShenandoahCycle> shenandoahCycles,
        long shenandoahCyclesLogged,
        List<CauseTotal> causes,
        Map<Trouble, Sightings> troubles,
        List<PhaseTotal> phases,
        List<SafepointTotal> safepoints,
        Cpu cpu,
        Stalls stalls,
        double cyclesBusyS,
        int restarts,
        int clockBackwards,
        List<Point> series,
        List<Slice> timeline,
        List<GcLogFigures.PauseBin> pauseBins) {

    /// Collections that the figures of a run keep; a chart of this many is as fine as a screen.
    private static final int MOST_COLLECTIONS = 512;

    /// @param read lines whose figures were used
    /// @param skipped lines of the JVM's log that hold nothing used here
    /// @param foreign output of the application
    /// @param broken lines that look like a GC log's and could not be read
    /// @param joined line ends that are missing between two messages
    /// @param firstUnread the first three that were not understood
    public record Lines(
            long total,
            long read,
            long skipped,
            long foreign,
            long broken,
            long joined,
            List<Unread> firstUnread) {
        public Lines {
            firstUnread = List.copyOf(firstUnread);
        }

        public long unread() {
            return foreign + broken;
        }

        /// Share of lines that look like a GC log's and could not be read.
        public double brokenShare() {
            long ours = read + skipped + broken;
            return ours == 0 ? 0 : (double) broken / ours;
        }
    }

    public record Unread(long line, String text) {}

    /// The "application stopped" budget, in ms.
    ///
    /// @param gcMs pauses of the collector
    /// @param otherMs safepoints that were no GC pause, and what getting into and out of GC pauses
    ///   cost; only as complete as the log's safepoint lines
    /// @param stallsMs thread-time spent waiting for memory, which is no pause
    /// @param reachingMs part of `otherMs`: time to safepoint
    /// @param leavingMs part of `otherMs`
    /// @param safepointsLogged whether the log has safepoint lines at all
    /// @param worst the worst window of each length
    public record Stopped(
            double gcMs,
            double otherMs,
            double stallsMs,
            double reachingMs,
            double leavingMs,
            boolean safepointsLogged,
            List<WorstWindow> worst) {
        public Stopped {
            worst = List.copyOf(worst);
        }

        /// All stops of the application, for the collector or not.
        public double allMs() {
            return gcMs + otherMs;
        }

        /// Part of `otherMs`: operations that are no collection, and waking the threads again.
        public double operationsMs() {
            return Math.max(0, otherMs - reachingMs);
        }
    }

    /// Percent of the log's span that a time takes; 0 in a log without a span.
    public double spanPct(double ms) {
        // the span ends with a stamp, which may be that of a stop's begin
        return spanS <= 0 ? 0 : Math.min(100, ms / 10 / spanS);
    }

    /// The window of `seconds` in which the application stood still the longest.
    public record WorstWindow(double seconds, double stoppedPct, double endS, long line) {
        /// Minimum mutator utilisation: what the application had of this window.
        public double mmuPct() {
            return 100 - stoppedPct;
        }
    }

    /// @param maxBytes -Xmx by the log's head, or else the largest capacity seen
    /// @param maxIsStated whether the head states it
    /// @param liveBytes the live set at the end; empty when nothing tells it
    /// @param liveIsUpperBound whether no old collection ran, so that it may be smaller
    /// @param floors what old collections left, over time
    /// @param youngBytes mean size of the young generation when collected
    /// @param promotedMostBytes what the one young collection promoted that promoted most
    /// @param meanCapacityBytes mean of its size at collections
    /// @param capacityChanges times the capacity changed
    public record Heap(
            Optional<Double> maxBytes,
            boolean maxIsStated,
            Optional<Double> liveBytes,
            boolean liveIsUpperBound,
            List<Floor> floors,
            Optional<Trend> trend,
            Optional<Double> youngBytes,
            Optional<Double> oldCapacityBytes,
            Optional<Double> oldUsedBytes,
            long promotedMostBytes,
            long promotedMostLine,
            long highestBytes,
            long lowestCapacityBytes,
            long highestCapacityBytes,
            Optional<Double> meanCapacityBytes,
            long capacityChanges,
            long humongousMaxBytes,
            long humongousMaxLine,
            Optional<Metaspace> metaspace,
            Optional<SlowFull> slowestFull,
            Optional<FailedWithRoom> failedWithRoom) {
        public Heap {
            floors = List.copyOf(floors);
        }

        /// Share of the largest size below which the heap has not grown up to it.
        private static final double GROWN = 0.8;

        /// The heap that the run had: its largest size, or, where it stayed far below, its mean
        /// one.
        public Optional<Double> sizeBytes() {
            return meanCapacityBytes
                    .filter(mean -> mean < GROWN * maxBytes.orElse(0.0))
                    .or(() -> maxBytes);
        }

        /// The floors of which `trend` was taken: those before the heap was full for good.
        public List<Floor> floorsUntilFull() {
            return FloorTrend.untilFull(floors, maxBytes.orElse(0.0));
        }
    }

    /// Concurrent mode failures of CMS at which old had room for all of the young generation.
    ///
    /// @param oldShare of old in use, the largest of them
    public record FailedWithRoom(long count, double oldShare, long line) {}

    /// The full collection that went through what was in the heap most slowly, of the long ones.
    public record SlowFull(long bytes, double ms, long line) {
        public double bytesPerS() {
            return bytes / ms * 1000;
        }
    }

    /// @param full left by a full collection, which leaves nothing dead
    public record Floor(double atS, long bytes, long line, boolean full) {}

    /// @param halfwayBytes after the first collection of the log's later half, about
    public record Metaspace(
            long firstBytes, long halfwayBytes, long lastBytes, long highestBytes) {}

    /// Survivor statistics.
    ///
    /// @param lowered collections whose new threshold was below the maximum
    /// @param ageOneAbove collections with more age-1 bytes than the desired survivor size
    /// @param overflowed collections that left a survivor space full
    /// @param tables collections with an age table
    /// @param meanBytes mean bytes of each age, index 0 is age 1
    /// @param survival share of an age that lives on to the next, index 0 is age 1 to 2
    public record Ages(
            long collections,
            Sightings lowered,
            Sightings ageOneAbove,
            Sightings overflowed,
            double desiredBytes,
            int lowestThreshold,
            int maxThreshold,
            long tables,
            List<Double> meanBytes,
            List<Double> survival) {
        public Ages {
            meanBytes = List.copyOf(meanBytes);
            survival = List.copyOf(survival);
        }
    }

    /// What young collections left in the young generation.
    ///
    /// @param collections that told their young generation
    /// @param mostBytes the most that one left
    /// @param full collections that left as much as that, to a few KiB, and promoted
    public record Survivors(long collections, long mostBytes, Sightings full) {}

    /// What young collections found and copied; medians, so that a start that builds the live set
    /// does not count.
    ///
    /// @param collections that told their young generation
    /// @param edenBytes allocated before each
    /// @param survivedBytes in survivor spaces after each
    /// @param promotedBytes by each
    /// @param copiedBytes by each, to survivor spaces and into old
    /// @param copiedTotalBytes by all
    /// @param pauseMs mean of the later half's
    /// @param single some of them in order, evenly spread over the log
    public record Copying(
            long collections,
            double edenBytes,
            double survivedBytes,
            double promotedBytes,
            double copiedBytes,
            double copiedTotalBytes,
            double pauseMs,
            List<YoungCopy> single) {
        public Copying {
            single = List.copyOf(single);
        }
    }

    public record CauseTotal(
            PauseKind kind,
            String cause,
            long count,
            double totalMs,
            double maxMs,
            List<Long> lines) {
        public CauseTotal {
            lines = List.copyOf(lines);
        }
    }

    /// One VM operation. `ofGc` when a GC pause ran inside.
    public record SafepointTotal(
            String operation,
            boolean ofGc,
            long count,
            double totalMs,
            double maxMs,
            double maxReachingMs,
            long maxLine) {}

    /// CPU of the pauses that tell it.
    ///
    /// @param starved pauses whose wall time was far above CPU time per thread
    /// @param starvedUserS CPU of these
    /// @param starvedSystemS of these, in the kernel
    /// @param systemHeavy pauses with more kernel than user time
    public record Cpu(
            long pauses,
            double userS,
            double systemS,
            double realS,
            Sightings starved,
            double starvedUserS,
            double starvedSystemS,
            Sightings systemHeavy) {}

    public record Stalls(long count, double totalMs, double maxMs, List<Long> lines) {
        public Stalls {
            lines = List.copyOf(lines);
        }
    }

    /// One collection, or several merged into one point. Sizes are 0 when the log does not say.
    public record Point(
            double atS,
            String kind,
            double pauseMs,
            long beforeBytes,
            long afterBytes,
            long capacityBytes,
            long promotedBytes,
            long line,
            int merged) {
        GcLogFigures.Collection collection() {
            return new GcLogFigures.Collection(
                    atS, kind, pauseMs, beforeBytes, afterBytes, capacityBytes);
        }
    }

    /// What happened in one slice of the log.
    ///
    /// @param fromS its begin; it lasts `seconds`
    /// @param stallMs thread time
    /// @param ageBytes mean bytes of each age in the slice's tables, age 1 first; empty without one
    /// @param phaseMs of the pauses' phases that take longest over the whole log, those first, and
    ///   `others`
    /// @param besideMs the same of work beside the application
    public record Slice(
            double fromS,
            double seconds,
            double allocatedBytes,
            double promotedBytes,
            double pauseMs,
            double otherMs,
            double stallMs,
            List<Double> ageBytes,
            Map<String, Double> phaseMs,
            Map<String, Double> besideMs) {
        public Slice {
            ageBytes = List.copyOf(ageBytes);
            phaseMs = Collections.unmodifiableMap(new LinkedHashMap<>(phaseMs));
            besideMs = Collections.unmodifiableMap(new LinkedHashMap<>(besideMs));
        }
    }

    public Analysis {
        incomplete = List.copyOf(incomplete);
        timeline = List.copyOf(timeline);
        pauseBins = List.copyOf(pauseBins);
        events = Map.copyOf(events);
        pausesByKind = Map.copyOf(pausesByKind);
        causes = List.copyOf(causes);
        troubles = Map.copyOf(troubles);
        phases = List.copyOf(phases);
        safepoints = List.copyOf(safepoints);
        series = List.copyOf(series);
    }

    /// What rules compare with the limits of a collector, as a run's counters tell it, too.
    public GcFacts facts() {
        Map<String, Long> collections = new HashMap<>();
        causes.stream()
                .filter(c -> c.kind().collects())
                .forEach(c -> collections.merge(c.cause(), c.count(), Long::sum));
        return new GcFacts(
                spanPct(pauses.total()) / 100,
                allocatedBytes > 0 ? Optional.of(promotedBytes / allocatedBytes) : Optional.empty(),
                Optional.of(
                        GcFacts.Started.of(
                                collections,
                                collector.isPauseless() ? count("concurrent") : 0,
                                trouble(Trouble.ASKED_CYCLE).count())));
    }

    /// What advice depends on beside the fault, as a run knows it of its target, too.
    public GcSetting setting() {
        Optional<Double> max = heap.maxBytes();
        OptionalLong memory = setup.physicalBytes();
        return new GcSetting(
                collector,
                setup.release(),
                setup.cpus(),
                memory.isPresent() ? Optional.of((double) memory.getAsLong()) : Optional.empty(),
                collector.isPauseless() ? max : heap.sizeBytes(),
                max,
                heap.liveBytes(),
                heap.youngBytes(),
                setup.regionBytes(),
                setup.concurrentWorkers(),
                setup.flags());
    }

    /// The part of it that a result of a run keeps.
    public GcLogFigures figures() {
        var thinned = new Series(MOST_COLLECTIONS);
        series.forEach(thinned::add);
        return new GcLogFigures(
                spanS,
                heap.liveBytes(),
                heap.liveIsUpperBound(),
                new GcLogFigures.Pauses(
                        pauses.count(),
                        pauses.total(),
                        pauses.p50(),
                        pauses.p90(),
                        pauses.p99(),
                        pauses.max()),
                thinned.finish().stream().map(Point::collection).toList(),
                pauseBins,
                Optional.empty());
    }

    /// All collections of the series.
    public List<GcLogFigures.Collection> collections() {
        return series.stream().map(Point::collection).toList();
    }

    public long count(String kind) {
        return events.getOrDefault(kind, 0L);
    }

    public Sightings trouble(Trouble t) {
        return troubles.getOrDefault(t, Sightings.NONE);
    }

    /// CPU time of the pauses that tell it, as a share of the span on all CPUs, in percent; empty
    /// when the log has no such times or does not say how many CPUs there are.
    public Optional<Double> gcCpuPct() {
        return spanS <= 0 || cpu.pauses() == 0 || setup.cpus().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        100 * (cpu.userS() + cpu.systemS()) / spanS / setup.cpus().getAsInt());
    }

    /// Hours until promotion has filled what the live set leaves of old (F10); empty for collectors
    /// that collect old beside the application, and when the log does not tell both.
    public Optional<Double> hoursToFull() {
        if (!collector.hasContiguousGenerations()
                || promotedBytesPerS.orElse(0.0) <= 0
                || heap.oldCapacityBytes().isEmpty()) {
            return Optional.empty();
        }
        double room = heap.oldCapacityBytes().get() - heap.liveBytes().orElse(0.0);
        return Optional.of(Math.max(0, room) / promotedBytesPerS.get() / 3600);
    }

    /// Whether any collection, or any work beside the application, stands in the log.
    public boolean hasCollections() {
        return pauses.count() > 0 || events.values().stream().anyMatch(n -> n > 0);
    }

    /// Share of the span in which the application ran, as far as the collector let it, in percent;
    /// empty when the log has no stamps.
    public Optional<Double> throughputPct() {
        return spanS <= 0
                ? Optional.empty()
                : Optional.of(Math.max(0, 100 * (1 - pauses.total() / 1000 / spanS)));
    }
}
