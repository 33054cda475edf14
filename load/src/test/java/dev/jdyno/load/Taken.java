package dev.jdyno.load;

import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.Eventually;
import java.util.function.Predicate;

/// What a session has done, taken window by window until it is enough for a test.
public final class Taken {
    private LoadWindow sum;

    private Taken(LoadWindow first) {
        sum = first;
    }

    /// The sum of all windows up to the one that makes it enough.
    public static LoadWindow until(LoadSession session, Predicate<LoadWindow> enough) {
        var taken = new Taken(session.take());
        Eventually.until(
                () -> "enough of " + taken.sum,
                () -> enough.test(taken.sum) || enough.test(taken.plus(session.take())));
        return taken.sum;
    }

    /// All windows of a session whose requests are counted.
    public static LoadWindow all(LoadSession session) {
        Eventually.until("the session to finish", session::isFinished);
        return session.take();
    }

    private LoadWindow plus(LoadWindow next) {
        sum = sum.plus(next);
        return sum;
    }
}
