package dev.jdyno.warm;

import dev.jdyno.trial.ColdStart;
import dev.jdyno.trial.ColdStart.Second;
import java.util.List;
import java.util.Optional;

/// The figures of one start. All times are seconds since the launch of the process.
///
/// @param firstAnswerS time of the first good answer
/// @param trafficS start of the traffic; later than the first answer if calls come before it
/// @param to90S time from which throughput is at least 90 % of full speed; empty if it never was
/// @param to99S the same for 99 %
/// @param lostS seconds of full speed that the start cost until the end of the traffic: the time
///   before the traffic, and the area between full speed and the throughput curve
/// @param slow number of requests that took longer than the limit, or timed out
public record StartFigures(
        double firstAnswerS,
        double trafficS,
        Optional<Double> to90S,
        Optional<Double> to99S,
        double lostS,
        long slow) {
    /// Number of seconds over which throughput is averaged before it is compared with full speed.
    static final int WINDOW = 3;

    /// Number of seconds at the end of a start whose mean is that start's full speed.
    static final int LAST = 5;

    /// @param fullQps throughput that counts as full speed
    static StartFigures of(ColdStart.Curve curve, double fullQps) {
        double lost = curve.trafficS();
        long slow = 0;
        for (Second s : curve.seconds()) {
            lost += s.seconds() * (1 - s.qps() / fullQps);
            slow += s.slow();
        }
        return new StartFigures(
                curve.firstAnswerS(),
                curve.trafficS(),
                reached(curve.seconds(), 0.90 * fullQps),
                reached(curve.seconds(), 0.99 * fullQps),
                lost,
                slow);
    }

    /// The end of the first second from which the mean over the window reaches this throughput.
    private static Optional<Double> reached(List<Second> seconds, double qps) {
        for (int i = 0; i + WINDOW <= seconds.size(); i++) {
            if (mean(seconds.subList(i, i + WINDOW)) >= qps) {
                return Optional.of(seconds.get(i).atS());
            }
        }
        return Optional.empty();
    }

    /// Throughput in the last seconds of the traffic. If throughput after a pause of the load is
    /// higher, that value is used instead.
    static double speed(ColdStart.Curve curve) {
        return Math.max(last(curve), curve.afterRestQps().orElse(0.0));
    }

    /// Number of requests that failed in the last seconds.
    static long lastErrors(ColdStart.Curve curve) {
        return lastOf(curve).stream().mapToLong(Second::errors).sum();
    }

    /// Throughput of the last seconds.
    static double last(ColdStart.Curve curve) {
        return mean(lastOf(curve));
    }

    private static List<Second> lastOf(ColdStart.Curve curve) {
        List<Second> all = curve.seconds();
        return all.subList(Math.max(0, all.size() - LAST), all.size());
    }

    private static double mean(List<Second> seconds) {
        return seconds.stream().mapToDouble(Second::qps).average().orElse(0);
    }
}
