package dev.jdyno.load.wire;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// CPU time of threads.
public final class ThreadCpu {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ThreadCpu() {}

    /// CPU time the calling thread has used since it started, in nanoseconds; 0 where the system
    /// does not count it.
    public static long ofCurrentThread() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : 0;
    }
}
