package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.WaitRule;
import dev.jdyno.diagnose.evidence.Waiting;
import dev.jdyno.diagnose.gc.MemoryRule;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Most threads in use read or write files and wait for the disk. Or their stacks show file I/O,
/// but they wait for a core, because a fast disk signals completion on few cores.
public final class DiskRule implements WaitRule {
    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.DISK;
    }

    @Override
    public Cause cause() {
        return Cause.DISK;
    }

    @Override
    public String claim() {
        return "The disk is the bottleneck";
    }

    @Override
    public Optional<Found> found(Evidence evidence) {
        return comesBackToABusyCore(evidence)
                ? standInIt(evidence)
                        .map(share ->
                                new Found(
                                        share,
                                        evidence.top(Cause.DISK).or(() -> fileWork(evidence)),
                                        false))
                : WaitRule.super.found(evidence);
    }

    /// True if the stacks of most threads show file I/O and the kernel reports waits for the disk.
    /// The threads must be in a run queue although cores are free. The reason is a fast disk that
    /// signals completion on few cores, so that the threads queue for these cores.
    private static boolean comesBackToABusyCore(Evidence evidence) {
        return evidence.cpuUtilisation().filter(u -> u < Saturation.CPU_SATURATED).isPresent()
                && evidence.sign(Sign.PSI_IO)
                        .filter(io -> io >= MemoryRule.DISK_WAITED_FOR)
                        .isPresent()
                && evidence.busyShare(Cause.DISK)
                        .filter(waiting -> waiting < Waiting.SHARE_LIMIT)
                        .isPresent()
                && standInIt(evidence).filter(stand -> stand >= Waiting.SHARE_LIMIT).isPresent();
    }

    /// Returns the share of the threads in use whose stacks show file I/O: on a core, waiting for
    /// one, or asleep.
    private static Optional<Double> standInIt(Evidence evidence) {
        return evidence.busyShare(Cause.DISK)
                .flatMap(_ -> evidence.saturated())
                .map(c -> {
                    double stand = c.pools().stream().mapToDouble(p -> p.doing(Cause.DISK)).sum();
                    return Math.min(1, stand / Math.max(1, c.busyThreads()));
                });
    }

    /// Returns the place with most threads in file I/O, if all its threads were found on a core or
    /// in the run queue.
    private static Optional<ThreadSamples.Busy> fileWork(Evidence evidence) {
        return evidence.saturated().stream()
                .flatMap(c -> c.busy().stream())
                .filter(b -> b.cause() == Cause.CPU && b.place().is(Activity.FILE_IO))
                .max(Comparator.comparingDouble(ThreadSamples.Busy::threads));
    }

    @Override
    public String remark(Evidence evidence) {
        return DiskLines.others(evidence).map(l -> "; " + l.says()).orElse("");
    }

    @Override
    public List<EvidenceLine> lines(Evidence evidence, Found found) {
        List<EvidenceLine> lines = new ArrayList<>();
        evidence.place(Sign.DISK_LIMITS)
                .ifPresent(limits -> lines.add(disksLimited(evidence, limits)));
        lines.addAll(DiskLines.of(evidence));
        if (!found.waiting()) {
            lines.add(answersQueue(evidence.saturated().orElseThrow()));
        }
        return lines;
    }

    private static EvidenceLine answersQueue(ThreadSamples samples) {
        double queue = samples.threads(Cause.RUN_QUEUE);
        return line(
                Figure.DISK_RUN_QUEUE,
                say(
                        "%.1f threads wait for a core although cores are free, which happens if"
                                + " the disk's interrupts arrive at few cores (see"
                                + " /proc/interrupts)",
                        queue),
                queue,
                1);
    }

    private static EvidenceLine disksLimited(Evidence evidence, String limits) {
        return line(
                Figure.DISK_LIMITS,
                say("its cgroup lets it make at most %s", limits)
                        + evidence.sign(Sign.DISK_WRITE_BYTES_PER_S)
                                .map(b -> say("; it wrote %s/s", new Bytes(Math.round(b))))
                                .orElse(""),
                evidence.sign(Sign.DISK_LIMITS).orElse(0.0),
                0);
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return QueueRecommendations.disk(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.flatAtTwice();
    }
}
