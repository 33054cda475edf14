package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Optional;

/// Where log lines go, and what the threads do that write them.
public record LogOutput(Evidence evidence) {
    /// Threads found formatting or writing log lines at saturation that use cores. One that stands
    /// in a write to standard output until its reader has taken the line uses none.
    double threadsOnCores() {
        double atWork =
                evidence.saturated().stream()
                        .flatMap(c -> c.busy().stream())
                        .filter(b -> b.place() instanceof Place.Log log && log.step().atWork())
                        .mapToDouble(ThreadSamples.Busy::threads)
                        .sum();
        double blocked =
                slowReader().isPresent() ? evidence.sign(Sign.WRITES_TO_OUTPUT).orElse(0.0) : 0;
        return Math.max(0, atWork - blocked);
    }

    /// What standard output is, where nearly always a thread stands in a write to it and a process
    /// or a terminal must take what is written; empty otherwise.
    public Optional<String> slowReader() {
        return evidence.sign(Sign.WRITES_TO_OUTPUT)
                .filter(threads -> threads >= ThreadSamples.ONE_AT_A_TIME)
                .flatMap(_ -> evidence.place(Sign.WRITES_TO_OUTPUT))
                .flatMap(LogOutput::read);
    }

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
