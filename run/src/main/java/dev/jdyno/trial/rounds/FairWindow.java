package dev.jdyno.trial.rounds;

import dev.jdyno.measure.Disturbance;
import java.util.Optional;

/// Takes a diagnostic window next to a round. If other processes used more or fewer cores than in
/// the round, the samples do not show the round's waits. Such a window is taken once more.
public final class FairWindow {
    private FairWindow() {}

    /// A window that was taken.
    ///
    /// @param whole true if there was load until its end; false if the run was stopped in the
    ///   window
    /// @param by the disturbance by other processes; empty if the window is like its round
    public record Taken<T>(T window, boolean whole, Optional<Disturbance> by) {}

    /// The steps of taking a window.
    public interface Taking<T> {
        Taken<T> take() throws InterruptedException;

        /// Waits until other processes leave the cores, and then holds the load again.
        void calmDown(Disturbance by) throws InterruptedException;

        /// True if the run and its load were stopped.
        boolean stopped();
    }

    /// The less disturbed one of at most two windows. A window in which the run was stopped does
    /// not count, because a service without load shows nothing.
    public static <T> Taken<T> of(Taking<T> taking) throws InterruptedException {
        Taken<T> first = taking.take();
        if (first.by().isEmpty() || taking.stopped()) {
            return first;
        }
        taking.calmDown(first.by().get());
        if (taking.stopped()) {
            return first;
        }
        Taken<T> second = taking.take();
        return second.whole() && difference(second) <= difference(first) ? second : first;
    }

    private static double difference(Taken<?> taken) {
        return taken.by().map(Disturbance::difference).orElse(0.0);
    }
}
