package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Quantiles;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Decides which closed-loop round to run next, so that few rounds are enough to find the knee. The
/// caller runs the rounds. The decision depends only on the rounds so far, so a search can be
/// stopped, stored and continued.
///
/// 1. The first round has one user. Its CPU use and response time give an estimate of the knee
///    (F5).
/// 2. The next round has half of the estimated load and gives a new estimate. The one after it has
///    twice that estimate. The load is raised further as long as throughput follows N / R_min. When
///    throughput is lower, the crossing of the asymptotes is the new estimate, for any kind of
///    bottleneck.
/// 3. Then the missing loads around the crossing are measured: at the knee, below it, above it, and
///    far above it to see whether throughput falls.
/// 4. Finally, rounds are repeated at the loads that narrow the interval most, until it is as
///    narrow as requested.
public record KneeSearch(Settings settings) {
    /// Share of N / R_min. A throughput below this share shows that requests queue.
    private static final double QUEUEING_SHARE = 0.8;

    /// Maximum factor by which the load rises from one round to the next, because an estimate from
    /// an almost idle service may be far off.
    private static final double LARGEST_STEP = 8;

    /// Factor by which the load rises without a better estimate.
    private static final double BLIND_STEP = 2;

    /// Highest load that the answer needs, as a multiple of the knee; {@link #MIN_FAR} is its
    /// minimum. The minimum matters if one request saturates the limit, for example a lock held
    /// during the whole request. Four times the knee is then only four requests, with almost no
    /// queue. This load also shows whether throughput falls.
    private static final double FAR = 4.0;

    private static final double MIN_FAR = 16;

    /// Loads around the knee that the answer needs, as multiples of the knee, the most useful
    /// first.
    private static final double[] WANTED = {2.0, 0.5, 1.0, FAR, 0.25};

    /// Maximum ratio of a round's load to a wanted load, or the reverse, for the round to count as
    /// measured at the wanted load.
    private static final double NEAR = 1.25;

    /// Minimum length of a round as a multiple of the response time, because a mean needs requests
    /// that ended in the round.
    private static final double RESPONSE_TIMES_PER_ROUND = 20;

    /// @param maxConcurrency maximum load allowed
    /// @param roundSeconds minimum length of a round
    /// @param budgetSeconds maximum time under load in total
    /// @param precision half width of the interval, as a share of the knee, at which the search
    ///   ends
    /// @param maxRounds maximum number of rounds, whatever the budget
    /// @param machineCores cores of the machine that target and client share
    /// @param start the last known knee; it replaces the estimate from a single user
    public record Settings(
            int maxConcurrency,
            double roundSeconds,
            double budgetSeconds,
            double precision,
            int maxRounds,
            double machineCores,
            Optional<Double> start) {
        public Settings {
            if (maxConcurrency < 1 || maxRounds < 1) {
                throw new IllegalArgumentException("at least one request in flight and one round");
            }
            if (!(roundSeconds > 0) || !(budgetSeconds > 0) || !(precision > 0)) {
                throw new IllegalArgumentException("times and precision must be positive");
            }
        }

        /// Standard settings: rounds of 5 s, 90 s in all, ±10 %.
        public static Settings standard(int maxConcurrency, double machineCores) {
            return new Settings(maxConcurrency, 5, 90, 0.10, 14, machineCores, Optional.empty());
        }
    }

    /// The next step of the search.
    public sealed interface Step {
        /// @param why the purpose of the round, for the progress line
        record Measure(int concurrency, double seconds, String why) implements Step {}

        record Done(Reason reason, String says) implements Step {}
    }

    public enum Reason {
        /// The knee is as precise as requested.
        PRECISE_ENOUGH,
        /// The load limit was reached before the knee.
        LOAD_LIMIT,
        /// Time or rounds ran out.
        BUDGET_SPENT,
        /// The load client was the limit; more load would measure the client.
        CLIENT_SATURATED,
        /// A round had no good request.
        NO_GOOD_REQUESTS
    }

    /// The knee from the rounds so far.
    ///
    /// @param concurrency N*, where the asymptotes cross
    /// @param qps X_max
    /// @param ci95 interval of N*
    public record Estimate(double concurrency, double qps, Interval ci95) {}

    /// @return empty as long as throughput has not become flat
    public static Optional<Estimate> soFar(List<Round> rounds) {
        return switch (Asymptotes.of(rounds)) {
            case Asymptotes.Fit.Crossing(Asymptotes a) ->
                    Optional.of(
                            new Estimate(
                                    a.kneeConcurrency(), a.maxQps(), a.kneeCi95(rounds.size())));
            case Asymptotes.Fit.None _ -> Optional.empty();
        };
    }

    public Step next(List<Round> rounds) {
        if (rounds.isEmpty()) {
            return measure(1, rounds, "one user: response time and CPU without queueing");
        }
        Round last = rounds.getLast();
        if (last.qps() <= 0) {
            return done(
                    Reason.NO_GOOD_REQUESTS,
                    "no request succeeded with " + last.concurrency() + " in flight");
        }
        if (last.client().saturated() && !last.client().heldUp()) {
            return done(
                    Reason.CLIENT_SATURATED,
                    "the client was the limit with " + last.concurrency() + " in flight");
        }
        double spent = rounds.stream().mapToDouble(Round::seconds).sum();
        if (rounds.size() >= settings.maxRounds()
                || spent + settings.roundSeconds() > settings.budgetSeconds()) {
            return done(
                    Reason.BUDGET_SPENT,
                    rounds.size() + " rounds and " + number(spent) + " s of load were spent");
        }
        return switch (Asymptotes.of(rounds)) {
            case Asymptotes.Fit.Crossing(Asymptotes a) -> around(a, rounds);
            case Asymptotes.Fit.None _ -> towards(rounds);
        };
    }

    /// Returns the next step as long as no plateau has been found.
    private Step towards(List<Round> rounds) {
        Round highest =
                rounds.stream().max(Comparator.comparingInt(Round::concurrency)).orElseThrow();
        double minRt = rounds.stream().mapToDouble(Round::rtMsByLittle).min().orElseThrow();
        double crossing = highest.qps() * minRt / 1000;
        if (crossing < QUEUEING_SHARE * highest.concurrency()) {
            for (double multiple : new double[] {1.0, 0.5, 2.0, 4.0}) {
                int n = concurrency(multiple * crossing);
                if (rounds.stream().noneMatch(r -> r.concurrency() == n)) {
                    return measure(
                            n, rounds, "requests queue: near the crossing of N / R and X_max");
                }
            }
        }
        if (highest.concurrency() >= settings.maxConcurrency()) {
            return done(
                    Reason.LOAD_LIMIT,
                    "throughput still rose at the highest load allowed, "
                            + highest.concurrency()
                            + " in flight");
        }
        double estimate = estimate(rounds, minRt, highest);
        double wanted = rounds.size() == 1 ? estimate / 2 : estimate * 2;
        double max = highest.concurrency() * LARGEST_STEP;
        // requests did not queue at the estimated load, so the estimate was wrong: double the load
        double min = highest.concurrency() * (rounds.size() == 1 ? 1.5 : BLIND_STEP);
        int n = concurrency(Math.clamp(wanted, min, max));
        return measure(n, rounds, "the knee is estimated at " + number(estimate));
    }

    /// Returns the knee estimated from CPU demand and response time (F1), or twice the load if CPU
    /// was not measured. With only one round, this is the knee from one user (F5).
    private double estimate(List<Round> rounds, double minRtMs, Round highest) {
        if (settings.start().isPresent()) {
            return settings.start().get();
        }
        List<Round> seen =
                rounds.stream().filter(r -> r.cpuMsPerRequest().orElse(0.0) > 0).toList();
        if (seen.isEmpty()) {
            return BLIND_STEP * highest.concurrency();
        }
        CpuSupply supply = CpuSupply.of(settings.machineCores(), seen);
        double cpuMs =
                Quantiles.median(
                        seen.stream()
                                .mapToDouble(r -> r.cpuMsPerRequest().orElseThrow())
                                .toArray());
        return supply.maxQps(cpuMs) * minRtMs / 1000;
    }

    private Step around(Asymptotes a, List<Round> rounds) {
        double knee = a.kneeConcurrency();
        for (double multiple : WANTED) {
            double wanted = multiple * knee;
            int n = concurrency(multiple == FAR ? Math.max(wanted, MIN_FAR) : wanted);
            if (rounds.stream().noneMatch(r -> near(r.concurrency(), n))) {
                return measure(n, rounds, "at " + number(n / knee) + " × the knee");
            }
        }
        Interval ci = a.kneeCi95(rounds.size());
        double halfWidth = ci.width() / 2 / knee;
        if (halfWidth <= settings.precision()) {
            return done(
                    Reason.PRECISE_ENOUGH,
                    "the knee is known to ±%s %% after %d rounds"
                            .formatted(number(100 * halfWidth), rounds.size()));
        }
        // the level (plateau or base) with fewer rounds is less certain
        return a.plateau().size() <= a.base().size()
                ? measure(concurrency(2 * knee), rounds, "once more above the knee")
                : measure(concurrency(0.5 * knee), rounds, "once more below the knee");
    }

    private static boolean near(int n, int wanted) {
        double ratio = (double) n / wanted;
        return ratio <= NEAR && ratio >= 1 / NEAR;
    }

    private int concurrency(double wanted) {
        return Math.clamp(Math.round(wanted), 1, settings.maxConcurrency());
    }

    private Step measure(int n, List<Round> rounds, String why) {
        double seconds =
                Math.max(
                        settings.roundSeconds(),
                        RESPONSE_TIMES_PER_ROUND * foreseenRtMs(n, rounds) / 1000);
        return new Step.Measure(n, seconds, why);
    }

    /// Returns the expected response time at load `n`: R_min below the knee (F3), n / X_max above
    /// it (F4). It uses the present estimate of the knee.
    private double foreseenRtMs(int n, List<Round> rounds) {
        if (rounds.isEmpty()) {
            return 0;
        }
        double minRt = rounds.stream().mapToDouble(Round::rtMsByLittle).min().orElseThrow();
        Round highest =
                rounds.stream().max(Comparator.comparingInt(Round::concurrency)).orElseThrow();
        double knee =
                switch (Asymptotes.of(rounds)) {
                    case Asymptotes.Fit.Crossing(Asymptotes a) -> a.kneeConcurrency();
                    case Asymptotes.Fit.None _ -> estimate(rounds, minRt, highest);
                };
        return minRt * Math.max(1, n / Math.max(1, knee));
    }

    private static Step done(Reason reason, String says) {
        return new Step.Done(reason, says);
    }
}
