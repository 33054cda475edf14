package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.line;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.SeenShare;
import dev.jdyno.diagnose.evidence.Waiting;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A service whose requests queue for two resources. Neither resource has most of the threads, so
/// no rule of a single wait names it. Both are nearly always in use, and twice the load gives no
/// more throughput.
final class TwoQueues {
    /// Confidence in the longer queue. The two limits are nearly equal, so either may be the lower
    /// one.
    static final double SURE = 0.6;

    private TwoQueues() {}

    /// Returns a verdict that names the longer queue. {@link NextLimits} adds the other one.
    ///
    /// @param runnersUp other bottlenecks, with the reasons against them
    static Optional<Verdict> verdict(Evidence evidence, List<RunnerUp> runnersUp) {
        if (!evidence.twiceTheLoadGivesNoMore()
                || evidence.cpuIsShort()
                || evidence.saturated().filter(SeenShare::ofBusyIsKnown).isEmpty()) {
            return Optional.empty();
        }
        ThreadSamples window = evidence.saturated().orElseThrow();
        List<Queue> full =
                Queue.all(evidence).stream().filter(q -> q.times() <= NextLimits.NEARLY).toList();
        if (full.size() < 2) {
            return Optional.empty();
        }
        Queue first = full.get(0);
        Queue second = full.get(1);
        boolean independent =
                !first.isHeldDuring(second.cause()) && !second.isHeldDuring(first.cause());
        double most = Waiting.SHARE_LIMIT * window.busyThreads();
        return independent && first.threads() + second.threads() >= most
                ? Optional.of(named(first, second, evidence, window, runnersUp))
                : Optional.empty();
    }

    private static Verdict named(
            Queue first,
            Queue second,
            Evidence evidence,
            ThreadSamples window,
            List<RunnerUp> runnersUp) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(share(first, window));
        lines.add(share(second, window));
        Lines.cpuLine(evidence).ifPresent(lines::add);
        evidence.scalingLine().ifPresent(lines::add);
        return new Verdict(
                first.bottleneck(),
                first.where(),
                SURE,
                Sentence.format(
                        "Requests queue at two places: on average %.1f threads wait at %s, and"
                                + " %.1f at %s%s%s.",
                        first.waiting(),
                        first.named(),
                        second.waiting(),
                        second.named(),
                        Lines.cpuIs("; ", evidence),
                        evidence.atTwiceTheLoad()),
                lines,
                runnersUp.stream().filter(r -> !isOf(r.bottleneck(), first, second)).toList());
    }

    private static boolean isOf(Bottleneck name, Queue first, Queue second) {
        return name == first.bottleneck() || name == second.bottleneck();
    }

    private static EvidenceLine share(Queue q, ThreadSamples window) {
        double share = q.threads() / window.busyThreads();
        return line(
                Figure.SHARE,
                q.cause().key(),
                Sentence.format("%.0f %% of the threads in use are at %s", share * 100, q.named()),
                share,
                0);
    }
}
