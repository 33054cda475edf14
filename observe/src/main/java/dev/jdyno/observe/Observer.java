package dev.jdyno.observe;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.MemoryKill;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.gc.HeapFill;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.observe.gc.GcLogEnd;
import dev.jdyno.observe.gc.GcLogTap;
import dev.jdyno.observe.gc.GcProbe;
import dev.jdyno.observe.host.CpuLimits;
import dev.jdyno.observe.host.CpuProbe;
import dev.jdyno.observe.host.DiskDevices;
import dev.jdyno.observe.host.Headroom;
import dev.jdyno.observe.host.MemoryKills;
import dev.jdyno.observe.host.MemoryLimit;
import dev.jdyno.observe.host.NeighbourWatch;
import dev.jdyno.observe.host.SchedProbe;
import dev.jdyno.observe.jfr.FlightFigures;
import dev.jdyno.observe.jfr.FlightRecording;
import dev.jdyno.observe.probe.Probe;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.window.SignalsProbe;
import dev.jdyno.target.JvmFacts;
import dev.jdyno.target.LeftFolders;
import dev.jdyno.target.PerfData;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.ToolMark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Observes one target from outside, with methods that cost the target almost nothing. Thread
/// dumps, which stop or slow the target, are in `ThreadSampler`.
public final class Observer implements AutoCloseable {
    /// How often probes read.
    ///
    /// @param costShare maximum CPU for reading every thread's scheduler statistics, as a share of
    ///   one core, and for reading every process of the machine
    /// @param gc between two readings of the collector's counters
    /// @param standstill between two checks whether the target is stopped
    private record Pace(double costShare, GcProbe.Interval gc, Duration standstill) {
        static final Pace CLOSE =
                new Pace(
                        0.01,
                        new GcProbe.Interval(GcProbe.CHECK_INTERVAL, GcProbe.QUIET_CHECK_INTERVAL),
                        StandstillWatch.CHECK_INTERVAL);

        static final Pace SPARING =
                new Pace(
                        0.001,
                        new GcProbe.Interval(Duration.ofMillis(100), Duration.ofMillis(500)),
                        StandstillWatch.SPARING_INTERVAL);
    }

    private final Target target;
    private final NanoClock clock;
    private final double costShare;
    private final CpuLimits limits;
    private final CpuProbe cpu;
    private final NeighbourWatch neighbours;
    private final SchedProbe sched;
    private final GcProbe gc;
    private final MemoryKills kills;
    private final SignalsProbe counters;
    private final DiskDevices disks;
    private final StandstillWatch standstills;

    private long takenAt;
    private CpuProbe.@Nullable Totals cpuBefore;
    private SchedProbe.Reading schedBefore;
    private long schedAt;
    private double runQueueThreads;
    private Optional<Evidence> evidence = Optional.empty();
    private Optional<FlightRecording> flight = Optional.empty();
    private Optional<Path> gcLog = Optional.empty();
    private List<String> leftovers = List.of();
    private final List<Probe> recorders = new ArrayList<>();

    private Observer(Target target, ProcFs proc, NanoClock clock, Pace pace) {
        this.target = target;
        this.clock = clock;
        this.costShare = pace.costShare();
        this.limits = CpuLimits.of(proc, target.pid());
        this.cpu = new CpuProbe(proc, target.pid(), ProcessHandle.current().pid(), limits);
        this.neighbours =
                new NeighbourWatch(
                        proc, target.pid(), ProcessHandle.current().pid(), clock, costShare);
        this.sched = new SchedProbe(proc, target.pid(), clock);
        this.gc = GcProbe.open(target.pid(), pace.gc());
        this.kills = MemoryKills.of(proc, target.pid());
        this.counters = new SignalsProbe(proc, target.pid());
        this.disks = new DiskDevices(proc, target.pid());
        this.standstills = StandstillWatch.over(proc, target.pid(), clock, pace.standstill());
        this.takenAt = clock.nanos();
        this.cpuBefore = cpu.read().orElse(null);
        this.schedBefore = sched.read();
        this.schedAt = takenAt;
    }

    /// Starts observing; the first window begins now.
    public static Observer open(Target target, NanoClock clock) {
        return new Observer(target, ProcFs.SYSTEM, clock, Pace.CLOSE);
    }

    /// Starts observing for days: probes read less often. Readings of all threads, and of all
    /// processes of the machine, take at most 0.1 % of a core each.
    public static Observer openSparing(Target target, NanoClock clock) {
        return new Observer(target, ProcFs.SYSTEM, clock, Pace.SPARING);
    }

    /// Starts observing and recording. A flight recording and a GC log of the time until {@link
    /// #close()} are written to `evidence` as `recording.jfr` and `gc.log`, if they are available.
    ///
    /// The first recording in a JVM costs it 1 to 1.5 s of CPU, so start it before the warm-up.
    public static Observer open(Target target, NanoClock clock, Path evidence)
            throws InterruptedException {
        return open(target, clock, evidence, EnumSet.allOf(Recorder.class));
    }

    /// The recordings that can be made in the target.
    public enum Recorder {
        FLIGHT_RECORDING,
        GC_LOG
    }

    /// Starts observing with only some of the recorders, to measure the cost of each.
    public static Observer open(Target target, NanoClock clock, Path evidence, Set<Recorder> wanted)
            throws InterruptedException {
        var headroom = new Headroom(ProcFs.SYSTEM, target.pid());
        List<String> left = endLeftovers(target);
        LeftFolders.remove(ProcFs.SYSTEM, target.pid());
        Optional<FlightRecording> recording = Optional.empty();
        Optional<GcLogTap> gcLog = Optional.empty();
        boolean watching = false;
        try {
            if (wanted.contains(Recorder.FLIGHT_RECORDING)) {
                recording = Optional.of(FlightRecording.start(target, headroom, ToolMark.own()));
            }
            if (wanted.contains(Recorder.GC_LOG)) {
                gcLog = Optional.of(GcLogTap.start(target));
            }
            var observer = new Observer(target, ProcFs.SYSTEM, clock, Pace.CLOSE);
            observer.evidence = Optional.of(new Evidence(recording, gcLog, evidence));
            observer.leftovers = left;
            observer.flight = recording;
            recording.ifPresent(observer.recorders::add);
            gcLog.ifPresent(observer.recorders::add);
            watching = true;
            return observer;
        } finally {
            // if a later step fails, the recordings that were started in the target are ended
            if (!watching) {
                takeBack(recording, gcLog);
            }
        }
    }

    private static void takeBack(Optional<FlightRecording> recording, Optional<GcLogTap> gcLog)
            throws InterruptedException {
        try {
            if (gcLog.isPresent()) {
                gcLog.get().end();
            }
        } finally {
            if (recording.isPresent()) {
                recording.get().end();
            }
        }
    }

    private static List<String> endLeftovers(Target target) throws InterruptedException {
        try {
            return Leftovers.end(target).stream().map(l -> l.what() + " was ended").toList();
        } catch (UserError refused) {
            return List.of("it could not be ended: " + refused.what() + ", " + refused.why());
        }
    }

    /// The leftovers of killed jdyno processes in the target when observing began, and whether they
    /// were ended, one sentence each.
    public List<String> leftovers() {
        return leftovers;
    }

    /// The recordings in the target, which are read when they are finished.
    private record Evidence(
            Optional<FlightRecording> recording, Optional<GcLogTap> gcLog, Path folder) {}

    /// Returns the observations since the last call. To be called every few seconds.
    public synchronized ServerWindow take() {
        long now = clock.nanos();
        double seconds = Math.max(1e-3, (now - takenAt) / 1e9);
        takenAt = now;
        kills.look();
        var window =
                new ServerWindow(seconds, takeCpu(seconds), takeThreads(seconds), gc.take(seconds));
        return evidence.flatMap(Evidence::gcLog)
                .flatMap(GcLogTap::takeStallSeconds)
                .map(stalled -> window.withStalledThreads(stalled / seconds))
                .orElse(window);
    }

    private Optional<CpuUse> takeCpu(double seconds) {
        CpuProbe.Totals before = cpuBefore;
        CpuProbe.Totals now = cpu.read().orElse(null);
        cpuBefore = now;
        return before == null || now == null
                ? Optional.empty()
                : Optional.of(
                        cpu.between(
                                before, now, seconds, neighbours.take(), neighbours.children()));
    }

    private Optional<ThreadCounts> takeThreads(double seconds) {
        if (!target.isAlive()) {
            return Optional.empty();
        }
        double sinceSched = clock.secondsSince(schedAt);
        if (schedBefore.costNanos() / 1e9 <= costShare * sinceSched) {
            SchedProbe.Reading now = sched.read();
            runQueueThreads = now.runQueueSince(schedBefore, sinceSched);
            schedBefore = now;
            schedAt = clock.nanos();
        }
        return Optional.of(
                new ThreadCounts(
                        sched.liveThreads(),
                        gc.takeThreadsStarted().map(n -> n / seconds),
                        runQueueThreads,
                        gc.takeStops(seconds)));
    }

    /// Facts of the target, with the available and the missing sources.
    public TargetFacts facts() throws InterruptedException {
        JvmFacts jvm = target.facts();
        List<String> means = new ArrayList<>();
        List<Unseen> missing = new ArrayList<>(jvm.missing());
        List<Probe> probes = new ArrayList<>(List.of(cpu, limits, sched, gc, counters, disks));
        probes.addAll(recorders);
        for (Probe probe : probes) {
            probe.missing()
                    .ifPresentOrElse(
                            why -> missing.add(new Unseen(probe.sheet().name(), why)),
                            () -> means.add(probe.sheet().name()));
            probe.less().ifPresent(what -> missing.add(new Unseen(probe.sheet().name(), what)));
        }
        if (jvm.attachable()) {
            means.add("attach");
        }
        TargetFacts facts =
                new TargetFacts(
                        Optional.of(target.pid()),
                        jvm.jvm(),
                        jvm.jdkVersion(),
                        jvm.collector(),
                        jvm.heapMaxBytes(),
                        MemoryLimit.of(target.pid()).map(Bytes::value),
                        jvm.flags(),
                        limits.availableCores(),
                        target.attached(),
                        means,
                        missing.stream().map(Unseen::text).toList());
        return facts.withJvmStart(PerfData.startOf(target.pid()));
    }

    /// Ends the recordings and reads the flight recording; empty when there is none. Windows can
    /// still be taken afterwards.
    ///
    /// @param frames meanings of stack frames
    /// @throws UserError when the recording was kept but cannot be read
    public synchronized Optional<FlightFigures> finishRecording(Frames frames)
            throws InterruptedException {
        Optional<Path> recording = keepRecordings();
        if (recording.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(FlightFigures.read(recording.get(), frames));
        } catch (IOException unreadable) {
            throw UserError.target(
                            "the flight recording cannot be read",
                            String.valueOf(unreadable.getMessage()),
                            "look at it with `jfr summary " + recording.get() + "`")
                    .causedBy(unreadable);
        }
    }

    /// @return the flight recording's file, on the first call and if there is one
    private Optional<Path> keepRecordings() throws InterruptedException {
        if (evidence.isEmpty()) {
            return Optional.empty();
        }
        Evidence e = evidence.get();
        evidence = Optional.empty();
        Path file = e.folder().resolve("recording.jfr");
        try {
            boolean recorded = e.recording().isPresent() && e.recording().get().finish(file);
            return recorded ? Optional.of(file) : Optional.empty();
        } finally {
            if (e.gcLog().isPresent()) {
                Path log = e.folder().resolve("gc.log");
                gcLog = e.gcLog().get().finish(log) ? Optional.of(log) : Optional.empty();
            }
        }
    }

    /// Occupancy of the heap, now or when the target ended. It comes from the counters, or else
    /// from the GC log once the recordings are finished.
    public synchronized Optional<HeapFill> heapFill() {
        return gc.heapFill().or(() -> gcLog.flatMap(GcLogEnd::read));
    }

    /// The end of the target, if the kernel killed it at its control group's memory limit. Empty
    /// while the target runs.
    public synchronized Optional<MemoryKill> memoryKill() {
        return target.isAlive() ? Optional.empty() : kills.end(gc.heapBytes());
    }

    /// The times in which the target was stopped.
    ///
    /// @param originNanos time on the clock from which seconds are counted
    public List<Standstill> standstills(long originNanos) {
        return standstills.all(originNanos);
    }

    /// The present stop of the target; empty when it runs.
    public Optional<Standstill> standstill(long originNanos) {
        return standstills.now(originNanos);
    }

    /// Ends the recordings and logs of this run in the target. A recording or log whose earlier end
    /// failed is ended again.
    ///
    /// @return what still runs in the target, each with the command that ends it
    public synchronized List<Leftovers.Leftover> takeBack() throws InterruptedException {
        keepRecordings();
        return StillRunning.end(target, flight.map(FlightRecording::notEnded).orElse(""));
    }

    @Override
    public synchronized void close() {
        // everything that jdyno started in the target must be ended even if the run itself was
        // interrupted
        boolean interrupted = Thread.interrupted();
        try (gc;
                standstills) {
            keepRecordings();
        } catch (InterruptedException hurry) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
