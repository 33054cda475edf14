package dev.jdyno.measure;

import java.util.List;

/// A round in which other processes took clearly more or less CPU than in comparable rounds ({@link
/// DisturbedRounds} has the limit).
///
/// @param takenCores cores that other processes and the hypervisor took from the target
/// @param usualCores what they took in the rounds that it is compared with, at its throughput
/// @param stolenCores the hypervisor's part of `takenCores`
/// @param seconds seconds of the round in which it was so
/// @param by who it was, as far as it is known, the largest first: processes that used more than
///   usual, or, where less was taken, those that were missing
/// @param kept whether the round counts for want of a better one at its load
public record Disturbance(
        double takenCores,
        double usualCores,
        double stolenCores,
        int seconds,
        List<Neighbour> by,
        boolean kept) {
    public Disturbance {
        by = List.copyOf(by);
    }

    /// More than usual, or less.
    public boolean more() {
        return takenCores > usualCores;
    }

    /// Cores by which what was taken differs from the usual, in either direction.
    public double difference() {
        return Math.abs(takenCores - usualCores);
    }

    /// The same of a round that counts all the same.
    public Disturbance asKept() {
        return new Disturbance(takenCores, usualCores, stolenCores, seconds, by, true);
    }
}
