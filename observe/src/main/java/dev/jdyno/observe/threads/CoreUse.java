package dev.jdyno.observe.threads;

/// Mean use of cores over a window, in threads.
///
/// @param onCpu on a core
/// @param waiting in the run queue
public record CoreUse(double onCpu, double waiting) {
    public static final CoreUse NONE = new CoreUse(0, 0);
}
