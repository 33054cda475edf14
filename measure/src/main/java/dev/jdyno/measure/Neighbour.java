package dev.jdyno.measure;

/// Another process of the machine, and the CPU that it used.
///
/// @param name the program's; of a JVM also what it runs
/// @param cores over the time that is looked at
public record Neighbour(String name, long pid, double cores) {
    /// Cores from which the use of a process, or the change of it, is worth naming it.
    public static final double NAMED_FROM = 0.05;

    /// Processes that are named together, the largest first.
    public static final int NAMED = 3;
}
