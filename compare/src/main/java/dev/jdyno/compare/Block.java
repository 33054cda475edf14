package dev.jdyno.compare;

import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.trial.Side;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A block at one load: its kind, its concurrency or rate, and its length.
public record Block(Metric.Load load, Loads at, Duration length) {
    /// Measures the block, and repeats it if the client or the machine spoilt it. Empty if every
    /// attempt was spoilt or the measurement was stopped.
    ///
    /// @param discarded called for each spoilt attempt
    public Optional<Round> measure(Side side, BooleanSupplier stop, Runnable discarded)
            throws InterruptedException {
        return measure(side, stop, _ -> discarded.run());
    }

    /// @param discarded receives each spoilt attempt
    Optional<Round> measure(Side side, BooleanSupplier stop, Consumer<Round> discarded)
            throws InterruptedException {
        double seconds = Durations.seconds(length);
        for (int i = 0; i <= DisturbedRounds.MAX_REPEATS && !stop.getAsBoolean(); i++) {
            Optional<Round> round =
                    switch (load) {
                        case SATURATED -> side.saturated(at.concurrency(), seconds);
                        case FEW_USERS -> side.saturated(at.fewUsers(), seconds);
                        case FIXED_RATE, UNDER_GOAL ->
                                side.atRate(at.ratePerS(), at.connections(), seconds);
                    };
            if (round.isEmpty() || !isSpoilt(round.get())) {
                return round;
            }
            discarded.accept(round.get());
        }
        return Optional.empty();
    }

    private static boolean isSpoilt(Round round) {
        return round.client().saturated() || round.client().heldUp();
    }

    /// Describes the load for a progress line.
    public String says() {
        return switch (load) {
            case SATURATED -> "with " + at.concurrency() + " in flight";
            case FEW_USERS -> "with " + at.fewUsers() + " in flight";
            case FIXED_RATE -> "at a fixed rate";
            case UNDER_GOAL -> "at " + Math.round(at.ratePerS()) + "/s";
        };
    }
}
