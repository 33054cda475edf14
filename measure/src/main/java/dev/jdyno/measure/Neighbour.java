package dev.jdyno.measure;

/// Another process of the machine, and the CPU that it used.
///
/// @param name name of the program; for a JVM also what it runs
/// @param cores CPU use in the observed time, in cores
public record Neighbour(String name, long pid, double cores) {
    /// Minimum CPU use of a process, or change of it, to name the process, in cores.
    public static final double NAMED_FROM = 0.05;

    /// Maximum number of processes that are named together, the largest first.
    public static final int NAMED = 3;
}
