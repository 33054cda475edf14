package dev.jdyno.measure.thread;

import java.util.Optional;

/// Activity of one disk over a window, by all processes.
///
/// @param device its name, such as `nvme0n1`
/// @param ofTarget whether the disk has files that the target holds open, or its working folder
/// @param utilisation share of the window in which the disk had work. A device that serves many
///   operations at once is not necessarily saturated at 1.
/// @param waitMs mean time of a read or a write from request to completion; empty when none was
///   completed
/// @param queueDepth mean number of operations in progress
/// @param flushes flushes of the disk; empty if the kernel does not count them (before 5.5)
public record DiskUse(
        String device,
        boolean ofTarget,
        double readsPerS,
        double writesPerS,
        double readBytesPerS,
        double writtenBytesPerS,
        double utilisation,
        Optional<Double> waitMs,
        double queueDepth,
        Optional<Flushes> flushes) {
    /// Flushes: commands to the device to make written data durable.
    ///
    /// @param waitMs mean time of a flush; empty when there was none
    public record Flushes(double perS, Optional<Double> waitMs) {}

    public double operationsPerS() {
        return readsPerS + writesPerS;
    }

    public double bytesPerS() {
        return readBytesPerS + writtenBytesPerS;
    }
}
