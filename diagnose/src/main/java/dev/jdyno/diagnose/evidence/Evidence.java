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
import dev.jdyno.measure.thread.WaitGrowth;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/// The evidence for the rules, selected once from a recording: the round at saturation, the round
/// at twice that load, and the thread samples of the diagnostic windows.
///
/// @param rounds every round, in order of concurrency
/// @param plateau the round that the rules judge: the lowest load that gives the best throughput
/// @param doubled the round nearest to twice that load; empty if no round reached it
/// @param saturated the diagnostic window at or beyond saturation, with thread dumps
/// @param relaxed the diagnostic window well below saturation, or at most at half of the load of
///   `saturated`. If a few requests saturate the limit, no load is well below saturation, but the
///   growth of waits is still visible.
/// @param counted the same window as `saturated`, or a window with counters only
/// @param insight the results of instruments that ran in windows of their own
public record Evidence(
        List<Round> rounds,
        Round plateau,
        Optional<Round> doubled,
        Optional<ThreadSamples> saturated,
        Optional<ThreadSamples> relaxed,
        Optional<Knee> knee,
        Optional<ThreadSamples> counted,
        Insight insight) {
    /// Maximum ratio of two loads that a text calls "twice the load". Above it, the text gives both
    /// loads.
    static final double ABOUT_TWICE = 2.5;

    /// Maximum ratio of the throughput at twice the load to the throughput at the load, up to which
    /// throughput counts as constant. It is the noise of two rounds.
    private static final double NO_MORE = 1.1;

    /// Maximum number of threads in a wait, as a share of the requests in flight, for the wait to
    /// be rare. On average, fewer than one thread must also be in it.
    private static final double RARE = 0.15;

    public Evidence {
        rounds = List.copyOf(rounds);
    }

    /// Evidence whose window has both counters and thread dumps.
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

    /// Returns the same evidence with figures of the operating point: its round and the window at
    /// its load. Of the round at twice that load it keeps only the client's measurements. Returns
    /// this evidence if no window was taken at the operating point.
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

    /// X(2N) / X(N) at saturation: 1 if the service was saturated, 2 if no resource was. Empty if
    /// no round had twice the load.
    public Optional<Double> scalingWhenDoubled() {
        return doubled.filter(_ -> plateau.qps() > 0).map(d -> d.qps() / plateau.qps());
    }

    /// True if a round had twice the load and throughput did not grow.
    public boolean twiceTheLoadGivesNoMore() {
        return scalingWhenDoubled().filter(x -> x < NO_MORE).isPresent();
    }

    /// X(N) / X(N/2) up to the plateau, compared with the best round well below it. If throughput
    /// fell from one round to a later one, the growth after it does not count.
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

    /// Returns the share of the cores available to the target that it used at saturation. The
    /// doubled round counts, too, because the plateau round may be just below saturation.
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

    /// Returns the share of the threads in use found in `cause` at saturation. Empty if too few
    /// threads were found for a share to be meaningful ({@link SeenShare}). A request that the
    /// target sends to itself has two threads; it is counted at the place of the second one.
    public Optional<Double> busyShare(Cause cause) {
        return saturated
                .filter(SeenShare::ofBusyIsKnown)
                .map(c -> {
                    double twice = cause == Cause.FUTURE ? 0 : c.awaitingItself();
                    double busy = Math.max(c.threads(cause), c.busyThreads() - twice);
                    return busy <= 0 ? 0 : c.threads(cause) / busy;
                });
    }

    /// True if, with many requests in flight, fewer than one thread on average is in this wait. The
    /// requests then wait for another resource, even if few threads are busy.
    public boolean isRare(Cause cause) {
        return saturated
                .filter(c ->
                        c.threads(cause) < ThreadSamples.ONE_AT_A_TIME
                                && c.threads(cause) < RARE * c.concurrency())
                .isPresent();
    }

    /// Returns the place where most threads in `cause` were found at saturation.
    public Optional<ThreadSamples.Busy> top(Cause cause) {
        return saturated.flatMap(c -> c.top(cause));
    }

    /// Time of a request in `cause` in a diagnostic window, in ms, by Little's law.
    static double perRequestMs(ThreadSamples threadSamples, Cause cause) {
        return threadSamples.qps() <= 0
                ? 0
                : threadSamples.threads(cause) / threadSamples.qps() * 1000;
    }

    /// Returns the time per request in `cause` in the saturated window ÷ that in the relaxed
    /// window.
    public Optional<Double> growth(Cause cause) {
        if (saturated.isEmpty() || relaxed.isEmpty()) {
            return Optional.empty();
        }
        double before = perRequestMs(relaxed.get(), cause);
        return before <= 0
                ? Optional.empty()
                : Optional.of(perRequestMs(saturated.get(), cause) / before);
    }

    /// Returns the same ratio with its error, from the thread dumps of both windows.
    public Optional<WaitGrowth> growthWithError(Cause cause) {
        return growth(cause)
                .map(g ->
                        WaitGrowth.counted(
                                g,
                                relaxed.orElseThrow(),
                                saturated.orElseThrow(),
                                EnumSet.of(cause)));
    }

    /// True if threads wait in `cause` at saturation but not in the relaxed window.
    public boolean begins(Cause cause) {
        return relaxed.filter(c -> c.qps() > 0 && c.threads(cause) <= 0).isPresent()
                && saturated.filter(c -> c.threads(cause) > 0).isPresent();
    }

    /// Minimum share of the requests in flight that wait for their turn, for a resource to count as
    /// saturated although no higher load was tried.
    public static final double QUEUED = 0.3;

    /// Factor on the confidence in a wait if throughput still rises with the load. A wait without a
    /// queue is only a delay.
    public static final double STILL_RISES = 0.5;

    /// True if throughput follows the load: twice the load gives nearly twice the throughput. If
    /// the best load is the highest one, the growth up to it is used. If only one load was
    /// measured, the result is true unless requests queue, because a queue proves that a resource
    /// is always busy.
    public boolean stillRises() {
        return scaling().map(x -> x > Limits.STILL_RISING).orElseGet(() -> !queues());
    }

    /// Like {@link #stillRises()}, for a wait that is not a queue itself. A queue of requests for
    /// the waiting threads does not count, because it does not prove that the resource of this wait
    /// is saturated.
    public boolean aDelayStillRises() {
        return scaling().filter(x -> x <= Limits.STILL_RISING).isEmpty();
    }

    private Optional<Double> scaling() {
        return scalingWhenDoubled().or(this::scalingUpToPlateau);
    }

    /// True if a large part of the requests waits for a thread, a lock, a pooled resource or a
    /// task. Requests for which no thread and no call was found count, too. Without thread dumps,
    /// only the wait for a thread is known.
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

    /// Returns the number of threads that wait for their turn to log: for the appender's lock or a
    /// place in its queue.
    private static double inLineToLog(ThreadSamples threadSamples) {
        return threadSamples.busy().stream()
                .filter(b -> b.place() instanceof Place.Log log && log.step().inLine())
                .mapToDouble(ThreadSamples.Busy::threads)
                .sum();
    }

    /// Returns the number of requests that are inside the service by the kernel's sockets, but for
    /// which no thread and no call was found.
    private static double nowhere(ThreadSamples threadSamples) {
        return threadSamples.dumps() == 0
                ? 0
                : threadSamples
                        .signals()
                        .of(Sign.REQUESTS_INSIDE)
                        .map(inside -> Math.max(0, inside - threadSamples.requestsFound()))
                        .orElse(0.0);
    }

    /// Returns the end of a sentence about a saturated resource, which states the throughput at
    /// twice the load.
    public String atTwiceTheLoad() {
        return scaling()
                .map(x ->
                        x < NO_MORE
                                ? ", and twice the load gives no more throughput"
                                : Lines.say(", and throughput is × %.2f %s", x, scaledHow()))
                .orElse("");
    }

    /// Returns the scaling as a line of evidence, with the loads that were compared.
    public Optional<EvidenceLine> scalingLine() {
        return scaling()
                .map(x ->
                        Lines.line(
                                Figure.SCALING_2N,
                                Lines.say("throughput × %.2f %s", x, scaledHow()),
                                x,
                                Limits.STILL_RISING));
    }

    /// Returns the loads that were compared, as a part of a sentence: `at twice the load`.
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

    /// Returns the median response time at the highest load ÷ that at the lowest; empty if only one
    /// load was measured.
    public Optional<Double> medianGrowth() {
        double min = rounds.getFirst().rtMs().p50();
        return rounds.size() < 2 || min <= 0
                ? Optional.empty()
                : Optional.of(rounds.getLast().rtMs().p50() / min);
    }

    /// Returns the same ratio for the 90th percentile. If only a part of the requests queues, the
    /// median does not show it.
    public Optional<Double> slowGrowth() {
        double min = rounds.getFirst().rtMs().p90();
        return rounds.size() < 2 || min <= 0
                ? Optional.empty()
                : Optional.of(rounds.getLast().rtMs().p90() / min);
    }

    /// Returns a counter of the diagnostic window at saturation; empty if it was not measured.
    public Optional<Double> sign(Sign sign) {
        return counted.flatMap(c -> c.signals().of(sign));
    }

    public Optional<Signals> signals() {
        return counted.map(ThreadSamples::signals);
    }

    public Optional<String> place(Sign sign) {
        return counted.flatMap(c -> c.signals().place(sign));
    }

    /// Returns the plateau round or the doubled round, whichever has the larger share of time in
    /// collector pauses.
    public Round worstGc() {
        return doubled.filter(d -> pauseShare(d) > pauseShare(plateau)).orElse(plateau);
    }

    public double worstPauseShare() {
        return pauseShare(worstGc());
    }

    /// Returns the collector's cost at saturation or beyond it, whichever is larger: the share of
    /// time in pauses, or the share of the target's CPU for collectors that run concurrently with
    /// the application.
    public double gcCost() {
        return Math.max(worstPauseShare(), gcShareOfCpu(plateau));
    }

    /// Returns the collector's cost in one round.
    public double gcCost(Round round) {
        return Math.max(pauseShare(round), gcShareOfCpu(round));
    }

    /// True if the collector's share of the target's CPU is larger than the share of time in its
    /// pauses.
    public boolean collectsConcurrently(Round round) {
        return gcShareOfCpu(round) > pauseShare(round);
    }

    private double gcShareOfCpu(Round round) {
        double process = round.cpu().map(CpuUse::ownCores).orElse(0.0);
        return process <= 0
                ? 0
                : sign(Sign.GC_CORES).map(c -> Math.min(1, c / process)).orElse(0.0);
    }

    /// Returns the share of a round's time in pauses of the collector; 0 if it was not measured.
    public static double pauseShare(Round round) {
        return round.gc().map(GcActivity::pauseShare).orElse(0.0);
    }

    Optional<Breakdown> anatomy() {
        return plateau.anatomy();
    }
}
