package dev.jdyno.measure;

import java.util.List;

/// A round in which other processes took clearly more or less CPU than in comparable rounds ({@link
/// DisturbedRounds} has the limit).
///
/// @param takenCores cores that other processes and the hypervisor took from the target
/// @param usualCores cores they took in comparable rounds, at this round's throughput
/// @param stolenCores the hypervisor's part of `takenCores`
/// @param seconds seconds of the round with a clear difference
/// @param by the processes responsible, as far as they are known, the largest first. These
///   processes used more than usual, or, if less was taken, they were missing.
/// @param kept whether the round counts because no better round exists at its load
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

    /// True if more cores were taken than usual, false if fewer.
    public boolean more() {
        return takenCores > usualCores;
    }

    /// Absolute difference between the cores taken and the usual cores.
    public double difference() {
        return Math.abs(takenCores - usualCores);
    }

    /// The same disturbance, for a disturbed round that is used nevertheless.
    public Disturbance asKept() {
        return new Disturbance(takenCores, usualCores, stolenCores, seconds, by, true);
    }
}
