package dev.jdyno.load;

import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.Eventually;
import java.util.function.Predicate;

/// Sums the windows of a session until they satisfy a test.
public final class Taken {
    private LoadWindow sum;

    private Taken(LoadWindow first) {
        sum = first;
    }

    /// The sum of all windows up to the one with which the condition is true.
    public static LoadWindow until(LoadSession session, Predicate<LoadWindow> enough) {
        var taken = new Taken(session.take());
        Eventually.until(
                () -> "enough of " + taken.sum,
                () -> enough.test(taken.sum) || enough.test(taken.plus(session.take())));
        return taken.sum;
    }

    /// The sum of all windows up to the one with which the mean rate is between the bounds, or of
    /// half a minute. An open model sends late what became due while the machine was stopped, so
    /// its mean rate returns to the given one. A wrong rate never does.
    ///
    /// @param seconds minimum time
    static LoadWindow atRate(LoadSession session, double seconds, double least, double most) {
        return until(
                session,
                w ->
                        w.seconds() > seconds
                                && (w.seconds() > 30 || (w.qps() >= least && w.qps() <= most)));
    }

    /// All windows of a session that ends by its number of requests.
    public static LoadWindow all(LoadSession session) {
        Eventually.until("the session to finish", session::isFinished);
        return session.take();
    }

    private LoadWindow plus(LoadWindow next) {
        sum = sum.plus(next);
        return sum;
    }
}
