package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import java.util.Objects;
import java.util.Optional;

/// Receives the progress of a trial. The command line shows it as a live view or as plain lines.
public interface TrialListener {
    /// Called when a new phase begins: "warming up with 8 in flight".
    void phase(String says);

    /// Called when a new phase begins whose figures follow at its end: a round or a block.
    default void measuring(String says) {
        phase(says);
    }

    /// Called about once a second in a phase.
    ///
    /// @param of expected length of the phase in seconds; empty if it is not known in advance
    /// @param qps empty if requests are not counted
    void progress(double seconds, Optional<Double> of, Optional<Double> qps);

    void round(Round round);

    /// Called when a block of a comparison or of a guarded run is finished.
    default void block(Block block, Round round) {
        // a comparison reports its own progress
    }

    /// Identifies a block.
    ///
    /// @param of key of the variant; {@link #SERVICE} if there is only one
    /// @param load name of the load
    /// @param pair number of the pair, from 1; the two blocks that are compared have the same
    ///   number
    record Block(String of, String load, int pair) {
        /// Key of the only variant.
        public static final String SERVICE = "service";

        public Block {
            Objects.requireNonNull(of);
            Objects.requireNonNull(load);
            if (pair < 1) {
                throw new IllegalArgumentException("a pair without a number");
            }
        }
    }

    /// Called after each round that shows a knee, with the knee of the rounds so far.
    ///
    /// @param concurrency requests in flight at the knee
    /// @param ci95 95 % interval of the concurrency
    /// @param qps maximum throughput
    default void knee(double concurrency, Interval ci95, double qps) {
        // on a terminal, the lines of the rounds are enough
    }

    /// A message that the user should be able to read again later.
    void note(String says);
}
