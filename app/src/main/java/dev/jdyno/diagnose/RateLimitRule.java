package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.Lines.confidence;
import static dev.jdyno.diagnose.Lines.line;
import static dev.jdyno.diagnose.Lines.say;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Requests wait for their turn: they sleep, or wait for a permit that nobody holds, and twice the
/// load gives no more.
///
/// A semaphore is a pool when its permits are held by threads that do something inside; when they
/// come from a clock, nobody is found there.
final class RateLimitRule implements Rule {
    /// Share of the busy threads that must wait for their turn.
    static final double SHARE_LIMIT = 0.50;

    /// Busy threads on the CPU below which a holder found on it is a permit just taken.
    static final double PASSING_THREADS = 0.5;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.RATE_LIMIT;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        if (evidence.saturated().filter(c -> c.busyThreads() > 0).isEmpty()) {
            return new Finding.NotApplicable("no thread dumps of busy threads at the plateau");
        }
        Census census = evidence.saturated().get();
        List<Census.Busy> turns = turns(census);
        double waiting = turns.stream().mapToDouble(Census.Busy::threads).sum();
        double share = waiting / census.busyThreads();
        if (share < SHARE_LIMIT) {
            return new Finding.Cleared(
                    share * 0.5, say("%.0f %% of busy threads wait for their turn", share * 100));
        }
        double sure = confidence(share, SHARE_LIMIT, 0.9, 0.70, 0.95);
        if (evidence.cpuIsShort()) {
            sure *= 0.5;
        }
        if (evidence.stillRises()) {
            // a sleep that does not queue is a delay: more load would give more
            sure *= Evidence.STILL_RISES;
        }
        Census.Busy top =
                turns.stream().max(Comparator.comparingDouble(Census.Busy::threads)).orElseThrow();
        double qps = evidence.plateau().qps();
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        "turn-share",
                        say("%.0f %% of the busy threads wait in %s", share * 100, top.where()),
                        share,
                        "share",
                        SHARE_LIMIT));
        lines.add(line("limit", say("throughput stays at %.0f/s", qps), qps, "1/s", 0));
        evidence.scalingLine().ifPresent(lines::add);
        return new Finding.Limits(
                top.where(),
                sure,
                say(
                        "A limiter is the bottleneck: %.1f of %.1f busy threads wait for their turn in"
                                + " %s, nobody holds what they wait for, and throughput stays at %.0f/s.",
                        waiting, census.busyThreads(), top.where(), qps),
                lines);
    }

    /// Those who wait for the clock.
    static List<Census.Busy> turns(Census census) {
        return census.busy().stream()
                .filter(b -> b.cause() == Cause.SLEEP || isPermitOfAClock(census, b))
                .toList();
    }

    static boolean isPermitOfAClock(Census census, Census.Busy busy) {
        if (busy.cause() != Cause.POOL || !busy.where().startsWith("Semaphore")) {
            return false;
        }
        Optional<String> holder = busy.holder();
        double running = census.threads(Cause.CPU) + census.threads(Cause.RUN_QUEUE);
        return holder.isEmpty()
                || (holder.get().contains(Cause.CPU.key() + ":") && running < PASSING_THREADS);
    }
}
