package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import java.util.List;

/// The loads of a plan that were measured.
final class MeasuredLoads {
    private MeasuredLoads() {}

    /// Ascending. A load is measured again, after the others, where other processes disturbed its
    /// round, which those of a test beside it do.
    static List<Integer> of(List<Round> rounds) {
        return rounds.stream().map(Round::concurrency).distinct().sorted().toList();
    }
}
