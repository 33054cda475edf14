package dev.jdyno.observe;

/// Mean over a window, in threads.
///
/// @param onCpu on a core
/// @param waiting in the run queue
record CoreUse(double onCpu, double waiting) {
    static final CoreUse NONE = new CoreUse(0, 0);
}
