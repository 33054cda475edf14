package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.GcCost;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.statistics.Trend;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Detects a leak in a heap that has been nearly full since the first round. Full collections come
/// in series and leave more and more bytes in use, and the requests in flight cannot hold that
/// many. A live set, in contrast, does not grow. For a concurrent collector that marks all the
/// time, the bytes left by its cycles are used instead.
final class FullCollectionsRise {
    /// Minimum rise of the bytes in use from each round to the next. For a cache that fills, the
    /// rise becomes smaller.
    static final double RISES_EACH = 0.02;

    /// Minimum number of rounds with full collections in series for a rise not to be chance.
    static final int ROUNDS_RISING = 3;

    /// Minimum number of full collections to conclude that the bytes that they leave are constant.
    static final int LEVEL_FROM = 3;

    /// Minimum seconds from the first of these collections to the last. In a shorter time, a slow
    /// rise is within their scatter.
    static final double LEVEL_SECONDS = 30;

    private FullCollectionsRise() {}

    /// Returns a line that the bytes left by full collections are constant, by the collector's log.
    /// Their rise is then too slow to fill the old generation within the time of a leak. Empty if
    /// too few collections are known, or if the bytes rise faster.
    static Optional<EvidenceLine> level(Evidence evidence) {
        List<Trend.Point> left =
                evidence.rounds().stream()
                        .flatMap(r -> r.gc().stream())
                        .flatMap(gc -> gc.leftByFull().stream())
                        .sorted(Comparator.comparingDouble(Trend.Point::atS))
                        .toList();
        double capacity = evidence.worstGc().gc().flatMap(GcActivity::oldCapacityBytes).orElse(0.0);
        if (left.size() < LEVEL_FROM || capacity <= 0) {
            return Optional.empty();
        }
        double seconds = left.getLast().atS() - left.getFirst().atS();
        double rise = Math.max(rise(left), left.getLast().value() - left.getFirst().value());
        return seconds < LEVEL_SECONDS || rise * GcLeakRule.FULL_IN_SECONDS > capacity * seconds
                ? Optional.empty()
                : Optional.of(
                        line(
                                Figure.LEVEL_AFTER_FULL,
                                say(
                                        "full collections left %s at first and %s %.0f s later",
                                        new Bytes(Math.round(left.getFirst().value())),
                                        new Bytes(Math.round(left.getLast().value())),
                                        seconds),
                                rise / seconds,
                                capacity / GcLeakRule.FULL_IN_SECONDS));
    }

    /// Returns a leak. It uses each full collection if a recording contains them. Otherwise it uses
    /// frequent samples of the old generation, or else the minimum of each round.
    static Optional<Finding> in(Evidence evidence) {
        List<Round> rounds = untilItDied(evidence.rounds());
        if (rounds.isEmpty()) {
            return Optional.empty();
        }
        double capacity = rounds.getLast().gc().flatMap(GcActivity::oldCapacityBytes).orElse(0.0);
        List<List<Trend.Point>> byRound =
                rounds.stream().flatMap(r -> r.gc().stream()).map(GcActivity::leftByFull).toList();
        List<Trend.Point> left = byRound.stream().flatMap(List::stream).toList();
        return left.size() >= GcLimits.RISE_POINTS
                ? trend(left, capacity, inFlight(rounds)).or(() -> withinRounds(byRound, capacity))
                : fromRoundToRound(rounds, capacity);
    }

    /// Removes the last rounds, in which the heap could not be read, because a JVM that runs out of
    /// memory ends during a run.
    private static List<Round> untilItDied(List<Round> rounds) {
        int end = rounds.size();
        while (end > 0
                && rounds.get(end - 1)
                        .gc()
                        .flatMap(GcActivity::oldCapacityBytes)
                        .filter(c -> c > 0)
                        .isEmpty()) {
            end--;
        }
        return rounds.subList(0, end);
    }

    /// Returns a leak from the rise within rounds. The number of requests in flight is the same at
    /// the start and end of a round, so they are not the reason for the rise. The bytes must also
    /// rise in the last round; otherwise a cache fills.
    private static Optional<Finding> withinRounds(
            List<List<Trend.Point>> byRound, double capacity) {
        Optional<Trend> all = Trend.within(byRound);
        Optional<Trend> last = byRound.stream().reduce((_, later) -> later).flatMap(Trend::of);
        if (all.filter(t -> t.z() >= GcLimits.RISE_Z).isEmpty()
                || last.filter(t -> t.perS() >= GcLimits.RISE_LATER_HALF * all.get().perS())
                        .isEmpty()) {
            return Optional.empty();
        }
        double seconds =
                byRound.getLast().getLast().atS()
                        - byRound.stream().flatMap(List::stream).findFirst().orElseThrow().atS();
        double perS = all.get().perS();
        return leak(
                perS * seconds,
                capacity,
                0,
                say(
                        "Memory leaks: full collections follow one another and leave more and"
                                + " more live data (%s/s more), at the same number of requests"
                                + " in flight.",
                        new Bytes(Math.round(perS))),
                List.of(
                        line(
                                Figure.AFTER_FULL_TREND,
                                say(
                                        "what %d full collections left rises by %s/s within rounds",
                                        all.get().points(), new Bytes(Math.round(perS))),
                                all.get().z(),
                                GcLimits.RISE_Z)));
    }

    private static Optional<Finding> trend(
            List<Trend.Point> left, double capacity, double inFlight) {
        Trend all = Trend.of(left).orElseThrow();
        double risen = rise(left);
        double later = rise(left.subList(left.size() / 2, left.size()));
        return all.z() < GcLimits.RISE_Z || later < GcLimits.RISE_LATER_HALF * risen
                ? Optional.empty()
                : leak(
                        risen,
                        capacity,
                        inFlight,
                        say(
                                "Memory leaks: full collections follow one another and leave more"
                                        + " and more live data (%s/s more)%s.",
                                new Bytes(Math.round(all.perS())), though(inFlight)),
                        List.of(
                                line(
                                        Figure.AFTER_FULL_TREND,
                                        say(
                                                "what %d full collections left rises by %s/s",
                                                left.size(), new Bytes(Math.round(all.perS()))),
                                        all.z(),
                                        GcLimits.RISE_Z)));
    }

    /// Returns a clause about the bytes that the requests in flight can hold. These are unknown if
    /// requests were not counted.
    private static String though(double inFlight) {
        return inFlight > 0
                ? say(
                        ", though the requests in flight can hold only %s",
                        new Bytes(Math.round(inFlight)))
                : "";
    }

    private static double rise(List<Trend.Point> left) {
        return Trend.of(left)
                .map(t -> t.perS() * (left.getLast().atS() - left.getFirst().atS()))
                .orElse(0.0);
    }

    /// Returns a leak from a concurrent collector that marks all the time and frees nothing. Like a
    /// full collection, it shows the size of the live data. For a leak, the bytes that it leaves
    /// rise from each round to the next, and each count of live objects found more than the one
    /// before.
    static Optional<Finding> marked(Evidence evidence) {
        List<Round> rounds = evidence.rounds();
        double capacity = rounds.getLast().gc().flatMap(GcActivity::oldCapacityBytes).orElse(0.0);
        double qps = evidence.saturated().map(ThreadSamples::qps).orElse(0.0);
        double grows = evidence.sign(Sign.LIVE_GROWTH_BYTES_PER_S).orElse(0.0);
        List<Double> left =
                rounds.stream()
                        .flatMap(r ->
                                r.gc().filter(gc -> GcCost.marksInVain(gc, r)).stream()
                                        .flatMap(gc -> gc.why().oldFloorBytes().stream()))
                        .toList();
        if (qps <= 0
                || grows < GcLeakRule.STEADY_PER_REQUEST_BYTES * qps
                || !risesEachTime(left, rounds, capacity)) {
            return Optional.empty();
        }
        double inFlight = inFlight(rounds);
        return leak(
                left.getLast() - left.getFirst(),
                capacity,
                inFlight,
                Sentence.format(
                        "Memory leaks: the collector marks all the time and frees nothing, and %s"
                                + " stay in the first round, %s in the last (most of what is added:"
                                + " %s), though the requests in flight can hold only %s.",
                        new Bytes(Math.round(left.getFirst())),
                        new Bytes(Math.round(left.getLast())),
                        PlaceText.named(
                                evidence.place(Sign.LIVE_GROWTH_BYTES_PER_S).orElse("not known")),
                        new Bytes(Math.round(inFlight))),
                List.of());
    }

    private static boolean risesEachTime(List<Double> left, List<Round> rounds, double capacity) {
        if (left.size() < ROUNDS_RISING || left.size() < rounds.size()) {
            return false;
        }
        for (int i = 1; i < left.size(); i++) {
            if (left.get(i) - left.get(i - 1) < RISES_EACH * capacity) {
                return false;
            }
        }
        return true;
    }

    private static Optional<Finding> fromRoundToRound(List<Round> all, double capacity) {
        List<Round> rounds =
                all.stream()
                        .dropWhile(r -> r.gc().flatMap(GcActivity::afterFullBytes).isEmpty())
                        .toList();
        List<Double> left =
                rounds.stream()
                        .flatMap(r -> r.gc().flatMap(GcActivity::afterFullBytes).stream())
                        .toList();
        if (!risesEachTime(left, rounds, capacity)) {
            return Optional.empty();
        }
        double inFlight = inFlight(rounds);
        return leak(
                left.getLast() - left.getFirst(),
                capacity,
                inFlight,
                say(
                        "Memory leaks: full collections follow one another and leave more and"
                                + " more live data, %s in the first round and %s in the last,"
                                + " though the requests in flight can hold only %s.",
                        new Bytes(Math.round(left.getFirst())),
                        new Bytes(Math.round(left.getLast())),
                        new Bytes(Math.round(inFlight))),
                List.of());
    }

    /// @param more evidence in addition to the rise
    private static Optional<Finding> leak(
            double risen,
            double capacity,
            double inFlight,
            CharSequence says,
            List<EvidenceLine> more) {
        if (risen < GcLimits.RISE_SHARE * capacity || risen < inFlight) {
            return Optional.empty();
        }
        EvidenceLine rise =
                line(
                        Figure.AFTER_FULL_RISE,
                        say(
                                "what collections leave rose by %.0f %% of the old generation",
                                risen / capacity * 100),
                        risen / capacity,
                        GcLimits.RISE_SHARE);
        return Optional.of(
                new Finding.Limits(
                        "",
                        GcLeakRule.FILLED_UP,
                        says,
                        Stream.concat(Stream.of(rise), more.stream()).toList()));
    }

    /// Returns the maximum number of bytes that the requests of any round can hold at one time.
    private static double inFlight(List<Round> rounds) {
        return rounds.stream()
                .mapToDouble(
                        r -> r.gc().flatMap(GcActivity::requestBytes).orElse(0.0) * r.concurrency())
                .max()
                .orElse(0.0);
    }
}
