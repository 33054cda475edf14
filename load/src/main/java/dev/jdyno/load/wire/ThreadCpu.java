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

    /// `on-core waited slices`, nanoseconds and a count, of whoever reads it.
    private static final Path SCHEDSTAT = Path.of("/proc/thread-self/schedstat");

    private ThreadCpu() {}

    /// CPU time the calling thread has used since it started, in nanoseconds; 0 where the system
    /// does not count it.
    public static long ofCurrentThread() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : 0;
    }

    /// How long the calling thread was ready to run and had no core since it started, in
    /// nanoseconds; 0 where the system does not count it.
    public static long waitOfCurrentThread() {
        try {
            return Long.parseLong(Files.readString(SCHEDSTAT).trim().split(" ")[1]);
        } catch (NoSuchFileException e) {
            return 0; // no Linux, or a kernel without scheduler statistics
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + SCHEDSTAT, e);
        }
    }
}
