package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What the rules look at, drawn once from a recording: the round at saturation, the same load
/// doubled, and who was where in the diagnostic windows.
///
/// @param rounds every round, by rising concurrency
/// @param plateau the round that the rules judge: the least load that gives the best throughput
/// @param doubled the round nearest to twice that load; empty when none went that far
/// @param saturated the diagnostic window at or beyond saturation, with thread dumps
/// @param relaxed the diagnostic window well below it, or at half of its load or less: where a few
///   requests use up what limits, no load is well below, but waits still grow
/// @param counted the same window as `saturated`, or one in which only counters could be had
/// @param insight what instruments saw in windows of their own
public record Evidence(
        List<Round> rounds,
        Round plateau,
        Optional<Round> doubled,
        Optional<ThreadSamples> saturated,
        Optional<ThreadSamples> relaxed,
        Optional<Knee> knee,
        Optional<ThreadSamples> counted,
        Insight insight) {
    /// Worded as "twice the load" up to this ratio; beyond it both loads are given.
    static final double ABOUT_TWICE = 2.5;

    /// Throughput at twice the load ÷ that at the load up to which it is no more: the noise of two
    /// rounds.
    private static final double NO_MORE = 1.1;

    /// Share of the requests in flight below which a wait of less than one thread at a time is
    /// rare.
    private static final double RARE = 0.15;

    public Evidence {
        rounds = List.copyOf(rounds);
    }

    /// Evidence whose window has what was counted and what dumps show.
    public Evidence(
            List<Round> rounds,
            Round plateau,
            Optional<Round> doubled,
            Optional<ThreadSamples> saturated,
            Optional<ThreadSamples> relaxed,
            Optional<Knee> knee) {
        this(rounds, plateau, doubled, saturated, relaxed, knee, saturated, Insight.NONE);
    }

    /// @throws IllegalArgumentException when the recording holds no round
    public static Evidence of(Recording recording, Optional<Knee> knee) {
        List<Round> rounds =
                recording.rounds().stream()
                        .sorted(Comparator.comparingInt(Round::concurrency))
                        .toList();
        Saturation at =
                Saturation.of(rounds)
                        .orElseThrow(() -> new IllegalArgumentException("no round to judge"));
        Round plateau = at.plateau();
        List<ThreadSamples> beyond =
                recording.census().stream()
                        .filter(c -> c.concurrency() >= plateau.concurrency())
                        .sorted(Comparator.comparingInt(ThreadSamples::concurrency).reversed())
                        .toList();
        Optional<ThreadSamples> saturated = beyond.stream().filter(c -> c.dumps() > 0).findFirst();
        Optional<ThreadSamples> relaxed =
                recording.census().stream()
                        .filter(c -> c.dumps() > 0)
                        .filter(c ->
                                c.concurrency() < plateau.concurrency()
                                        || saturated
                                                .filter(s -> 2 * c.concurrency() <= s.concurrency())
                                                .isPresent())
                        .min(Comparator.comparingInt(ThreadSamples::concurrency));
        return new Evidence(
                rounds,
                plateau,
                at.doubled(),
                saturated,
                relaxed,
                knee,
                saturated.or(() -> beyond.stream().findFirst()),
                recording.insight());
    }

    /// The same evidence with figures of the operating point: its round, the window at its load,
    /// and of twice that load only what the client saw. The same as it is where no window was taken
    /// there.
    public Evidence at(OperatingPoint point) {
        Round here = point.round();
        return point.window()
                .map(window ->
                        new Evidence(
                                rounds,
                                here,
                                point.isRate() ? Optional.empty() : twice(here),
                                Optional.of(window),
                                relaxed.filter(r -> r.concurrency() < here.concurrency()),
                                knee,
                                Optional.of(window),
                                insight.at(here.concurrency())))
                .orElse(this);
    }

    private Optional<Round> twice(Round here) {
        return rounds.stream()
                .filter(r -> r.ratePerS().isEmpty())
                .filter(r -> r.concurrency() >= here.concurrency() * Saturation.DOUBLED_RATIO)
                .findFirst()
                .map(Round::seenByTheClient);
    }

    /// X(2N)/X(N) at saturation: 1 means saturated, 2 means that nothing was; empty when the load
    /// was never doubled.
    public Optional<Double> scalingWhenDoubled() {
        return doubled.filter(_ -> plateau.qps() > 0).map(d -> d.qps() / plateau.qps());
    }

    /// Whether the load was doubled and throughput did not grow.
    public boolean twiceTheLoadGivesNoMore() {
        return scalingWhenDoubled().filter(x -> x < NO_MORE).isPresent();
    }

    /// X(N)/X(N/2) up to the plateau, against the best of the loads well below it: a round that
    /// gave less than one before it was held up by something, and what comes after it did not grow
    /// from there.
    public Optional<Double> scalingUpToPlateau() {
        return bestWellBelow()
                .filter(r -> r.qps() > 0)
                .map(half ->
                        1
                                + (plateau.qps() / half.qps() - 1)
                                        / (plateau.concurrency() / (double) half.concurrency()
                                                - 1));
    }

    private Optional<Round> bestWellBelow() {
        return rounds.stream()
                .filter(r -> r.concurrency() * Saturation.DOUBLED_RATIO <= plateau.concurrency())
                .max(Comparator.comparingDouble(Round::qps));
    }

    public Optional<CpuUse> cpu() {
        return plateau.cpu();
    }

    /// Share of the cores available to the target that it used at saturation; the doubled round
    /// counts too, for a plateau round may sit just below saturation.
    public Optional<Double> cpuUtilisation() {
        return fullestCpu().map(CpuUse::utilisation);
    }

    public Optional<CpuUse> fullestCpu() {
        return fullestRound().flatMap(Round::cpu);
    }

    public Optional<Round> fullestRound() {
        return new Saturation(plateau, doubled).fullest();
    }

    /// See {@link CpuShortage#isThere()}.
    public boolean cpuIsShort() {
        return new CpuShortage(this).isThere();
    }

    /// Share of the threads in use found in `cause` at saturation; empty where so few were found
    /// that a share of them says nothing ({@link SeenShare}). A request that the target makes to
    /// itself has a thread at both of its ends, and is where the second one is.
    public Optional<Double> busyShare(Cause cause) {
        return saturated
                .filter(SeenShare::ofBusyIsKnown)
                .map(c -> {
                    double twice = cause == Cause.FUTURE ? 0 : c.awaitingItself();
                    double busy = Math.max(c.threads(cause), c.busyThreads() - twice);
                    return busy <= 0 ? 0 : c.threads(cause) / busy;
                });
    }

    /// Whether less than one thread is found in this wait at a time, of many requests in flight:
    /// what they wait for is elsewhere, however few threads are busy at all.
    public boolean isRare(Cause cause) {
        return saturated
                .filter(c ->
                        c.threads(cause) < ThreadSamples.ONE_AT_A_TIME
                                && c.threads(cause) < RARE * c.concurrency())
                .isPresent();
    }

    /// The place where most threads in `cause` were found at saturation.
    public Optional<ThreadSamples.Busy> top(Cause cause) {
        return saturated.flatMap(c -> c.top(cause));
    }

    /// ms per request spent in `cause` in a diagnostic window (Little).
    static double perRequestMs(ThreadSamples census, Cause cause) {
        return census.qps() <= 0 ? 0 : census.threads(cause) / census.qps() * 1000;
    }

    /// How much the time per request in `cause` grew from the relaxed to the saturated window.
    public Optional<Double> growth(Cause cause) {
        if (saturated.isEmpty() || relaxed.isEmpty()) {
            return Optional.empty();
        }
        double before = perRequestMs(relaxed.get(), cause);
        return before <= 0
                ? Optional.empty()
                : Optional.of(perRequestMs(saturated.get(), cause) / before);
    }

    /// Whether requests came to wait in `cause` only under load: nobody did in the relaxed window.
    public boolean begins(Cause cause) {
        return relaxed.filter(c -> c.qps() > 0 && c.threads(cause) <= 0).isPresent()
                && saturated.filter(c -> c.threads(cause) > 0).isPresent();
    }

    /// Share of the requests in flight that must wait for their turn, from which something is used
    /// up though more load was not tried.
    public static final double QUEUED = 0.3;

    /// Factor on the confidence in a wait while throughput still rises with the load: a wait that
    /// does not queue is a delay.
    public static final double STILL_RISES = 0.5;

    /// Whether throughput follows the load: twice the load gives nearly twice as much, or, where
    /// the last load is the best one, did so up to there. Where only one load was seen, it does
    /// unless requests stand in a queue: whoever they queue for is at work all the time.
    public boolean stillRises() {
        return scaling().map(x -> x > Limits.STILL_RISING).orElseGet(() -> !queues());
    }

    /// The same of a wait that is no queue by itself: that others queue for the threads that wait
    /// does not tell that what they wait for is saturated.
    public boolean aDelayStillRises() {
        return scaling().filter(x -> x <= Limits.STILL_RISING).isEmpty();
    }

    private Optional<Double> scaling() {
        return scalingWhenDoubled().or(this::scalingUpToPlateau);
    }

    /// Whether a good part of the requests waits for its turn: for a thread, a lock, something out
    /// of a pool, a task, or where neither a thread nor a call stands for them. Without thread
    /// dumps only the first is seen.
    public boolean queues() {
        return counted.filter(c -> SeenShare.isQueue(queued(c), QUEUED, c.concurrency()))
                .isPresent();
    }

    private static double queued(ThreadSamples c) {
        return c.waitingSockets()
                + c.listenQueue()
                + c.threads(Cause.LOCK)
                + c.threads(Cause.POOL)
                + c.threads(Cause.FUTURE)
                + inLineToLog(c)
                + nowhere(c);
    }

    /// Threads that wait for their turn to log: for the appender's lock or a place in its queue.
    private static double inLineToLog(ThreadSamples census) {
        return census.busy().stream()
                .filter(b -> b.place() instanceof Place.Log log && log.step().inLine())
                .mapToDouble(ThreadSamples.Busy::threads)
                .sum();
    }

    /// Requests that the kernel knows to be in the service and that were found nowhere in it.
    private static double nowhere(ThreadSamples census) {
        return census.dumps() == 0
                ? 0
                : census.signals()
                        .of(Sign.REQUESTS_INSIDE)
                        .map(inside -> Math.max(0, inside - census.requestsFound()))
                        .orElse(0.0);
    }

    /// How the sentence on something saturated ends: with what was seen at twice the load.
    public String atTwiceTheLoad() {
        return scaling()
                .map(x ->
                        x < NO_MORE
                                ? ", and twice the load gives no more throughput"
                                : Lines.say(", and throughput is × %.2f %s", x, scaledHow()))
                .orElse("");
    }

    /// The scaling as a line of evidence, with the loads that were run.
    public Optional<EvidenceLine> scalingLine() {
        return scaling()
                .map(x ->
                        Lines.line(
                                Figure.SCALING_2N,
                                Lines.say("throughput × %.2f %s", x, scaledHow()),
                                x,
                                Limits.STILL_RISING));
    }

    /// From which load to which throughput was compared: `at twice the load`.
    public String scaledHow() {
        if (scalingWhenDoubled().isPresent()) {
            int n = plateau.concurrency();
            int more = doubled.orElseThrow().concurrency();
            return more <= n * ABOUT_TWICE
                    ? "at twice the load"
                    : Lines.say("from %d to %d in flight", n, more);
        }
        Round half = bestWellBelow().orElseThrow();
        return half.concurrency() * ABOUT_TWICE >= plateau.concurrency()
                ? Lines.say("at twice the load, %d in flight", plateau.concurrency())
                : Lines.say(
                        "from %d to %d in flight, on a straight line to %d",
                        half.concurrency(), 2 * half.concurrency(), plateau.concurrency());
    }

    /// The median response time at the largest load ÷ that at the least; empty for one load only.
    public Optional<Double> medianGrowth() {
        double least = rounds.getFirst().rtMs().p50();
        return rounds.size() < 2 || least <= 0
                ? Optional.empty()
                : Optional.of(rounds.getLast().rtMs().p50() / least);
    }

    /// The same of the 90th percentile: where a part of the requests queues, the median is
    /// another's.
    public Optional<Double> slowGrowth() {
        double least = rounds.getFirst().rtMs().p90();
        return rounds.size() < 2 || least <= 0
                ? Optional.empty()
                : Optional.of(rounds.getLast().rtMs().p90() / least);
    }

    /// A counter of the diagnostic window at saturation; empty when it was not measured.
    public Optional<Double> sign(Sign sign) {
        return counted.flatMap(c -> c.signals().of(sign));
    }

    public Optional<Signals> signals() {
        return counted.map(ThreadSamples::signals);
    }

    public Optional<String> place(Sign sign) {
        return counted.flatMap(c -> c.signals().place(sign));
    }

    /// The plateau or the doubled round, whichever the collector stopped more.
    public Round worstGc() {
        return doubled.filter(d -> pauseShare(d) > pauseShare(plateau)).orElse(plateau);
    }

    public double worstPauseShare() {
        return pauseShare(worstGc());
    }

    /// What the collector takes at saturation or beyond it, whichever is more, as a share: of the
    /// time, in pauses, or of the target's CPU, where it works beside the application.
    public double gcCost() {
        return Math.max(worstPauseShare(), gcShareOfCpu(plateau));
    }

    /// The same in one round.
    public double gcCost(Round round) {
        return Math.max(pauseShare(round), gcShareOfCpu(round));
    }

    /// Whether the collector's threads take a larger share of the target's CPU than its pauses take
    /// of the time.
    public boolean collectsBesideIt(Round round) {
        return gcShareOfCpu(round) > pauseShare(round);
    }

    private double gcShareOfCpu(Round round) {
        double process = round.cpu().map(CpuUse::processCores).orElse(0.0);
        return process <= 0
                ? 0
                : sign(Sign.GC_CORES).map(c -> Math.min(1, c / process)).orElse(0.0);
    }

    private static double pauseShare(Round round) {
        return round.gc().map(GcActivity::pauseShare).orElse(0.0);
    }

    Optional<Breakdown> anatomy() {
        return plateau.anatomy();
    }
}
