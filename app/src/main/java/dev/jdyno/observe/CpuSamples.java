package dev.jdyno.observe;

import dev.jdyno.measure.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/// Threads on a core, from the samples of a flight recording. JFR samples some threads at each tick
/// and only those that run Java code: shares are right, sums are not, so the samples are scaled to
/// the CPU that the process used.
public final class CpuSamples {
    private CpuSamples() {}

    /// @param cores CPU that the process used in that time
    /// @return empty when the recording holds no sample of that time
    public static Optional<Profile> read(Path recording, Instant from, Instant to, double cores)
            throws IOException {
        var tree = new StackTree();
        try (var events = new RecordingFile(recording)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (event.getEventType().getName().equals("jdk.ExecutionSample")
                        && !event.getStartTime().isBefore(from)
                        && event.getStartTime().isBefore(to)) {
                    add(tree, event);
                }
            }
        }
        return tree.samples() == 0
                ? Optional.empty()
                : Optional.of(tree.profile(Profile.Kind.CPU, "jfr", cores / tree.samples()));
    }

    private static void add(StackTree tree, RecordedEvent event) {
        RecordedThread thread = event.getThread("sampledThread");
        RecordedStackTrace trace = event.getStackTrace();
        if (trace == null) {
            return;
        }
        String name =
                thread == null || thread.getJavaName() == null ? "threads" : thread.getJavaName();
        List<String> frames = FlightStack.frames(trace);
        tree.add(PoolName.of(name), frames.reversed(), 1);
    }
}
