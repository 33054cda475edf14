package dev.jdyno.load.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// CPU time of threads.
public final class ThreadCpu {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /// `on-core waited slices` of the thread that reads it: two times in nanoseconds and a number.
    private static final Path SCHEDSTAT = Path.of("/proc/thread-self/schedstat");

    private ThreadCpu() {}

    /// CPU time of the calling thread since it started, in nanoseconds; 0 if the system does not
    /// count it.
    public static long ofCurrentThread() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : 0;
    }

    /// Time in which the calling thread was ready to run but had no core since it started, in
    /// nanoseconds; 0 if the system does not count it.
    public static long waitOfCurrentThread() {
        try {
            return Long.parseLong(Files.readString(SCHEDSTAT).trim().split(" ")[1]);
        } catch (NoSuchFileException e) {
            return 0; // not Linux, or a kernel without scheduler statistics
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + SCHEDSTAT, e);
        }
    }
}
