package dev.jdyno.inside;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.MemoryKill;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.HeapFill;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.Leftovers;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.observe.jfr.CpuSamples;
import dev.jdyno.observe.jfr.FlightAllocations;
import dev.jdyno.observe.jfr.FlightFigures;
import dev.jdyno.observe.jfr.FlightPins;
import dev.jdyno.observe.jfr.FlightSamples;
import dev.jdyno.observe.jfr.FlightSites;
import dev.jdyno.observe.jfr.FlightWaits;
import dev.jdyno.observe.logging.LoggingFiles;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.SourceLines;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Observes the inside of a target on this machine.
public final class LocalInside implements Inside {
    private final Target target;
    private final Observer observer;
    private final NanoClock clock;
    private final Path folder;
    private final Frames frames;
    private final Instant origin;
    private final SourceLines lines = new SourceLines();
    private Optional<FlightFigures> figures = Optional.empty();

    private LocalInside(
            Target target, Observer observer, NanoClock clock, Path folder, Frames frames) {
        this.target = target;
        this.observer = observer;
        this.clock = clock;
        this.folder = folder;
        this.frames = frames;
        // `origin` converts between wall-clock times (recordings) and monotonic ones (spans)
        this.origin = InstantSource.system().instant().minusNanos(clock.nanos());
    }

    /// Starts to watch and to record a target. {@link #close()} leaves the target running.
    ///
    /// @param folder for the recordings
    /// @param frames meaning of stack frames
    public static LocalInside open(Target target, NanoClock clock, Path folder, Frames frames)
            throws InterruptedException {
        return new LocalInside(target, Observer.open(target, clock, folder), clock, folder, frames);
    }

    /// Starts to watch a target without recording. Nothing runs in the JVM, and no command is sent
    /// to it before {@link #facts()}.
    ///
    /// @param folder that would hold the recordings
    /// @param frames meaning of stack frames
    public static LocalInside watch(Target target, NanoClock clock, Path folder, Frames frames) {
        return new LocalInside(target, Observer.open(target, clock), clock, folder, frames);
    }

    @Override
    public long pid() {
        return target.pid();
    }

    @Override
    public boolean attached() {
        return target.attached();
    }

    @Override
    public Optional<Target> local() {
        return Optional.of(target);
    }

    @Override
    public Machine machine() {
        return MachineFacts.read();
    }

    @Override
    public boolean isAlive() {
        return target.isAlive();
    }

    @Override
    public void requireAlive() {
        target.requireAlive();
    }

    @Override
    public TargetFacts facts() throws InterruptedException {
        return observer.facts();
    }

    @Override
    public List<String> leftovers() {
        return observer.leftovers();
    }

    @Override
    public List<Leftovers.Leftover> takeBack() throws InterruptedException {
        return observer.takeBack();
    }

    @Override
    public Optional<HostAtRest.Totals> hostAtRest() {
        return new HostAtRest(ProcFs.SYSTEM, Optional.of(target.pid())).read();
    }

    @Override
    public void announce(long atNanos) {
        // nothing to do: an observer on the same host calls take() in time
    }

    @Override
    public Optional<ServerWindow> take() {
        return Optional.of(observer.take());
    }

    @Override
    public List<Standstill> standstills(long originNanos) {
        return observer.standstills(originNanos);
    }

    @Override
    public Optional<Standstill> standstill(long originNanos) {
        return observer.standstill(originNanos);
    }

    @Override
    public Optional<HeapFill> heapFill() {
        return observer.heapFill();
    }

    @Override
    public Optional<MemoryKill> memoryKill() {
        return observer.memoryKill();
    }

    @Override
    public InsideWindows windows(WindowSettings wanted) throws InterruptedException {
        return LocalWindows.open(target, clock, frames, lines, wanted);
    }

    @Override
    public boolean finishRecording() throws InterruptedException {
        figures = observer.finishRecording(frames);
        figures.map(FlightFigures::lines).ifPresent(lines::addAll);
        return figures.isPresent();
    }

    private Instant instant(long nanos) {
        return origin.plusNanos(nanos);
    }

    @Override
    public GcActivity refined(GcActivity counted, Span round, long requests) {
        return figures.map(f ->
                        f.refine(
                                counted,
                                instant(round.fromNanos()),
                                instant(round.toNanos()),
                                requests))
                .orElse(counted);
    }

    @Override
    public RunningCode runningCode(Set<String> pools, Span round, Optional<Span> nearby) {
        return figures.map(f -> runningCode(pools, round, nearby, f)).orElse(RunningCode.UNKNOWN);
    }

    private RunningCode runningCode(
            Set<String> pools, Span round, Optional<Span> nearby, FlightFigures seen) {
        Instant from = instant(round.fromNanos());
        Instant to = instant(round.toNanos());
        Signals code = seen.code(from, to).orElse(Signals.NONE);
        // if one round has too few samples, those of nearby rounds count
        return nearby.flatMap(n ->
                        seen.places(from, to, pools)
                                .or(() ->
                                        seen.places(
                                                instant(n.fromNanos()),
                                                instant(n.toNanos()),
                                                pools)))
                .map(p -> new RunningCode(code.and(p.signals()), shares(p)))
                .orElseGet(() -> new RunningCode(code, List.of()));
    }

    private static List<RunningCode.Share> shares(FlightSamples.Places places) {
        return places.shares().entrySet().stream()
                .map(e -> new RunningCode.Share(e.getKey(), e.getValue()))
                .toList();
    }

    private Path recording() {
        return folder.resolve("recording.jfr");
    }

    @Override
    public boolean recorded() {
        return Files.isRegularFile(recording());
    }

    @Override
    public Optional<Profile> cpuSamples(Span span, double cores) throws IOException {
        return CpuSamples.read(
                recording(), instant(span.fromNanos()), instant(span.toNanos()), cores);
    }

    @Override
    public List<Insight.Wait> waits(Span span, int concurrency, double qps) throws IOException {
        return FlightWaits.read(
                recording(),
                instant(span.fromNanos()),
                instant(span.toNanos()),
                concurrency,
                qps,
                frames);
    }

    @Override
    public List<Insight.CallRate> calls(Span span, int concurrency, double qps) throws IOException {
        return FlightSites.calls(
                recording(),
                instant(span.fromNanos()),
                instant(span.toNanos()),
                concurrency,
                qps,
                frames,
                lines);
    }

    @Override
    public List<Insight.PoolOrigin> origins() throws IOException {
        return FlightSites.origins(recording(), frames, lines);
    }

    @Override
    public List<Insight.Allocation> allocations(Span span, int concurrency, double qps)
            throws IOException {
        return FlightAllocations.read(
                recording(), instant(span.fromNanos()), instant(span.toNanos()), concurrency, qps);
    }

    @Override
    public List<Insight.Pinned> pinned(Span span, int concurrency, double qps) throws IOException {
        return FlightPins.read(
                recording(),
                instant(span.fromNanos()),
                instant(span.toNanos()),
                concurrency,
                qps,
                frames);
    }

    @Override
    public List<SourceLine> lines(Set<String> methods) {
        return lines.of(methods);
    }

    @Override
    public List<LoggingCost> logging() throws InterruptedException {
        return LoggingFiles.costs(target);
    }

    @Override
    public List<Warning> doubts() {
        return List.of();
    }

    @Override
    public void close() {
        observer.close();
    }
}
