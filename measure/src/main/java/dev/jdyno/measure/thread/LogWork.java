package dev.jdyno.measure.thread;

import dev.jdyno.measure.thread.Signals.Sign;
import java.util.Optional;

/// The part of a service's CPU that makes and writes log lines, by the threads of a diagnostic
/// window.
public record LogWork(ThreadSamples window) {
    /// Threads found formatting or writing log lines that use cores. One that stands in a write to
    /// standard output until its reader has taken the line uses none.
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

    /// The share of the CPU that goes with the log lines, 0…1.
    public double share() {
        double logging = threadsOnCores();
        return logging <= 0 ? 0 : logging / (logging + window.threads(Cause.CPU));
    }

    /// What standard output is, where nearly always a thread stands in a write to it and a process
    /// or a terminal must take what is written; empty otherwise.
    public Optional<String> slowReader() {
        return window.signals()
                .of(Sign.WRITES_TO_OUTPUT)
                .filter(threads -> threads >= ThreadSamples.ONE_AT_A_TIME)
                .flatMap(_ -> window.signals().place(Sign.WRITES_TO_OUTPUT))
                .flatMap(LogWork::read);
    }

    /// A file descriptor that is read by a process or a terminal: `a pipe`; empty for a file.
    ///
    /// @param output the kernel's name
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
