package dev.jdyno.measure.thread;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Signals.Sign;
import java.util.Optional;

/// The share of a service's CPU that produces and writes log lines, computed from the threads of a
/// diagnostic window.
public record LogWork(ThreadSamples window) {
    /// Mean number of threads on cores that format or write log lines. A thread blocked in a write
    /// to standard output, until its reader takes the line, uses no core and is not counted.
    public double threadsOnCores() {
        double atWork =
                window.busy().stream()
                        .filter(b -> b.place() instanceof Place.Log log && log.step().atWork())
                        .mapToDouble(ThreadSamples.Busy::threads)
                        .sum();
        double blocked =
                slowReader().isPresent()
                        ? window.signals().of(Sign.WRITES_TO_OUTPUT).orElse(0.0)
                        : 0;
        return Math.max(0, atWork - blocked);
    }

    /// Share of the service's CPU that is no longer needed without log lines, 0…1.
    public double share() {
        double logging = threadsOnCores();
        return logging <= 0 ? 0 : logging / (logging + window.threads(Cause.CPU));
    }

    /// Upper end of the 95 % interval of {@link #share}, 0…1. Each thread found on a core in a dump
    /// counts as one observation, and there are few of them.
    public double mostShare() {
        double share = share();
        double seen = window.dumps() * (threadsOnCores() + window.threads(Cause.CPU));
        return share <= 0 ? 0 : Interval.ofShare(share, Math.max(1, (int) seen)).hi();
    }

    /// The kind of standard output if its reader is slow, else empty. The reader is slow if a
    /// thread is in a write nearly all the time. Standard output must then be a pipe, a terminal or
    /// similar, which another process reads.
    public Optional<String> slowReader() {
        return window.signals()
                .of(Sign.WRITES_TO_OUTPUT)
                .filter(threads -> threads >= ThreadSamples.ONE_AT_A_TIME)
                .flatMap(_ -> window.signals().place(Sign.WRITES_TO_OUTPUT))
                .flatMap(LogWork::read);
    }

    /// The kind of a file descriptor that a process or a terminal reads: `a pipe`; empty for a
    /// file.
    ///
    /// @param output the kernel's name of the descriptor's target
    public static Optional<String> read(String output) {
        if (output.startsWith("pipe:")) {
            return Optional.of("a pipe");
        }
        if (output.startsWith("socket:")) {
            return Optional.of("a socket");
        }
        return output.startsWith("/dev/pts/") || output.startsWith("/dev/tty")
                ? Optional.of("a terminal")
                : Optional.empty();
    }
}
