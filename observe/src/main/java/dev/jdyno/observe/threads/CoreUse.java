package dev.jdyno.observe.threads;

/// Use of cores by one or more threads, as a mean over a window.
///
/// @param onCpu mean number of threads on a core
/// @param waiting mean number of threads in the run queue
public record CoreUse(double onCpu, double waiting) {
    public static final CoreUse NONE = new CoreUse(0, 0);
}
