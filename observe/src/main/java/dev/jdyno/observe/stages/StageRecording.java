package dev.jdyno.observe.stages;

import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.measure.thread.StageTimes.Part;
import dev.jdyno.measure.thread.StageTimes.Stage;
import dev.jdyno.observe.jfr.FlightStack;
import dev.jdyno.observe.jfr.RecordedEvents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

/// Timed methods in a recording by JFR, or by async-profiler in the same format. Times count from
/// the start of the recording.
///
/// @param calls calls that were recorded individually
/// @param counters methods that were counted
public record StageRecording(StageCalls calls, StageCounters counters) {
    /// Position of the begin time in a chunk's header: big endian, nanoseconds since the epoch.
    private static final int START_AT = 32;

    /// @param tick time between two readings of the counters
    public static StageRecording read(Path recording, Duration tick) throws IOException {
        Instant start = start(recording);
        var calls = new StageCalls();
        var counters = new StageCounters(tick);
        RecordedEvents.each(
                recording,
                event -> {
                    double end = ChronoUnit.NANOS.between(start, event.getEndTime()) / 1e9;
                    switch (event.getEventType().getName()) {
                        case StageCounters.FROM -> counters.add(event, end);
                        case "jdk.MethodTrace" ->
                                calls.add(
                                        FlightStack.name(method(event)),
                                        new StageCalls.Call(
                                                end, event.getDuration().toNanos() / 1e6));
                        default -> {
                            // events requested by another recording
                        }
                    }
                });
        return new StageRecording(calls, counters);
    }

    private static Instant start(Path recording) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(START_AT + Long.BYTES);
        try (FileChannel chunk = FileChannel.open(recording, StandardOpenOption.READ)) {
            chunk.read(head, 0);
        }
        if (head.hasRemaining()) {
            throw new IOException("the recording is cut off in its head");
        }
        return Instant.EPOCH.plusNanos(head.getLong(START_AT));
    }

    /// The method of an event. The JVM has it in a field, and records no stack; async-profiler
    /// leaves the field empty, and has it on top of the stack.
    private static RecordedMethod method(RecordedEvent event) {
        RecordedStackTrace stack = event.getStackTrace();
        return stack == null || stack.getFrames().isEmpty()
                ? event.getValue("method")
                : stack.getFrames().getFirst().getMethod();
    }

    /// The figures of one method between two times.
    interface Between {
        Stage stage(String method, double fromS, double toS);
    }

    /// The figures of the whole window and of its intervals.
    ///
    /// @param ends ends of the intervals, in seconds since the window began
    static StageTimes cut(String source, List<Double> ends, List<String> methods, Between between) {
        List<Part> parts = new ArrayList<>();
        double from = 0;
        for (double to : ends) {
            double begin = from;
            parts.add(
                    new Part(
                            begin,
                            to,
                            methods.stream().map(m -> between.stage(m, begin, to)).toList()));
            from = to;
        }
        double whole = from;
        return new StageTimes(
                0,
                whole,
                source,
                methods.stream()
                        .map(m -> whole <= 0 ? Stage.notCalled(m) : between.stage(m, 0, whole))
                        .toList(),
                parts,
                "");
    }
}
