package dev.jdyno.report.words;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Chooses the parts of a result that every form of the report shows first. It computes no new
/// figures.
public final class Highlights {
    /// Minimum relative change from which a what-if counts as having an effect. Two runs of one
    /// service may differ by this much.
    private static final double WITHOUT_EFFECT = 0.03;

    /// Minimum CPU use of a named place, in cores.
    private static final double MIN_CORES = 0.1;

    /// Assumed variance of the number of threads at one place in a single dump.
    private static final double MIN_VARIANCE = 0.25;

    /// Minimum number of samples for a place of an allocation or an exception. With fewer samples,
    /// the 95 % interval (Poisson, n ± 1.96 √n) includes zero.
    private static final int MIN_SAMPLES = 4;

    /// Minimum share of a part at which its largest place is shown without a percentage.
    private static final double NEARLY_ALL = 0.9;

    /// Maximum difference between the sum of the parts and the response time that is not reported,
    /// as a share of the response time.
    private static final double ADDS_UP = 0.05;

    /// Key of the time that no thread sample explains. It is used like the key of a cause.
    public static final String UNEXPLAINED = "unexplained";

    /// Orders rounds by intended rate, then by requests in flight, as charts do.
    public static final Comparator<Round> BY_LOAD =
            Comparator.comparingDouble((Round x) -> x.ratePerS().orElse(0.0))
                    .thenComparingInt(Round::concurrency);

    private record Load(Optional<Double> ratePerS, int concurrency) {
        static Load of(Round round) {
            return new Load(
                    round.ratePerS(), round.ratePerS().isPresent() ? 0 : round.concurrency());
        }
    }

    private Highlights() {}

    /// The load of a round: `N=20`, or the intended rate `450/s`.
    public static String load(Round r) {
        return r.ratePerS().map(rate -> Figures.number(rate) + "/s").orElse("N=" + r.concurrency());
    }

    /// One part of a request's time.
    ///
    /// @param key the cause's key, or `unexplained` for time in which no thread of the target
    ///   worked on the request
    /// @param errorMs half the width of its 95 % interval, for a part that is computed as the rest
    public record Part(String key, String name, double ms, Optional<Double> errorMs) {
        public Part(String key, String name, double ms) {
            this(key, name, ms, Optional.empty());
        }

        /// True if the part is larger than its error.
        private boolean isSeen() {
            return ms > errorMs.orElse(0.0);
        }

        /// The error: `± 0.9 ms`; empty if it is unknown.
        public Optional<String> error() {
            return errorMs.map(e -> "± " + Figures.number(e) + " ms");
        }
    }

    /// The round with the breakdown for the operating point. If that load has no diagnostic window,
    /// it is the next higher load with one, or else the highest load with one.
    public static Optional<Round> breakdownRound(RunResult r) {
        List<Round> seen = breakdownRounds(r);
        Optional<Round> point = r.operatingPoint().map(OperatingPoint::round);
        return seen.stream()
                .filter(x -> point.filter(p -> Load.of(p).equals(Load.of(x))).isPresent())
                .findFirst()
                .or(() ->
                        seen.stream()
                                .filter(x ->
                                        point.filter(p -> x.concurrency() >= p.concurrency())
                                                .isPresent())
                                .findFirst())
                .or(() -> seen.stream().max(Comparator.comparingInt(Round::concurrency)));
    }

    /// One round with a breakdown for each load, the lowest load first. Rounds at one load share a
    /// window; the one with the throughput nearest to that of the window is returned.
    public static List<Round> breakdownRounds(RunResult r) {
        Map<Load, Round> byLoad = new LinkedHashMap<>();
        r.rounds().stream()
                .filter(x -> x.anatomy().isPresent())
                .sorted(BY_LOAD)
                .forEach(x -> byLoad.merge(Load.of(x), x, (a, b) -> nearer(r, a, b)));
        return List.copyOf(byLoad.values());
    }

    /// The round at the lowest load with a breakdown, below that of another round; empty if there
    /// is none.
    ///
    /// @param here the round to compare with
    public static Optional<Round> lowestBreakdownRound(RunResult r, Round here) {
        return breakdownRounds(r).stream()
                .filter(x -> x.concurrency() < here.concurrency())
                .min(Comparator.comparingInt(Round::concurrency));
    }

    private static Round nearer(RunResult r, Round a, Round b) {
        double seen = windowQps(r, a).orElse(a.qps());
        return Math.abs(b.qps() - seen) < Math.abs(a.qps() - seen) ? b : a;
    }

    /// Throughput in the diagnostic window behind the round's breakdown, which was measured
    /// separately. It is the window at the same concurrency with the most dumps.
    private static Optional<Double> windowQps(RunResult r, Round round) {
        return r.census().stream()
                .filter(c -> c.concurrency() == round.concurrency())
                .max(Comparator.comparingInt(ThreadSamples::dumps))
                .map(ThreadSamples::qps)
                .filter(qps -> qps > 0);
    }

    /// The diagnostic window at the operating point. If there is none, it is the window at the
    /// highest load.
    public static Optional<ThreadSamples> window(RunResult r) {
        return r.operatingPoint()
                .flatMap(OperatingPoint::window)
                .or(() ->
                        r.census().stream()
                                .max(
                                        Comparator.comparingInt(ThreadSamples::concurrency)
                                                .thenComparingInt(ThreadSamples::dumps)));
    }

    /// The observations at the operating point, without places that have too few samples.
    public static Insight insight(RunResult r) {
        return r.operatingPoint()
                .map(p -> r.insight().at(p.concurrency()))
                .orElse(r.insight())
                .withSamplesFrom(MIN_SAMPLES);
    }

    /// Returns the service's own metrics of the last round at the operating point, or of the last
    /// round if they were not read there.
    public static Optional<ServiceFigures> service(RunResult r) {
        return insight(r).service().stream().reduce((_, last) -> last);
    }

    /// The what-ifs that change throughput or response time, without those that a recommendation
    /// makes. The recommendation shows their gain already.
    public static List<WhatIf> whatIfs(RunResult r) {
        Optional<Round> now = r.operatingPoint().map(OperatingPoint::round);
        return r.whatIf().stream()
                .filter(w -> r.recommendations().stream().noneMatch(p -> makes(p, w)))
                .filter(w ->
                        now.filter(n ->
                                        isSame(WhatIfText.qps(w), n.qps())
                                                && isSame(WhatIfText.rtMs(w), n.rtMs().mean()))
                                .isEmpty())
                .toList();
    }

    private static boolean makes(Recommendation made, WhatIf w) {
        return made.expected().isPresent()
                && w.change() instanceof StandardChange change
                && change.isMadeBy(made);
    }

    private static boolean isSame(double then, double now) {
        return Math.abs(then / now - 1) < WITHOUT_EFFECT;
    }

    /// True if other processes used so much of the machine that predictions from its cores are
    /// useless.
    public static boolean disturbedByOthers(RunResult r) {
        return r.validity().warnings().stream()
                .anyMatch(w -> w.id().equals(Validity.OTHER_PROCESSES));
    }

    /// The parts of a request's time that are above 0 and above their error. They have the order of
    /// {@link Cause}, and the unexplained part is last. Empty without a breakdown.
    ///
    /// @param limit the limit of the service, which may explain the unexplained part
    public static List<Part> parts(Round round, Bottleneck limit) {
        return round.anatomy().map(a -> parts(a, limit)).orElseGet(List::of);
    }

    private static List<Part> parts(Breakdown a, Bottleneck limit) {
        List<Part> parts = new ArrayList<>();
        for (Cause cause : Cause.values()) {
            Optional<Double> error =
                    a.errors().map(Breakdown.Errors::otherMs).filter(_ -> cause == Cause.OTHER);
            parts.add(new Part(cause.key(), name(cause), a.ms(cause), error));
        }
        String name = queuesOutside(limit) ? "queue, network" : "outside threads";
        Optional<Double> error = a.errors().map(Breakdown.Errors::unexplainedMs);
        parts.add(new Part(UNEXPLAINED, name, a.unexplainedMs(), error));
        return parts.stream().filter(Part::isSeen).toList();
    }

    public static double total(List<Part> parts) {
        return parts.stream().mapToDouble(Part::ms).sum();
    }

    /// The time that is 100 % for shares of the parts. It is the response time, or the sum of the
    /// parts if that is larger.
    public static double whole(List<Part> parts, Round round) {
        return Math.max(total(parts), round.rtMs().mean());
    }

    /// True if the parts counted in a window add up to the response time of the round, within the
    /// error.
    public static boolean addsUp(double totalMs, Round round) {
        double mean = round.rtMs().mean();
        double error =
                round.anatomy()
                        .flatMap(Breakdown::errors)
                        .map(e -> e.otherMs() + e.unexplainedMs())
                        .orElse(0.0);
        return Math.abs(totalMs - mean) <= Math.max(ADDS_UP * mean, error);
    }

    /// The breakdown of a round without CPU places that have too few samples. A place stays if its
    /// CPU use in cores exceeds both the error of the thread dumps and a minimum.
    ///
    /// @param windows diagnostic windows with dumps, at the loads of the run
    public static Breakdown withPlacesSeen(Round round, List<ThreadSamples> windows) {
        Breakdown a = round.anatomy().orElseThrow();
        double min =
                windows.stream()
                        .filter(w -> w.concurrency() == round.concurrency() && w.dumps() > 0)
                        .mapToDouble(w -> 2 * Math.sqrt(MIN_VARIANCE / w.dumps()))
                        .min()
                        .orElse(MIN_CORES);
        return new Breakdown(
                a.perRequestMs(),
                a.topN().stream()
                        .filter(s ->
                                s.cause() != Cause.CPU
                                        || s.ms() * round.qps() / 1000 >= Math.max(min, MIN_CORES))
                        .toList(),
                a.unexplainedMs(),
                a.errors());
    }

    /// The place with the most time in this part. A named place is preferred to the sum of small
    /// ones. Empty if there is no place, or if its name is that of the part.
    ///
    /// @param limit limit of the service, which may show what requests wait for
    public static Optional<String> where(Breakdown a, Part part, Bottleneck limit) {
        return where(a, part, limit, UnaryOperator.identity());
    }

    /// Like {@link #where(Breakdown, Part, Bottleneck)}, with another text for places.
    ///
    /// @param shown how the text of a place is shown
    public static Optional<String> where(
            Breakdown a, Part part, Bottleneck limit, UnaryOperator<String> shown) {
        List<Breakdown.Spot> places =
                a.topN().stream()
                        .filter(s -> s.cause().key().equals(part.key()))
                        .filter(s -> reads(s.ms() / part.ms()))
                        .filter(s ->
                                !s.where().isBlank() && !s.where().equalsIgnoreCase(part.name()))
                        .toList();
        return places.stream()
                .filter(s -> !s.place().is(Place.Activity.ELSEWHERE))
                .findFirst()
                .or(() -> places.stream().findFirst())
                .map(s -> ofWhich(s.ms() / part.ms()) + shown.apply(s.where()))
                .or(() -> inOtherWords(part, limit));
    }

    /// An explanation of a part that has no place and whose name is not self-explanatory.
    private static Optional<String> inOtherWords(Part part, Bottleneck limit) {
        if (part.key().equals(UNEXPLAINED)) {
            return Optional.of(
                    queuesOutside(limit)
                            ? "waiting for a thread, network"
                            : VerdictText.isOfCpu(limit)
                                    ? "network, or not yet read: no free core"
                                    : "network, or waiting for a thread");
        }
        return part.key().equals(Cause.RUN_QUEUE.key())
                ? Optional.of(
                        limit == Bottleneck.CPU_QUOTA
                                ? "held back by the CPU quota"
                                : "waiting for a CPU core")
                : Optional.empty();
    }

    /// True if requests outside of threads wait for a thread.
    private static boolean queuesOutside(Bottleneck limit) {
        return limit == Bottleneck.THREAD_POOL || limit == Bottleneck.EVENT_LOOP;
    }

    /// The change of a what-if in words. If it changes the threads of the verdict's pool, the text
    /// names the pool.
    public static String change(WhatIf w, Verdict verdict) {
        boolean ofTheVerdict =
                switch (verdict.bottleneck()) {
                    case POOL_STARVATION -> w.change() == StandardChange.INNER_POOL;
                    case THREAD_POOL -> w.change() == StandardChange.THREADS;
                    default -> false;
                };
        return ofTheVerdict && !verdict.where().isBlank()
                ? "threads of " + verdict.where() + " × 2"
                : w.change().says();
    }

    /// True if the share is shown as more than `0 %`.
    public static boolean reads(double share) {
        return !Figures.percent(share).equals("0 %");
    }

    /// The share of a place in its part, as a prefix; empty if it is nearly all of the part.
    private static String ofWhich(double share) {
        return share < NEARLY_ALL ? Figures.percent(share) + " of it: " : "";
    }

    /// A cause in an engineer's words: `run queue`, `GC`.
    public static String name(Cause cause) {
        return switch (cause) {
            case CPU -> "CPU";
            case GC -> "GC";
            case DNS -> "DNS";
            case SAFEPOINT -> "other stops";
            case JVM_MUTEX -> "JVM mutex";
            default -> cause.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }

    /// An explanation of the part with this key, for a caller that does not know its name.
    public static String means(String key) {
        return Arrays.stream(Cause.values())
                .filter(c -> c.key().equals(key))
                .findFirst()
                .map(Highlights::means)
                .orElse(
                        "no thread of the service had the request: it waited to be given one, or was on the network");
    }

    private static String means(Cause cause) {
        return switch (cause) {
            case CPU -> "runs on a core";
            case RUN_QUEUE -> "could run and waits for a free core";
            case LOCK -> "waits for a lock that another thread holds";
            case POOL -> "waits to borrow a connection or a permit that others have";
            case FUTURE -> "waits for the result of a task in another thread";
            case DOWNSTREAM -> "waits for the answer of another service";
            case DATABASE -> "waits for the answer of a database";
            case DNS -> "waits for the address of a host name";
            case DISK -> "reads or writes files";
            case LOGGING -> "writes a log, or waits for its turn to";
            case SLEEP -> "sleeps for a set time";
            case NETWORK -> "sends or receives over the client's connection";
            case CLASS_LOADING -> "loads or makes classes";
            case THREAD_START -> "starts threads";
            case GC -> "stands still for the garbage collector, or waits for it to free memory";
            case SAFEPOINT ->
                    "all threads stand still (at a safepoint) beyond the collector's pauses: thread dumps, heap inspections, deoptimisation";
            case JVM_MUTEX ->
                    "waits for a lock inside the JVM: for memory, for compiled code, or before a stop";
            case OTHER -> "something else";
        };
    }

    /// The reason why the report is about this load.
    public static String whyThisLoad(RunResult r) {
        Optional<OperatingPoint> point = r.operatingPoint();
        String why =
                point.filter(OperatingPoint::isRate).isPresent()
                        ? "the rate that keeps the goals"
                        : String.format(
                                Locale.ROOT,
                                "the lowest load with %s of the best throughput%s",
                                Figures.percent(OperatingPoint.NEARLY_BEST),
                                point.map(p -> OperatingPoint.passedOver(r.recording(), p))
                                        .map(Highlights::conditions)
                                        .orElse(""));
        return why
                + breakdownOfOtherLoad(r)
                        .map(x ->
                                String.format(
                                        Locale.ROOT,
                                        "; the nearest diagnostic window is at %s",
                                        load(x)))
                        .orElse("");
    }

    /// The conditions that the load of the report meets and lower loads with nearly the best
    /// throughput do not.
    private static String conditions(OperatingPoint.PassedOver lower) {
        String window = lower.withoutWindow().isEmpty() ? "" : " and a diagnostic window";
        String limit = lower.withoutLimit().isEmpty() ? "" : " at which the limit shows";
        return window + limit;
    }

    /// The round of the shown breakdown, if the operating point has no diagnostic window; otherwise
    /// empty.
    public static Optional<Round> breakdownOfOtherLoad(RunResult r) {
        Optional<Load> now = r.operatingPoint().map(OperatingPoint::round).map(Load::of);
        return breakdownRound(r).filter(x -> now.filter(n -> !n.equals(Load.of(x))).isPresent());
    }
}
