package dev.jdyno.measure;

/// The machine that client and target ran on.
public record Machine(int cores, long memoryBytes, String kernel, double stealPct) {}
