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
