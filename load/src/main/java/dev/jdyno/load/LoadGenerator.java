package dev.jdyno.load;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.verdict.Validity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Holds a level of load and measures it. The load comes from this process ({@link LoadSession}),
/// from processes on other hosts, or from a program of the user.
public interface LoadGenerator extends AutoCloseable {
    /// Changes the load from now on.
    ///
    /// @throws dev.jdyno.measure.text.UserError if this load cannot be held
    void apply(Level level);

    /// Returns all measurements since the last call, or since the start.
    LoadWindow take();

    /// Starts the next window and discards the measurements of the last window.
    default void begin() {
        take();
    }

    /// Waits until a window may begin. If the load consists of runs of a program, this method
    /// starts the next run and returns when the program sends.
    ///
    /// @param stop asked at least four times a second; true ends the waiting
    /// @return true if this method waited; then the windows of the server side must begin now, too
    /// @throws dev.jdyno.measure.text.UserError if the load cannot be held
    default boolean awaitWindow(BooleanSupplier stop) throws InterruptedException {
        return false;
    }

    /// Waits until the level is sent. A program of the user that was started by {@link #apply}
    /// needs time until its first request.
    ///
    /// @param stop asked at least four times a second; true ends the waiting
    default void awaitSending(BooleanSupplier stop) throws InterruptedException {}

    /// Maximum length of the window that begins now.
    default Duration window() {
        return Duration.ofSeconds(1);
    }

    /// Ends the window now. The next {@link #take()} returns it and may take some time.
    default void cut() {}

    /// The program of the user that sends the load; empty if jdyno sends it.
    default Optional<DriverFacts> driver() {
        return Optional.empty();
    }

    /// The addresses of the URL's host, as `address:port`.
    ///
    /// @param used the addresses that receive the load
    /// @param unanswered the addresses that accepted no connection when the load began; they
    ///   receive no load
    record Addresses(List<String> used, List<String> unanswered) {
        /// Used where other programs send the load and resolve the name themselves.
        public static final Addresses UNKNOWN = new Addresses(List.of(), List.of());

        public Addresses {
            used = List.copyOf(used);
            unanswered = List.copyOf(unanswered);
        }
    }

    /// The addresses that receive the load.
    default Addresses addresses() {
        return Addresses.UNKNOWN;
    }

    /// Reasons to distrust all measurements of this generator, in addition to those in the windows.
    default List<Validity.Warning> warnings() {
        return List.of();
    }

    /// Cuts off requests in flight and ends the load.
    @Override
    void close();
}
