package dev.jdyno.inside;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.MemoryKill;
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

/// A trial's view of one target. Every method returns a finished sample: a small record, even if
/// the raw evidence is large. All times are on the trial's own clock.
///
/// If the target is on another host, data that do not come in time are left out. The methods then
/// return nothing or throw a {@link dev.jdyno.measure.text.UserError}, and {@link #doubts()} counts
/// the losses.
public interface Inside extends AutoCloseable {
    /// The target's process id on its host.
    long pid();

    /// True if the target was running before this run.
    boolean attached();

    /// The target if it runs on this machine, where jdyno may change it. Empty if an agent on
    /// another host observes it.
    Optional<Target> local();

    /// The machine that the target runs on.
    Machine machine();

    boolean isAlive();

    /// @throws dev.jdyno.measure.text.UserError if the target has ended
    void requireAlive();

    /// Asks whether the target still runs, so that what was measured until now counts. A target on
    /// another host is asked for over the network.
    ///
    /// @throws dev.jdyno.measure.text.UserError if it has ended, or its host does not answer
    default void confirmAlive() throws InterruptedException {
        requireAlive();
    }

    /// Facts of the target, and which data sources work for it.
    TargetFacts facts() throws InterruptedException;

    /// The remains of a killed jdyno that run in the target, and the result of the clean-up, one
    /// sentence each.
    List<String> leftovers();

    /// Ends what this run has started in the target. A further call tries again if the target did
    /// not answer.
    ///
    /// @return what still runs in the target
    List<Leftovers.Leftover> takeBack() throws InterruptedException;

    /// CPU time of the target's host; empty if there is no `/proc`.
    Optional<HostAtRest.Totals> hostAtRest() throws InterruptedException;

    /// Announces that the next {@link #take()} will be at that instant. An observer on another host
    /// can then end the window at the instant, not when the message arrives.
    void announce(long atNanos);

    /// The counters of the target since the last call; empty if unknown. To be called about once a
    /// second.
    Optional<ServerWindow> take() throws InterruptedException;

    /// Periods in which the target was stopped, in seconds from `originNanos`.
    List<Standstill> standstills(long originNanos);

    /// The present stop of the target; empty if it runs.
    Optional<Standstill> standstill(long originNanos);

    /// Occupancy of the heap, now or when the target ended.
    Optional<HeapFill> heapFill() throws InterruptedException;

    /// The kernel's kill of the target at the memory limit of its control group; empty if there was
    /// none.
    Optional<MemoryKill> memoryKill() throws InterruptedException;

    /// Begins diagnostic windows. Closing the result ends what they started in the target.
    InsideWindows windows(WindowSettings wanted) throws InterruptedException;

    /// Ends the recordings in the target and reads the flight recording.
    ///
    /// @return true if there is a flight recording
    /// @throws dev.jdyno.measure.text.UserError if it exists but cannot be read
    boolean finishRecording() throws InterruptedException;

    /// The collector's figures of a round, made more precise by the flight recording.
    GcActivity refined(GcActivity counted, Span round, long requests) throws InterruptedException;

    /// The code that ran in a round, according to the flight recording.
    ///
    /// @param pools the pools that accept requests, by their names in the thread samples
    /// @param nearby time of further rounds with the same requests, used if this round has too few
    ///   CPU samples; empty: do not find where the CPU time goes
    RunningCode runningCode(Set<String> pools, Span round, Optional<Span> nearby)
            throws InterruptedException;

    /// True if {@link #finishRecording()} kept a flight recording, which the methods below need.
    boolean recorded();

    /// @param cores number of cores that the target used in that time
    Optional<Profile> cpuSamples(Span span, double cores) throws IOException, InterruptedException;

    /// The waits of threads in one diagnostic window, from the flight recording.
    ///
    /// @param qps requests per second in it
    List<Insight.Wait> waits(Span span, int concurrency, double qps)
            throws IOException, InterruptedException;

    /// Number of waits for answers per request, by source line.
    List<Insight.CallRate> calls(Span span, int concurrency, double qps)
            throws IOException, InterruptedException;

    /// Places where pools get their tasks or are created, over the whole time of the recording.
    List<Insight.PoolOrigin> origins() throws IOException, InterruptedException;

    List<Insight.Allocation> allocations(Span span, int concurrency, double qps)
            throws IOException, InterruptedException;

    List<Insight.Pinned> pinned(Span span, int concurrency, double qps)
            throws IOException, InterruptedException;

    /// The source lines at which these methods were seen most often.
    List<SourceLine> lines(Set<String> methods) throws InterruptedException;

    /// The reasons why the target's logging is expensive.
    List<LoggingCost> logging() throws InterruptedException;

    /// Warnings about the observation, for the reader of the result.
    List<Warning> doubts();

    @Override
    void close();
}
