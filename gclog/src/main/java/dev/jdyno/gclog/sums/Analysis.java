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

/// The analysis of one log, which diagnoses, reports and the heap model use. Its size does not
/// depend on the size of the log.
///
/// @param source the files of the log
/// @param generational true if ZGC or Shenandoah ran in generational mode
/// @param spanS seconds from the first stamp to the last; 0 if the log has no stamps
/// @param incomplete compressed files that were not read to their end
/// @param events number of events by kind, with the keys of {@link PauseKind} and `concurrent`,
///   `minor`, `major`; young counts every young collection
/// @param pauses all stops by the collector, each once
/// @param stopped the reasons why the application was stopped
/// @param allocBytesPerS empty if fewer than two collections show the heap
/// @param causes by count, most frequent first
/// @param zgcYoung the first few thousand young collections of generational ZGC
/// @param zgcYoungLogged number of these in the log, kept or not
/// @param shenandoahCycles the first few thousand complete cycles
/// @param shenandoahCyclesLogged number of these in the log, kept or not
/// @param phases phases of pauses and of concurrent work, largest total first
/// @param cyclesBusyS seconds in which at least one concurrent collection ran
/// @param series collections in order, thinned if there are many
/// @param timeline sums over at most 256 equal slices of the log
/// @param pauseBins number of pauses by length
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

    /// Maximum number of collections that a run's result keeps. More points would not be visible on
    /// a chart.
    private static final int MAX_COLLECTIONS = 512;

    /// @param read lines whose figures were used
    /// @param skipped lines of the JVM's log without figures that are used
    /// @param foreign output of the application
    /// @param broken lines that look like a GC log's but could not be read
    /// @param joined number of missing line ends between two messages
    /// @param firstUnread the first three unread lines
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

        /// Share of lines that look like a GC log's but could not be read.
        public double brokenShare() {
            long ours = read + skipped + broken;
            return ours == 0 ? 0 : (double) broken / ours;
        }
    }

    public record Unread(long line, String text) {}

    /// The "application stopped" budget, in ms.
    ///
    /// @param gcMs pauses of the collector
    /// @param otherMs safepoints that were no GC pause, and the time to enter and leave GC pauses;
    ///   only as complete as the log's safepoint lines
    /// @param stallsMs thread time spent waiting for memory, which is no pause
    /// @param reachingMs part of `otherMs`: time to safepoint
    /// @param leavingMs part of `otherMs`: time to wake the threads again
    /// @param safepointsLogged true if the log has safepoint lines
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

        /// All stops of the application, by the collector or not.
        public double allMs() {
            return gcMs + otherMs;
        }

        /// The part of `otherMs` for operations other than collections and for waking the threads
        /// again.
        public double operationsMs() {
            return Math.max(0, otherMs - reachingMs);
        }
    }

    /// A time as a share of the log's span in percent; 0 in a log without a span.
    public double spanPct(double ms) {
        // the span ends with a time stamp, which may be that of the start of a stop
        return spanS <= 0 ? 0 : Math.min(100, ms / 10 / spanS);
    }

    /// The window of `seconds` in which the application was stopped the longest.
    public record WorstWindow(double seconds, double stoppedPct, double endS, long line) {
        /// Minimum mutator utilisation: the share of this window in which the application ran.
        public double mmuPct() {
            return 100 - stoppedPct;
        }
    }

    /// @param maxBytes -Xmx from the log's head, or the largest capacity seen
    /// @param maxIsStated true if the head has -Xmx
    /// @param liveBytes the live set at the end; empty if it is unknown
    /// @param liveIsUpperBound true if no old collection ran, so that the live set may be smaller
    /// @param floors occupancy after old collections, over time
    /// @param youngBytes mean size of the young generation when collected
    /// @param promotedMostBytes largest promotion by one young collection
    /// @param meanCapacityBytes mean heap capacity at collections
    /// @param capacityChanges number of capacity changes
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

        /// Minimum share of the maximum size at which the heap counts as grown to its maximum.
        private static final double GROWN = 0.8;

        /// The heap size of the run: its maximum, or the mean size if the heap stayed far below the
        /// maximum.
        public Optional<Double> sizeBytes() {
            return meanCapacityBytes
                    .filter(mean -> mean < GROWN * maxBytes.orElse(0.0))
                    .or(() -> maxBytes);
        }

        /// The floors used for `trend`: those before the heap was permanently full.
        public List<Floor> floorsUntilFull() {
            return FloorTrend.untilFull(floors, maxBytes.orElse(0.0));
        }
    }

    /// Concurrent mode failures of CMS while the old generation had room for all of young.
    ///
    /// @param oldShare used share of the old generation; the largest of these failures
    public record FailedWithRoom(long count, double oldShare, long line) {}

    /// The long full collection with the lowest speed in heap bytes per second.
    public record SlowFull(long bytes, double ms, long line) {
        public double bytesPerS() {
            return bytes / ms * 1000;
        }
    }

    /// @param full true after a full collection, which leaves no garbage
    public record Floor(double atS, long bytes, long line, boolean full) {}

    /// @param halfwayBytes size at about the middle of the log
    public record Metaspace(
            long firstBytes, long halfwayBytes, long lastBytes, long highestBytes) {}

    /// Survivor statistics.
    ///
    /// @param lowered collections whose new threshold was below the maximum
    /// @param ageOneAbove collections with more age-1 bytes than the desired survivor size
    /// @param overflowed collections after which a survivor space was full
    /// @param tables number of collections with an age table
    /// @param meanBytes mean bytes of each age; index 0 is age 1
    /// @param survival share of an age that lives on to the next; index 0 is age 1 to 2
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

    /// Occupancy of the young generation after young collections.
    ///
    /// @param collections number of collections that show their young generation
    /// @param mostBytes the largest occupancy
    /// @param full collections with this occupancy, to a few KiB, that also promoted
    public record Survivors(long collections, long mostBytes, Sightings full) {}

    /// Bytes that young collections found and copied. The values are medians, so that a start that
    /// builds the live set does not distort them.
    ///
    /// @param collections number of collections that show their young generation
    /// @param edenBytes bytes allocated before each
    /// @param survivedBytes bytes in survivor spaces after each
    /// @param promotedBytes bytes promoted by each
    /// @param copiedBytes bytes that each copied, to survivor spaces and to the old generation
    /// @param copiedTotalBytes bytes that all copied
    /// @param pauseMs mean pause of the later half
    /// @param single some of the collections in order, evenly spread over the log
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

    /// One VM operation. `ofGc` is true if a GC pause ran inside.
    public record SafepointTotal(
            String operation,
            boolean ofGc,
            long count,
            double totalMs,
            double maxMs,
            double maxReachingMs,
            long maxLine) {}

    /// CPU times of the pauses that show them.
    ///
    /// @param starved pauses whose wall time was far above their CPU time per thread
    /// @param starvedUserS user CPU time of these
    /// @param starvedSystemS kernel CPU time of these
    /// @param systemHeavy pauses with more kernel time than user time
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

    /// One collection, or several merged into one point. A size is 0 if the log does not show it.
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

    /// The events in one slice of the log.
    ///
    /// @param fromS start of the slice; its length is `seconds`
    /// @param stallMs thread time of stalls
    /// @param ageBytes mean bytes of each age in the slice's tables, age 1 first; empty without a
    ///   table
    /// @param phaseMs times of the phases with the longest total times of the log, in that order,
    ///   and `others`
    /// @param besideMs the same for concurrent work
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

    /// The figures that rules compare with a collector's limits. For a run without a log, the JVM's
    /// counters provide them.
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

    /// The settings on which advice depends. For a run without a log, the target provides them.
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

    /// The part of this analysis that a run's result keeps.
    public GcLogFigures figures() {
        var thinned = new Series(MAX_COLLECTIONS);
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

    /// CPU time of the pauses that show it, as a share of the span on all CPUs, in percent; empty
    /// if the log has no CPU times or no number of CPUs.
    public Optional<Double> gcCpuPct() {
        return spanS <= 0 || cpu.pauses() == 0 || setup.cpus().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        100 * (cpu.userS() + cpu.systemS()) / spanS / setup.cpus().getAsInt());
    }

    /// Hours until promotion has filled the free part of the old generation (F10). Empty for
    /// collectors with a concurrent old collection, and if the log does not show both the promotion
    /// and the free part.
    public Optional<Double> hoursToFull() {
        if (!collector.hasContiguousGenerations()
                || promotedBytesPerS.orElse(0.0) <= 0
                || heap.oldCapacityBytes().isEmpty()) {
            return Optional.empty();
        }
        double freeBytes = heap.oldCapacityBytes().get() - heap.liveBytes().orElse(0.0);
        return Optional.of(Math.max(0, freeBytes) / promotedBytesPerS.get() / 3600);
    }

    /// True if the log has any collection or concurrent work.
    public boolean hasCollections() {
        return pauses.count() > 0 || events.values().stream().anyMatch(n -> n > 0);
    }

    /// Share of the span in which no GC pause stopped the application, in percent; empty if the log
    /// has no stamps.
    public Optional<Double> throughputPct() {
        return spanS <= 0
                ? Optional.empty()
                : Optional.of(Math.max(0, 100 * (1 - pauses.total() / 1000 / spanS)));
    }
}
