package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.thread.LogWork;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Optional;

/// The destination of log lines.
public record LogOutput(Evidence evidence) {
    /// Returns the kind of standard output if a slow reader delays the service. That is so if a
    /// thread is in a write to it nearly all the time, and a process or a terminal must read the
    /// data.
    public Optional<String> slowReader() {
        return evidence.sign(Sign.WRITES_TO_OUTPUT)
                .filter(threads -> threads >= ThreadSamples.ONE_AT_A_TIME)
                .flatMap(_ -> evidence.place(Sign.WRITES_TO_OUTPUT))
                .flatMap(LogWork::read);
    }
}
