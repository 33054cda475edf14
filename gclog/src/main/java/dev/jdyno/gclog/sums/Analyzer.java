package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.Setup;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.read.LogClock;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.measure.gc.GcCauses;
import dev.jdyno.measure.load.Incomplete;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Adds up events while the log is read. The memory is bounded by the limits of its tables, not by
/// the log.
public final class Analyzer implements Consumer<GcEvent> {
    /// Maximum number of distinct causes, and of operations.
    private static final int MAX_NAMES = 256;

    /// Number of the first stops that may have started before the log's first time stamp.
    private static final int FIRST_STOPS = 2;

    /// G1's default of MaxGCPauseMillis (globals: 200).
    static final double DEFAULT_GOAL_MS = 200;

    private final double goalMs;
    private final Map<String, Long> events = new LinkedHashMap<>();
    private final Spread pauses = new Spread();
    private final Map<PauseKind, Spread> byKind = new EnumMap<>(PauseKind.class);
    private final StopBudget budget = new StopBudget();
    private final AllocationMeter allocation = new AllocationMeter();
    private final FloorTrend floors = new FloorTrend();
    private final AgeMeter ages = new AgeMeter();
    private final SurvivorMeter survivors = new SurvivorMeter();
    private final CopyMeter copies = new CopyMeter();
    private final ZgcMeter zgc = new ZgcMeter();
    private final ShenandoahMeter shenandoah = new ShenandoahMeter();
    private final CpuMeter cpu = new CpuMeter();
    private final SafepointMeter safepoints = new SafepointMeter();
    private final HeapMeter heap = new HeapMeter();
    private final Series series = new Series();
    private final Timeline timeline = new Timeline();
    private final PauseBins bins = new PauseBins();
    private final List<CauseCell> causes = new ArrayList<>();
    private final Map<Trouble, Sightings> troubles = new EnumMap<>(Trouble.class);
    private final List<Long> stallLines = new ArrayList<>();
    private boolean sweeps;
    private long stalls;
    private double stallsMs;
    private double stallMaxMs;
    private double cyclesBusyS;
    private double cyclesEndS;
    private double firstBeginS = Double.MAX_VALUE;
    private long begun;

    private static final class CauseCell {
        final PauseKind kind;
        final String cause;
        long count;
        double totalMs;
        double maxMs;
        final List<Long> lines = new ArrayList<>();

        CauseCell(PauseKind kind, String cause) {
            this.kind = kind;
            this.cause = cause;
        }
    }

    /// @param goalMs pause goal of a service level; longer pauses are counted
    public Analyzer(double goalMs) {
        this.goalMs = goalMs;
    }

    @Override
    public void accept(GcEvent event) {
        // The most frequent events are tested by class. A pattern switch would generate a class at
        // its first run, and the C1 compiler would not inline its call.
        if (event instanceof GcEvent.Pause p) {
            pause(p);
        } else if (event instanceof GcEvent.SafepointStop s) {
            began(s.when());
            timeline.other(s.when().uptimeS(), safepoints.take(s, budget));
        } else if (event instanceof GcEvent.ConcurrentPhase c) {
            timeline.concurrent(c);
        } else if (event instanceof GcEvent.Cycle c) {
            cycle(c);
        } else if (event instanceof GcEvent.Stall s) {
            stall(s);
        } else if (event instanceof GcEvent.JvmStart) {
            allocation.restart();
        }
    }

    private void pause(GcEvent.Pause p) {
        began(p.when());
        count(p.kind().isYoung() ? "young" : p.kind().key());
        if (p.kind() == PauseKind.CONCURRENT_START || p.kind() == PauseKind.PREPARE_MIXED) {
            count(p.kind().key());
        }
        for (Trouble t : p.troubles()) {
            trouble(t, p.line(), p.ms());
        }
        cause(p);
        if (!p.nested()) {
            pauses.add(p.ms(), p.line());
            bins.add(p.ms());
            byKind.computeIfAbsent(p.kind(), _ -> new Spread()).add(p.ms(), p.line());
            budget.stop(p.when().uptimeS(), p.ms(), p.line());
            safepoints.pause(p.ms());
            cpu.take(p);
        }
        ages.take(p);
        survivors.take(p);
        copies.take(p);
        heap.take(p);
        timeline.pause(p);
        promoted(p.promotedBytes(), p.when());
        memory(p);
        point(p);
    }

    private void promoted(OptionalLong bytes, GcEvent.When when) {
        if (bytes.isPresent()) {
            allocation.promoted(bytes.getAsLong());
            timeline.promoted(when.uptimeS(), bytes.getAsLong());
        }
    }

    private void trouble(Trouble trouble, long line, double ms) {
        troubles.put(trouble, troubles.getOrDefault(trouble, Sightings.NONE).plus(line, ms));
    }

    private void memory(GcEvent.Pause p) {
        sweeps |= p.kind() == PauseKind.INITIAL_MARK;
        double begin = p.when().uptimeS();
        double end = begin + p.ms() / 1000;
        // CMS frees old space between two pauses, so only its young space shows the allocation
        Optional<GcEvent.Occupancy> space = sweeps && p.young().isPresent() ? p.young() : p.heap();
        if (space.isPresent()) {
            GcEvent.Occupancy o = space.get();
            timeline.allocated(
                    begin, allocation.collection(o.beforeBytes(), o.afterBytes(), 0, begin, end));
        }
        if (p.heap().isPresent()) {
            if (p.kind() == PauseKind.FULL) {
                floors.oldCollected(true);
            }
            if (p.kind().collects()) {
                floors.collected(p.kind());
                floors.left(end, p.heap().get().afterBytes(), p.line());
            }
        }
    }

    private void cause(GcEvent.Pause p) {
        if (p.cause().isEmpty() && p.kind() == PauseKind.STEP) {
            return;
        }
        CauseCell cell = cell(p);
        if (cell == null) {
            if (causes.size() == MAX_NAMES) {
                return;
            }
            cell = new CauseCell(p.kind(), p.cause());
            causes.add(cell);
        }
        cell.count++;
        cell.totalMs += p.ms();
        cell.maxMs = Math.max(cell.maxMs, p.ms());
        if (cell.lines.size() < Sightings.LINES) {
            cell.lines.add(p.line());
        }
    }

    /// The cell of a pause's cause; a log has at most a dozen causes.
    private @Nullable CauseCell cell(GcEvent.Pause p) {
        for (CauseCell c : causes) {
            if (c.kind == p.kind() && c.cause.equals(p.cause())) {
                return c;
            }
        }
        return null;
    }

    private void point(GcEvent.Pause p) {
        series.add(
                new Analysis.Point(
                        p.when().uptimeS(),
                        p.kind().key(),
                        p.ms(),
                        p.heap().map(GcEvent.Occupancy::beforeBytes).orElse(0L),
                        p.heap().map(GcEvent.Occupancy::afterBytes).orElse(0L),
                        p.heap().map(o -> o.capacityBytes().orElse(0)).orElse(0L),
                        p.promotedBytes().orElse(0),
                        p.line(),
                        1));
    }

    private void cycle(GcEvent.Cycle c) {
        zgc.take(c);
        shenandoah.take(c);
        if (!c.kind().equals("undo")) {
            count("concurrent");
        }
        if (List.of("minor", "major", "undo", "aborted").contains(c.kind())) {
            count(c.kind());
        }
        if (c.kind().equals("aborted")) {
            trouble(Trouble.MARKING_ABORTED, c.line(), 0);
        }
        if (GcCauses.isAsked(c.cause())) {
            trouble(Trouble.ASKED_CYCLE, c.line(), c.ms().orElse(0));
        }
        double end = c.when().uptimeS() + c.ms().orElse(0) / 1000;
        cyclesBusyS += Math.max(0, end - Math.max(c.when().uptimeS(), cyclesEndS));
        cyclesEndS = Math.max(cyclesEndS, end);
        promoted(c.promotedBytes(), c.when());
        boolean old = !List.of("minor", "young", "undo", "aborted").contains(c.kind());
        if (c.kind().equals("mark")) {
            floors.marked();
        } else if (old) {
            floors.oldCollected(false);
        }
        if (c.heap().isEmpty()) {
            return;
        }
        GcEvent.Occupancy o = c.heap().get();
        timeline.allocated(
                c.when().uptimeS(),
                allocation.collection(
                        o.beforeBytes(),
                        o.afterBytes(),
                        c.allocatedBytes().orElse(0),
                        c.when().uptimeS(),
                        end));
        floors.left(end, c.liveBytes().orElse(o.afterBytes()), c.line());
        heap.take(o);
        series.add(
                new Analysis.Point(
                        c.when().uptimeS(),
                        c.kind(),
                        0,
                        o.beforeBytes(),
                        o.afterBytes(),
                        o.capacityBytes().orElse(0),
                        c.promotedBytes().orElse(0),
                        c.line(),
                        1));
    }

    private void stall(GcEvent.Stall s) {
        began(s.when());
        stalls++;
        stallsMs += s.ms();
        timeline.stall(s.when().uptimeS(), s.ms());
        stallMaxMs = Math.max(stallMaxMs, s.ms());
        if (stallLines.size() < Sightings.LINES) {
            stallLines.add(s.line());
        }
    }

    private void count(String key) {
        events.merge(key, 1L, Long::sum);
    }

    public Analysis finish(
            String source, LogState log, Analysis.Lines lines, List<Incomplete> incomplete) {
        Distribution all = pauses.finish();
        Map<PauseKind, Distribution> kinds = new EnumMap<>(PauseKind.class);
        byKind.forEach((kind, spread) -> kinds.put(kind, spread.finish()));
        Setup setup = log.setup.finish();
        List<Analysis.Floor> floor = floors.finish();
        double span = span(log.clock);
        double goal = goalMs > 0 ? goalMs : goal(setup);
        return new Analysis(
                source,
                log.collector,
                log.generational,
                setup,
                span,
                log.clock.firstEpochMs(),
                lines,
                incomplete,
                events,
                all,
                kinds,
                pauses.shareAbove(goal),
                goal,
                safepoints.stopped(all.total(), stallsMs, budget),
                heap.finish(setup, floor, floors.atMost()),
                allocation.allocatedPerS(),
                allocation.promotedPerS(),
                allocation.allocatedBytes(),
                allocation.promotedBytes(),
                ages.finish(),
                survivors.finish(),
                copies.finish(),
                zgc.finish(),
                zgc.count(),
                shenandoah.finish(),
                shenandoah.count(),
                causes.stream()
                        .map(c ->
                                new Analysis.CauseTotal(
                                        c.kind, c.cause, c.count, c.totalMs, c.maxMs, c.lines))
                        .sorted(Comparator.comparingLong(Analysis.CauseTotal::count).reversed())
                        .toList(),
                troubles,
                log.phases.totals(),
                safepoints.totals(),
                cpu.finish(),
                new Analysis.Stalls(stalls, stallsMs, stallMaxMs, stallLines),
                cyclesBusyS,
                log.clock.restarts(),
                log.clock.backwards(),
                series.finish(),
                timeline.finish(),
                bins.finish());
    }

    /// Records the start of a stop. The first pause may be followed by its safepoint, which began
    /// earlier. If a later event begins before the log, its duration is torn.
    private void began(GcEvent.When when) {
        if (begun++ < FIRST_STOPS) {
            firstBeginS = Math.min(firstBeginS, when.uptimeS());
        }
    }

    /// The span from the start of the first stop. A single stamp gives no span.
    private double span(LogClock clock) {
        return clock.isTimed() && clock.last() > clock.first()
                ? clock.last() - clock.firstOr(firstBeginS)
                : 0;
    }

    private static double goal(Setup setup) {
        @Nullable String flag = setup.flags().get("MaxGCPauseMillis");
        return flag != null && flag.matches("\\d{1,9}")
                ? Double.parseDouble(flag)
                : DEFAULT_GOAL_MS;
    }
}
