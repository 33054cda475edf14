package dev.jdyno.trial.rounds;

import dev.jdyno.measure.Disturbance;
import java.util.Optional;

/// Takes a diagnostic window beside a round. Samples that were taken while others held other cores
/// than in the round show threads that wait for these: such a window is taken once more.
public final class FairWindow {
    private FairWindow() {}

    /// A window that was taken.
    ///
    /// @param whole whether there was load until its end: false where the run was stopped in it
    /// @param by what others did to it; empty where it is like its round
    public record Taken<T>(T window, boolean whole, Optional<Disturbance> by) {}

    /// How it is taken.
    public interface Taking<T> {
        Taken<T> take() throws InterruptedException;

        /// Waits until others leave the cores, and then holds the load again.
        void calmDown(Disturbance by) throws InterruptedException;

        /// Whether the run was stopped, and with it the load.
        boolean stopped();
    }

    /// The one of at most two that others disturbed less. A service without load shows nothing: of
    /// what was taken after the run was stopped nothing counts.
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
