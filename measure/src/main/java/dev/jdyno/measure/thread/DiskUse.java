package dev.jdyno.measure.thread;

import java.util.Optional;

/// What one disk did over a window, for whichever process.
///
/// @param device its name, such as `nvme0n1`
/// @param ofTarget whether files that the target holds open, or its working folder, lie on it
/// @param utilisation share of the window in which it had something to do; a device that serves
///   many at once is not at its end for that
/// @param waitMs mean time of a read or a write from asking to answer; empty when none was answered
/// @param queueDepth mean number of those under way
/// @param flushes empty where the kernel does not count them (before 5.5)
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
    /// Orders to the device to make what was written last.
    ///
    /// @param waitMs mean time of one; empty when there was none
    public record Flushes(double perS, Optional<Double> waitMs) {}

    public double operationsPerS() {
        return readsPerS + writesPerS;
    }

    public double bytesPerS() {
        return readBytesPerS + writtenBytesPerS;
    }
}
