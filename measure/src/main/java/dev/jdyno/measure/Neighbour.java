package dev.jdyno.measure;

/// Another process of the machine, and the CPU that it used.
///
/// @param name the program's; of a JVM also what it runs
/// @param cores over the time that is looked at
public record Neighbour(String name, long pid, double cores) {}
