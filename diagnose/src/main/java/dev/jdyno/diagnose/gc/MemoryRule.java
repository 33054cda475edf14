package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The machine or the cgroup is short of memory. While the target works, its pages must be read
/// again from swap or from its files.
public final class MemoryRule implements Rule {
    /// Minimum share of the time in which a task waited for memory (PSI).
    static final double PRESSURE_LIMIT = 0.10;

    /// Minimum number of pages read from disk per second. Fewer may come from a start or a mapped
    /// file.
    static final double FAULTS_LIMIT = 20;

    /// Minimum share of the time in which a task waited for a disk (PSI), at which threads wait for
    /// that disk.
    public static final double DISK_WAITED_FOR = 0.50;

    /// Minimum number of pages read per request at which requests wait for them.
    static final double PER_REQUEST_LIMIT = 0.5;

    /// Minimum share of the threads in use that do not run, do not wait for a core, and do not wait
    /// for anything that a stack shows. A page fault looks like this.
    static final double STUCK_LIMIT = 0.30;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.MEMORY;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.CPU,
                Bottleneck.DISK,
                Bottleneck.SAFEPOINT,
                Bottleneck.GC_ALLOCATION,
                Bottleneck.GC_PROMOTION,
                Bottleneck.GC_LIVE_SET);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> pressure = evidence.sign(Sign.PSI_MEMORY);
        Optional<Double> faults = evidence.sign(Sign.MAJOR_FAULTS_PER_S);
        if (pressure.isEmpty() && faults.isEmpty()) {
            return new Finding.NotApplicable("memory pressure and page faults were not measured");
        }
        double waits = pressure.orElse(0.0);
        double fetched = faults.orElse(0.0);
        double stuck = stuck(evidence, fetched);
        boolean ofTheTarget = fetched >= FAULTS_LIMIT || fewButAll(evidence, stuck);
        boolean felt = pressure.isEmpty() || waits >= PRESSURE_LIMIT || stuck >= STUCK_LIMIT;
        if (!ofTheTarget || !felt) {
            return new Finding.Cleared(
                    Math.min(0.3, waits),
                    say("%.1f major faults/s, memory pressure %.0f %%", fetched, waits * 100));
        }
        return new Finding.Limits(
                "",
                Math.max(
                        confidence(waits, PRESSURE_LIMIT, 0.5, 0.75, 0.95),
                        confidence(stuck, STUCK_LIMIT, 0.8, 0.75, 0.92)),
                say(
                        "The machine is short of memory: %.0f pages/s of the service come back from disk"
                                + " and tasks wait for memory %.0f %% of the time.",
                        fetched, waits * 100),
                List.of(
                        line(
                                Figure.MAJOR_FAULTS,
                                say("%.0f major faults/s", fetched),
                                fetched,
                                FAULTS_LIMIT),
                        line(
                                Figure.STUCK,
                                say(
                                        "%.0f %% of the threads in use wait for page faults",
                                        stuck * 100),
                                stuck,
                                STUCK_LIMIT),
                        line(
                                Figure.MEMORY_PRESSURE,
                                say("tasks wait for memory %.0f %% of the time", waits * 100),
                                waits,
                                PRESSURE_LIMIT)));
    }

    /// True if most threads are in page faults while tasks wait for the disk. Throughput is then so
    /// low that even one page per request gives few pages per second.
    private static boolean fewButAll(Evidence evidence, double stuck) {
        return stuck >= Limits.MAJORITY_OF_BUSY
                && evidence.sign(Sign.PSI_IO).filter(io -> io >= DISK_WAITED_FOR).isPresent();
    }

    /// Returns the share of stuck threads. It is needed because some kernels do not count reads of
    /// a file's pages as memory pressure.
    private static double stuck(Evidence evidence, double fetched) {
        double qps = evidence.saturated().map(ThreadSamples::qps).orElse(0.0);
        return qps > 0 && fetched / qps >= PER_REQUEST_LIMIT
                ? evidence.busyShare(Cause.OTHER).orElse(0.0)
                : 0;
    }

    /// The recommendations against a shortage of memory.
    @Override
    public RecommendationList recommendations(Situation s) {
        Gain waiting =
                s.figure(Figure.MEMORY_PRESSURE)
                        .map(w ->
                                Gain.without(
                                        w,
                                        say("tasks wait for memory %.0f %% of the time", w * 100)))
                        .orElse(Gain.unknown("the time that tasks wait for memory is unknown"));
        return new RecommendationList()
                .byHand(
                        KnownChange.MEMORY_MORE,
                        "Give the service more memory: raise memory.max or move other processes"
                                + " away, so that its pages stay in memory",
                        "the counters in memory.events of the service's cgroup and in PSI's"
                                + " memory file must stop rising",
                        waiting,
                        List.of(new Change.SystemSetting("memory.max", new Amount.Larger())))
                .setting(
                        KnownChange.HEAP_FITS,
                        "Make heap, metaspace, stacks and mapped files fit together (F13)",
                        new WrittenChange.Words("smaller -Xmx, -XX:+AlwaysPreTouch"),
                        "`jdyno gc LOG --advise --container SIZE` also counts the memory outside"
                                + " the heap",
                        waiting,
                        new Change.JvmFlag("-XX:+AlwaysPreTouch"));
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.not("the machine's memory is shared by all its processes");
    }
}
