package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import java.util.List;

/// The loads of a plan that were measured, without repetitions.
final class MeasuredLoads {
    private MeasuredLoads() {}

    /// Measured loads in ascending order. If other processes disturbed a round, its load is
    /// measured again after the others. Tests that run at the same time may cause that.
    static List<Integer> of(List<Round> rounds) {
        return rounds.stream().map(Round::concurrency).distinct().sorted().toList();
    }
}
