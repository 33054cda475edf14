package dev.jdyno.judge;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.MeasuredLoad;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Checks a result for impossible figures: parts larger than their whole, shares above one, an
/// improvement that makes the service slower, an interval of a single value. It also finds
/// bottlenecks that are ruled out by a figure that in fact reaches its limit. A figure that
/// violates a check is left out, and a note gives its name and the reason. Verdict and
/// recommendations stay, because they depend on many figures and each rule has its own checks.
public final class Auditor {
    /// Maximum excess of a utilisation above one. The demand is measured below the knee and the
    /// throughput above it, so this limit allows for the errors of both.
    private static final double UTILISATION_ERROR = 0.10;

    /// Maximum shortfall of a predicted throughput below the measured one, as a share. A change
    /// with a larger shortfall is no improvement.
    private static final double BELOW_NOW = 0.02;

    /// Maximum difference, as a share, of two figures of one prediction that count as the same.
    private static final double SAME = 0.001;

    /// Tolerance for requests in flight, which are whole numbers.
    private static final double WHOLE_REQUEST = 0.5;

    /// The checks.
    public enum Check {
        PARTS_ABOVE_WHOLE,
        SHARE_ABOVE_ONE,
        NOTHING_ALLOCATED,
        INTERVAL_OF_ONE_ROUND,
        UTILISATION_ABOVE_ONE,
        WORSE_BY_IMPROVEMENT,
        TWO_FIGURES_OF_ONE_CHANGE,
        /// Throughput is higher than the requests in flight allow, even if each request takes only
        /// the response time of a request that is alone.
        FASTER_THAN_ALONE,
        MORE_THAN_ITS_BOUND,
        /// A bottleneck is ruled out by a figure that should be below a limit but reaches it.
        REASON_BEYOND_LIMIT
    }

    /// An impossible figure.
    ///
    /// @param says the name of the figure, its value, and the limit that it breaks
    public record Violation(Check check, String says) {}

    private final List<Violation> violations = new ArrayList<>();

    private Auditor() {}

    /// Returns the violations in a result, in the order in which the report shows the figures.
    public static List<Violation> violations(RunResult result) {
        var auditor = new Auditor();
        auditor.check(result);
        return List.copyOf(auditor.violations);
    }

    /// Returns the result without the impossible figures.
    public static RunResult audited(RunResult result) {
        var auditor = new Auditor();
        RunResult checked = auditor.check(result);
        return auditor.violations.isEmpty() ? result : checked;
    }

    private RunResult check(RunResult result) {
        List<Round> rounds = result.rounds().stream().map(this::round).toList();
        double now = result.knee().map(Knee::qps).orElse(0.0);
        Judged judged = result.judged();
        List<Demand> demands = judged.demands().stream().map(this::demand).toList();
        List<WhatIf> whatIf =
                judged.whatIf().stream()
                        .filter(w -> isImprovement(w, now))
                        .filter(w -> isAsRecommended(w, judged.recommendations()))
                        .filter(w -> isPossible(w, result))
                        .toList();
        Verdict verdict =
                judged.verdict()
                        .withRunnersUp(
                                judged.verdict().runnersUp().stream()
                                        .filter(this::isReason)
                                        .toList());
        List<Recommendation> recommended =
                judged.recommendations().stream().map(r -> possible(r, result)).toList();
        return new RunResult(
                result.jdyno(),
                result.recording().withRounds(rounds),
                result.goal(),
                new Judged(
                        judged.knee(),
                        demands,
                        whatIf,
                        judged.capacityNotes()
                                .plus(violations.stream().map(Violation::says).toList()),
                        judged.layers(),
                        verdict,
                        recommended,
                        judged.validity(),
                        judged.load(),
                        judged.figures()),
                result.proof(),
                result.gcLog());
    }

    private Round round(Round round) {
        Optional<Breakdown> breakdown = round.anatomy().filter(b -> addsUp(b, round));
        Optional<GcActivity> gc =
                round.gc().filter(g -> isShare(g, round)).map(g -> allocating(g, round));
        return breakdown.equals(round.anatomy()) && gc.equals(round.gc())
                ? round
                : round.with(gc, breakdown);
    }

    private boolean addsUp(Breakdown breakdown, Round round) {
        double rt = round.rtMs().mean();
        double sum = breakdown.sumMs();
        if (sum <= Breakdown.mostMs(rt)) {
            return true;
        }
        Cause largest = largest(breakdown);
        return violates(
                Check.PARTS_ABOVE_WHOLE,
                "the response-time breakdown at N=%d is left out: its parts are %.1f ms (%s %.1f ms)"
                        + " of a response time of %.1f ms",
                round.concurrency(),
                sum,
                largest.key(),
                breakdown.ms(largest),
                rt);
    }

    private static Cause largest(Breakdown breakdown) {
        Cause largest = Cause.OTHER;
        for (Cause cause : Cause.values()) {
            if (breakdown.ms(cause) > breakdown.ms(largest)) {
                largest = cause;
            }
        }
        return largest;
    }

    private boolean isShare(GcActivity gc, Round round) {
        return gc.pauseShare() <= 1
                || violates(
                        Check.SHARE_ABOVE_ONE,
                        "what the collector did at N=%d is left out: it counts stops for %.0f %% of"
                                + " the time",
                        round.concurrency(),
                        gc.pauseShare() * 100);
    }

    /// Removes an allocation rate of zero. Every request allocates, so zero means that nothing was
    /// counted.
    private GcActivity allocating(GcActivity gc, Round round) {
        return gc.allocBytesPerS().filter(b -> b <= 0).isEmpty()
                ? gc
                : leftOut(
                        gc.withoutAllocation(),
                        Check.NOTHING_ALLOCATED,
                        "what was allocated at N=%d is not known: nothing was counted in that round",
                        round.concurrency());
    }

    private Demand demand(Demand demand) {
        Demand checked = demand;
        double used = demand.utilisationAtKnee().orElse(0.0);
        if (used > 1 + UTILISATION_ERROR) {
            checked =
                    leftOut(
                            checked.withoutUtilisation(),
                            Check.UTILISATION_ABOVE_ONE,
                            "how much of %s is used at the knee is left out: %.3g ms a request would"
                                    + " be %.0f %% of it",
                            demand.resource(),
                            demand.ms(),
                            used * 100);
        }
        return demand.ci95().isPresent() && demand.rounds() < 2
                ? leftOut(
                        checked.withoutInterval(),
                        Check.INTERVAL_OF_ONE_ROUND,
                        "the demand for %s has no interval: it is of one round",
                        demand.resource())
                : checked;
    }

    /// True if the figure that rules a bottleneck out is below its limit, as it must be.
    private boolean isReason(Verdict.RunnerUp other) {
        return other.decided().filter(d -> !d.isBelow()).isEmpty()
                || violates(
                        Check.REASON_BEYOND_LIMIT,
                        "the exclusion of %s is left out: %.3g is not below the limit of %.3g",
                        other.bottleneck().key(),
                        other.decided().orElseThrow().value(),
                        other.decided().orElseThrow().limit());
    }

    private boolean isImprovement(WhatIf row, double now) {
        return row.qps() >= now * (1 - BELOW_NOW)
                || violates(
                        Check.WORSE_BY_IMPROVEMENT,
                        "what-if %s is left out: it gives %.0f/s where %.0f/s were measured",
                        row.change().says(),
                        row.qps(),
                        now);
    }

    /// True if a what-if agrees with the recommendation of the same change, because one change must
    /// have one result at one load.
    private boolean isAsRecommended(WhatIf row, List<Recommendation> recommended) {
        return recommended.stream()
                .filter(r -> isSameChange(r, row))
                .allMatch(r -> agree(row, r.expected(), row.expected()));
    }

    private boolean agree(WhatIf row, Optional<Expected> advice, Optional<Expected> model) {
        return advice.isEmpty()
                || model.isEmpty()
                || advice.get().atConcurrency() != model.get().atConcurrency()
                || Math.abs(advice.get().qps() / model.get().qps() - 1) <= SAME
                || violates(
                        Check.TWO_FIGURES_OF_ONE_CHANGE,
                        "what-if %s is left out: it gives %.0f/s at N=%d where the recommendation"
                                + " gives %.0f/s",
                        row.change().says(),
                        model.get().qps(),
                        model.get().atConcurrency(),
                        advice.get().qps());
    }

    /// True if the throughput of a what-if at a load is possible. It is at most the what-if's best
    /// at any load, and at most what that number of requests in flight allows (Little).
    private boolean isPossible(WhatIf row, RunResult result) {
        Optional<MeasuredLoad> now = load(result);
        Optional<Knee> knee = result.knee();
        if (row.expected().isEmpty() || now.isEmpty() || knee.isEmpty()) {
            return true;
        }
        return isPossible(
                "what-if " + row.change().says() + " is left out",
                row.expected().get(),
                Math.max(row.qps(), now.get().qps()),
                row.aloneMs(knee.get(), now.get()));
    }

    /// Returns the recommendation without impossible figures.
    private Recommendation possible(Recommendation r, RunResult result) {
        Optional<MeasuredLoad> now = load(result);
        if (r.expected().isEmpty() || now.isEmpty()) {
            return r;
        }
        double times = Math.max(1, r.predictedQpsRatio().orElse(1.0));
        double shorter = r.isAboutResponseTime() ? r.predictedRtRatio().orElse(1.0) : 1 / times;
        return isPossible(
                        "figures of recommendation " + r.id() + " are left out",
                        r.expected().get(),
                        r.isAboutResponseTime()
                                ? Double.POSITIVE_INFINITY
                                : times * now.get().qps(),
                        shorter * now.get().aloneMs())
                ? r
                : r.withoutExpected();
    }

    /// @param aloneMs the minimum response time of a request after the change
    private boolean isPossible(String what, Expected e, double bestQps, double aloneMs) {
        double inFlight = e.qps() * aloneMs / 1000;
        if (inFlight > (e.atConcurrency() + WHOLE_REQUEST) * (1 + SAME)) {
            return violates(
                    Check.FASTER_THAN_ALONE,
                    "%s: %.0f/s, each %.3g ms when alone, are %.1f in flight and not %d",
                    what,
                    e.qps(),
                    aloneMs,
                    inFlight,
                    e.atConcurrency());
        }
        return e.qps() <= bestQps * (1 + SAME)
                || violates(
                        Check.MORE_THAN_ITS_BOUND,
                        "%s: %.0f/s at N=%d where it gives %.0f/s at most",
                        what,
                        e.qps(),
                        e.atConcurrency(),
                        bestQps);
    }

    private static Optional<MeasuredLoad> load(RunResult result) {
        return result.operatingPoint().flatMap(p -> p.load(result.recording()));
    }

    /// True if a recommendation makes the change of a what-if.
    public static boolean isSameChange(Recommendation recommendation, WhatIf row) {
        return row.change() instanceof StandardChange standard && standard.isMadeBy(recommendation);
    }

    /// @return false, because the figure that violates a check is left out
    private boolean violates(Check check, String says, Object... values) {
        violations.add(new Violation(check, String.format(Locale.ROOT, says, values)));
        return false;
    }

    private <T> T leftOut(T rest, Check check, String says, Object... values) {
        violates(check, says, values);
        return rest;
    }
}
