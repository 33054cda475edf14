package dev.jdyno.observe.jfr;

import dev.jdyno.measure.thread.Profile;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.SourceLines;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import java.util.List;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/// Stacks as a flight recording holds them, in the words of thread dumps. JFR keeps 64 frames of a
/// stack: the bottom of a deep one is missing.
public final class FlightStack {
    /// Letters of a method's name that are read.
    private static final int LONGEST = 2000;

    private FlightStack() {}

    /// Whether the JVM did it to answer us: its thread for that makes dumps of virtual threads, of
    /// megabytes.
    static boolean isOurs(RecordedEvent event) {
        return event.getThread() != null
                && "Attach Listener".equals(event.getThread().getJavaName());
    }

    /// `class.method` of its Java frames, from the top; empty without a stack.
    static List<String> frames(@Nullable RecordedStackTrace trace) {
        return trace == null
                ? List.of()
                : trace.getFrames().stream()
                        .filter(RecordedFrame::isJavaFrame)
                        .map(f -> name(f.getMethod()))
                        .toList();
    }

    /// Counts the lines of its Java frames.
    static void lines(@Nullable RecordedStackTrace trace, SourceLines lines) {
        if (trace != null) {
            trace.getFrames().stream()
                    .filter(RecordedFrame::isJavaFrame)
                    .forEach(f -> lines.add(name(f.getMethod()), f.getLineNumber()));
        }
    }

    /// `class.method`.
    public static String name(RecordedMethod method) {
        String name = method.getType().getName() + "." + method.getName();
        return name.length() > LONGEST ? name.substring(0, LONGEST) : name;
    }

    /// The frame nearest to the top that is not the JDK's own, else the top.
    static Optional<String> caller(List<String> frames) {
        return frames.stream()
                .filter(f -> !Profile.isOfTheJdk(f))
                .findFirst()
                .or(() -> frames.stream().findFirst());
    }

    /// What the application called, and its method: `java.lang.Integer.parseInt in
    /// com.acme.Page.get`. Of what it called the outermost method is named, which it knows. Without
    /// a frame of the application's, the top.
    static String place(List<String> stack, Frames frames) {
        String called = "";
        for (String frame : stack) {
            if (frames.of(frame).isEmpty()) {
                return called.isEmpty() ? frame : called + " in " + frame;
            }
            called = frame;
        }
        return stack.isEmpty() ? "not known" : stack.getFirst();
    }

    /// As a dump would have found it.
    static JavaThread thread(String name, State state, List<String> frames) {
        return new JavaThread(
                name, 0, state, Optional.empty(), frames, Optional.empty(), List.of());
    }
}
