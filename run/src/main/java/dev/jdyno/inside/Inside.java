package dev.jdyno.inside;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.HeapFill;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.Leftovers;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One target as a trial sees it. Everything that passes is a finished sample: a record, however
/// large the raw evidence behind it. All times are on the trial's own clock.
///
/// Where the target is on another host, what does not come in time is left out: the methods then
/// give nothing or throw a {@link dev.jdyno.measure.text.UserError}, and {@link #doubts()} counts
/// what was lost.
public interface Inside extends AutoCloseable {
    /// The target's process id on its host.
    long pid();

    /// Whether it ran before us.
    boolean attached();

    /// The target where it is on this machine, so that it may be changed; an agent only observes.
    Optional<Target> local();

    /// The machine that the target runs on.
    Machine machine();

    boolean isAlive();

    /// @throws dev.jdyno.measure.text.UserError when it has ended
    void requireAlive();

    /// What is known of it, with the sources that give evidence and those that do not.
    TargetFacts facts() throws InterruptedException;

    /// What killed jdynos had left running in it, and what came of that, a sentence each.
    List<String> leftovers();

    /// Ends what this run has started in it, once more where it did not answer before.
    ///
    /// @return what still runs in it
    List<Leftovers.Leftover> takeBack() throws InterruptedException;

    /// CPU of its host; empty where there is no `/proc`.
    Optional<HostAtRest.Totals> hostAtRest() throws InterruptedException;

    /// The next {@link #take()} will be at that instant: who observes from far away can cut the
    /// window there and not when the word arrives.
    void announce(long atNanos);

    /// What it did since the last take; meant to be called about once a second. Empty when that is
    /// not known.
    Optional<ServerWindow> take() throws InterruptedException;

    /// When it was stopped, in seconds from there.
    List<Standstill> standstills(long originNanos);

    /// Since when it is stopped; empty when it runs.
    Optional<Standstill> standstill(long originNanos);

    /// How full the heap is, or was when it ended.
    Optional<HeapFill> heapFill() throws InterruptedException;

    /// Begins diagnostic windows; closing it ends what they need in the target.
    Look look(Looking wanted) throws InterruptedException;

    /// Ends the recordings in the target and reads the flight recording.
    ///
    /// @return whether there is one
    /// @throws dev.jdyno.measure.text.UserError when it was kept but cannot be read
    boolean finishRecording() throws InterruptedException;

    /// A round's figures of the collector with what the flight recording knows better.
    GcActivity refined(GcActivity counted, Span round, long requests) throws InterruptedException;

    /// What the flight recording says of the code that ran in a round.
    ///
    /// @param pools those that take requests in, by the names of the thread samples
    /// @param nearby time of further rounds with the same requests, for where the CPU goes; empty
    ///   to leave that out
    RunningCode runningCode(Set<String> pools, Span round, Optional<Span> nearby)
            throws InterruptedException;

    /// Whether {@link #finishRecording()} kept a flight recording, for the methods below.
    boolean recorded();

    /// @param cores that the target used in that time
    Optional<Profile> cpuSamples(Span span, double cores) throws IOException, InterruptedException;

    /// What the flight recording says of one diagnostic window.
    ///
    /// @param qps requests per second in it
    List<Insight.Wait> waits(Span span, int concurrency, double qps)
            throws IOException, InterruptedException;

    /// How often a request waits for answers, by line.
    List<Insight.CallRate> calls(Span span, int concurrency, double qps)
            throws IOException, InterruptedException;

    /// Where pools are given their tasks, or made, over the whole time of the recording.
    List<Insight.PoolOrigin> origins() throws IOException, InterruptedException;

    List<Insight.Allocation> allocations(Span span, int concurrency, double qps)
            throws IOException, InterruptedException;

    List<Insight.Pinned> pinned(Span span, int concurrency, double qps)
            throws IOException, InterruptedException;

    /// At which lines of their source files these methods stood most often.
    List<SourceLine> lines(Set<String> methods) throws InterruptedException;

    /// What makes its logging dear.
    List<LoggingCost> logging() throws InterruptedException;

    /// What the reader of the result must know of how it was observed.
    List<Warning> doubts();

    @Override
    void close();
}
