package dev.jdyno.capacity.goal;

import dev.jdyno.capacity.RequestPath;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Durations;
import java.util.List;
import java.util.OptionalDouble;

/// The time under load that a certain answer costs, estimated before the search.
///
/// The tail of the wait in a queue with saturation μ falls as e^(−μ (1 − ρ) t) for service times
/// with c² = 1. With steadier service times the cost is lower. Pauses add their share of misses.
/// From this follow the knee, and the number of requests that a trial just below it and one just
/// above it need. That number gives their time. The estimate is good to a factor of about two,
/// because the service is not known yet.
///
/// @param kneeShare the expected knee as a share of saturation
/// @param seconds time under load of both trials; empty if it is more than a day
public record SearchCost(double kneeShare, OptionalDouble seconds, String says) {
    private static final double MAX_SECONDS = 86_400;

    /// @param saturationQps throughput under overload
    /// @param minRtMs response time with no other request in the service
    /// @param known the pauses of the warm-up
    /// @param precision half width of the bracket, as a share of the rate
    public static SearchCost of(
            Goal goal, double saturationQps, double minRtMs, PauseLog known, double precision) {
        if (goal.limitMs().isEmpty()) {
            // goals for errors cannot be estimated beforehand; the time for the other goals is
            // enough for them, too
            double seconds = OpenKneeSearch.MIN_GOOD_SECONDS + OpenKneeSearch.MIN_BAD_SECONDS;
            return new SearchCost(
                    1, OptionalDouble.of(seconds), goal.name() + " is measured in the same trials");
        }
        double slackS = Math.max(0, goal.limitMs().getAsDouble() - minRtMs) / 1000;
        PauseRecord pauses = PauseRecord.of(List.of(), known, goal.limitMs());
        var misses = new MissShare(goal, 0, saturationQps, DECISION_Z);
        double lo = 0;
        double hi = 1;
        for (int i = 0; i < 50; i++) {
            double mid = (lo + hi) / 2;
            double share = queueShare(saturationQps, slackS, mid) + pauses.share(mid, 0, 0).share();
            if (share > goal.allowedShare()) {
                hi = mid;
            } else {
                lo = mid;
            }
        }
        double knee = lo;
        double seconds = 10;
        while (seconds <= MAX_SECONDS
                && !decides(
                        goal, misses, pauses, saturationQps, slackS, knee, precision, seconds)) {
            seconds *= 1.1;
        }
        boolean tooLong = seconds > MAX_SECONDS || knee <= 0;
        String says =
                tooLong
                        ? "%s cannot be measured to ±%s %% in a day: at any load, pauses cause nearly as many misses as the goal allows"
                                .formatted(goal.name(), RequestPath.number(100 * precision))
                        : "%s to ±%s %% needs about %s of load"
                                .formatted(
                                        goal.name(),
                                        RequestPath.number(100 * precision),
                                        Durations.format(
                                                Durations.ofSeconds(
                                                        Math.ceil(2 * seconds / 60) * 60)));
        return new SearchCost(
                knee, tooLong ? OptionalDouble.empty() : OptionalDouble.of(2 * seconds), says);
    }

    private static final double DECISION_Z = 2;

    private static boolean decides(
            Goal goal,
            MissShare misses,
            PauseRecord pauses,
            double saturation,
            double slackS,
            double knee,
            double precision,
            double seconds) {
        double under = knee * (1 - precision);
        double over = Math.min(1, knee * (1 + precision));
        ShareBounds below =
                misses.forecast(
                        under * saturation, queueShare(saturation, slackS, under), pauses, seconds);
        ShareBounds above =
                misses.forecast(
                        over * saturation, queueShare(saturation, slackS, over), pauses, seconds);
        return below.upper() < goal.allowedShare() && above.lower() > goal.allowedShare();
    }

    private static double queueShare(double saturation, double slackS, double rho) {
        return Math.exp(-saturation * (1 - rho) * slackS);
    }
}
