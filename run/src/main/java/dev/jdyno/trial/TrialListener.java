package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import java.util.Objects;
import java.util.Optional;

/// Hears how a trial goes; the command line turns it into a live view or plain lines.
public interface TrialListener {
    /// A new phase began: "warming up with 8 in flight".
    void phase(String says);

    /// A new phase began whose figures follow at its end: a round or a block.
    default void measuring(String says) {
        phase(says);
    }

    /// About once a second inside a phase.
    ///
    /// @param of the phase's expected length; empty when it ends by what it sees
    /// @param qps empty when requests are not counted
    void progress(double seconds, Optional<Double> of, Optional<Double> qps);

    void round(Round round);

    /// A block of a comparison, or of a guarded run, is finished.
    default void block(Block block, Round round) {
        // a comparison reports its own progress
    }

    /// Which block it was.
    ///
    /// @param of the variant's key; {@link #SERVICE} where there is but one
    /// @param load name of the load
    /// @param pair number of the pair, from 1; the blocks that are compared have the same
    record Block(String of, String load, int pair) {
        /// The only one.
        public static final String SERVICE = "service";

        public Block {
            Objects.requireNonNull(of);
            Objects.requireNonNull(load);
            if (pair < 1) {
                throw new IllegalArgumentException("a pair without a number");
            }
        }
    }

    /// The knee as the rounds so far tell it, after each round that tells it.
    ///
    /// @param concurrency requests in flight
    /// @param ci95 of the concurrency
    /// @param qps the most throughput
    default void knee(double concurrency, Interval ci95, double qps) {
        // the rounds themselves say enough on a terminal
    }

    /// Something the user should be able to read again later.
    void note(String says);
}
