package dev.jdyno.load;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.verdict.Validity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// What holds a level of load and measures it: this process ({@link LoadSession}), others on hosts
/// of their own, or a program of the user's.
public interface LoadGenerator extends AutoCloseable {
    /// Changes the load from now on.
    ///
    /// @throws dev.jdyno.measure.text.UserError when it cannot be held
    void apply(Level level);

    /// Everything since the last take, or since the start.
    LoadWindow take();

    /// Begins the next window, whatever the last one measured.
    default void begin() {
        take();
    }

    /// Waits until a window may begin. A load that consists of runs of a program starts the next
    /// run, and returns when the program sends.
    ///
    /// @param stop asked at least four times a second; true ends the waiting
    /// @return whether it waited, so that the windows of the server side begin now, too
    /// @throws dev.jdyno.measure.text.UserError when the load cannot be held
    default boolean awaitWindow(BooleanSupplier stop) throws InterruptedException {
        return false;
    }

    /// How long the window that begins now may last.
    default Duration window() {
        return Duration.ofSeconds(1);
    }

    /// Ends the window now; {@link #take()} gives it, which may take some time.
    default void cut() {}

    /// The program of the user's that sends the load; empty where the load is ours.
    default Optional<DriverFacts> driver() {
        return Optional.empty();
    }

    /// The addresses of the URL's host, as `address:port`.
    ///
    /// @param used those that the load goes to
    /// @param unanswered those that accepted no connection when the load began, and get none of it
    record Addresses(List<String> used, List<String> unanswered) {
        /// Where others send the load, which look the name up themselves.
        public static final Addresses UNKNOWN = new Addresses(List.of(), List.of());

        public Addresses {
            used = List.copyOf(used);
            unanswered = List.copyOf(unanswered);
        }
    }

    /// Where the load goes to.
    default Addresses addresses() {
        return Addresses.UNKNOWN;
    }

    /// What speaks against all that it has measured, beside what the windows say.
    default List<Validity.Warning> warnings() {
        return List.of();
    }

    /// Cuts off what is in flight and ends the load.
    @Override
    void close();
}
