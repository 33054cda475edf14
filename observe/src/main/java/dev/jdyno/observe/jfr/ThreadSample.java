package dev.jdyno.observe.jfr;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/// One sample of a running thread in a flight recording, of either kind.
///
/// @param thread name of the thread; empty if it has none
/// @param frames Java frames of the thread from the top, including native methods; empty if JFR
///   could not walk the stack
/// @param top the kind of the top frame
/// @param biased whether it was taken at a safepoint, so that its top may differ slightly from
///   where it ran
/// @param cpu CPU time that it represents; zero if its kind does not provide it
record ThreadSample(
        Instant at, String thread, List<String> frames, Top top, boolean biased, Duration cpu) {

    /// The kind of the innermost frame.
    enum Top {
        COMPILED,
        INTERPRETED,
        NATIVE,
        /// There is no stack.
        UNKNOWN
    }

    ThreadSample {
        frames = List.copyOf(frames);
    }

    /// @return empty when the event is not a sample of this kind, or has no stack and its kind does
    ///   not count such samples
    static Optional<ThreadSample> of(SampleKind kind, RecordedEvent event) {
        if (!event.getEventType().getName().equals(kind.event())) {
            return Optional.empty();
        }
        RecordedStackTrace stack = event.getStackTrace();
        boolean failed =
                stack == null
                        || stack.getFrames().isEmpty()
                        || (event.hasField("failed") && event.getBoolean("failed"));
        if (failed && kind == SampleKind.EXECUTION) {
            return Optional.empty();
        }
        RecordedThread thread = event.getThread(kind.thread());
        return Optional.of(
                new ThreadSample(
                        event.getStartTime(),
                        thread == null || thread.getJavaName() == null ? "" : thread.getJavaName(),
                        failed ? List.of() : FlightStack.frames(stack),
                        failed || stack == null ? Top.UNKNOWN : top(stack.getFrames().getFirst()),
                        event.hasField("biased") && event.getBoolean("biased"),
                        event.hasField("samplingPeriod")
                                ? event.getDuration("samplingPeriod")
                                : Duration.ZERO));
    }

    private static Top top(RecordedFrame frame) {
        return switch (frame.getType()) {
            case "Interpreted" -> Top.INTERPRETED;
            case "Native" -> Top.NATIVE;
            default -> Top.COMPILED;
        };
    }

    boolean failed() {
        return top == Top.UNKNOWN;
    }

    /// True for Java code: only there do the compiler and the position of safepoints matter.
    boolean inJava() {
        return top == Top.COMPILED || top == Top.INTERPRETED;
    }

    /// Weight of the sample among samples of its kind.
    double weight() {
        return cpu.isZero() ? 1 : cpu.toNanos();
    }
}
