package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.GcCost;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcCauses;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.List;
import java.util.Optional;

/// Detects a leak in a heap too large to count its live objects. A young collection finds at most
/// those objects alive that the requests in flight have allocated (experiment E20). If it finds
/// more, other code keeps them.
public final class KeptBeyondRequests {
    /// Minimum ratio of the bytes that a young collection promotes to the bytes that the requests
    /// in flight can hold, at which other code keeps them. Two services whose survivors overflowed
    /// had 0.2 to 0.7. A service that left 25 kB per request in a map had 320 to 1100.
    static final double TIMES = 10;

    private static final String NOT_RULED_OUT = Bottleneck.GC_LEAK.key() + " is not ruled out: ";

    private KeptBeyondRequests() {}

    /// Returns the bytes that each young collection promotes ÷ the bytes that the requests in
    /// flight can hold. Empty if the ratio is unknown, or if humongous objects are allocated in the
    /// old generation.
    static Optional<Double> times(Round round) {
        return round.gc()
                .filter(gc -> gc.young().count() > 0 && !gc.facts().allocatesInOld())
                .filter(gc -> !gc.causes().containsKey(GcCauses.HUMONGOUS))
                .flatMap(gc ->
                        gc.requestBytes()
                                .map(b -> b * round.concurrency())
                                .filter(held -> held > 0)
                                .flatMap(held ->
                                        gc.promotedBytesPerS()
                                                .map(p -> p * round.seconds() / collections(gc))
                                                .map(promoted -> promoted / held)));
    }

    private static double collections(GcActivity gc) {
        return (double) gc.young().count() + gc.full().count();
    }

    /// Returns a leak, if the collector's figures show one.
    static Optional<Finding> in(Evidence evidence) {
        List<Round> rounds = evidence.rounds();
        Optional<Double> times = times(evidence.worstGc()).filter(t -> t >= TIMES);
        if (times.isEmpty()
                || rounds.size() < FullCollectionsRise.ROUNDS_RISING
                || evidence.gcCost() < GcCost.FIRST_FROM
                || !risesEachTime(rounds)) {
            return Optional.empty();
        }
        double first = used(rounds.getFirst());
        double last = used(rounds.getLast());
        double capacity =
                rounds.getLast().gc().flatMap(GcActivity::oldCapacityBytes).orElse(Double.NaN);
        return last - first < GcLimits.RISE_SHARE * capacity
                ? Optional.empty()
                : Optional.of(
                        new Finding.Limits(
                                "",
                                GcLeakRule.FILLED_UP,
                                say(
                                        "Memory leaks: the old generation rose from %s to %s over"
                                                + " the rounds, and each young collection moves"
                                                + " %.0f times as much into the old generation"
                                                + " as the requests in flight can hold. Live"
                                                + " objects were not counted; a cache that fills"
                                                + " looks the same.",
                                        bytes(first), bytes(last), times.get()),
                                List.of(
                                        line(
                                                Figure.OLD_RISE,
                                                say(
                                                        "the old generation rose by %s",
                                                        bytes(last - first)),
                                                last - first,
                                                GcLimits.RISE_SHARE * capacity),
                                        line(
                                                Figure.KEPT_BEYOND_REQUESTS,
                                                say(
                                                        "a young collection promotes %.0f times"
                                                                + " what the requests in flight can"
                                                                + " hold",
                                                        times.get()),
                                                times.get(),
                                                TIMES))));
    }

    /// Returns why overflowing survivor spaces alone do not explain the figures.
    ///
    /// @param leak the finding of the leak rule
    public static Optional<String> doubt(Evidence evidence, Finding leak) {
        if (!(leak instanceof Finding.NotApplicable)) {
            return Optional.empty();
        }
        Round round = evidence.worstGc();
        if (round.gc().flatMap(GcActivity::requestBytes).isEmpty()) {
            return Optional.of(NOT_RULED_OUT + "neither requests nor live objects were counted");
        }
        return times(round)
                .filter(t -> t >= TIMES)
                .map(t ->
                        NOT_RULED_OUT
                                + say(
                                        "a young collection promotes %.0f times what the requests"
                                                + " in flight can hold, and live objects were not"
                                                + " counted",
                                        t));
    }

    private static boolean risesEachTime(List<Round> rounds) {
        for (int i = 1; i < rounds.size(); i++) {
            if (used(rounds.get(i)) <= used(rounds.get(i - 1))) {
                return false;
            }
        }
        return true;
    }

    private static double used(Round round) {
        return round.gc().flatMap(GcActivity::oldUsedBytes).orElse(0.0);
    }

    private static Bytes bytes(double count) {
        return new Bytes(Math.round(count));
    }
}
