package dev.jdyno.load;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.verdict.Validity;
import java.util.List;

/// What holds a level of load and measures it: this process ({@link LoadSession}), or others on
/// hosts of their own.
public interface LoadGenerator extends AutoCloseable {
    /// Changes the load from now on.
    ///
    /// @throws dev.jdyno.measure.text.UserError when it cannot be held
    void apply(Level level);

    /// Everything since the last take, or since the start.
    LoadWindow take();

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
