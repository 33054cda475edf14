package dev.jdyno.measure;

import java.util.Optional;

/// The machine on which a service runs.
///
/// @param cores cores of the machine that its processes may use
/// @param kernel name and version of its operating system
/// @param stealPct share of CPU time that the hypervisor took, in percent
/// @param host its name; empty in recordings of earlier versions, and if it is unknown
/// @param cpu model name of its processor; empty as `host`
public record Machine(
        int cores,
        long memoryBytes,
        String kernel,
        double stealPct,
        Optional<String> host,
        Optional<String> cpu) {
    /// A machine whose name and processor are unknown.
    public Machine(int cores, long memoryBytes, String kernel, double stealPct) {
        this(cores, memoryBytes, kernel, stealPct, Optional.empty(), Optional.empty());
    }
}
