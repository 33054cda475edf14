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

/// Stacks of a flight recording, converted to those of a thread dump. JFR keeps 64 frames of a
/// stack: the bottom of a deep one is missing.
public final class FlightStack {
    /// Maximum length of a method's name that is read, in characters.
    private static final int LONGEST = 2000;

    private FlightStack() {}

    /// True for an event of the thread that executes jdyno's commands: its dumps of virtual threads
    /// allocate megabytes.
    static boolean isOurs(RecordedEvent event) {
        return event.getThread() != null
                && "Attach Listener".equals(event.getThread().getJavaName());
    }

    /// The Java frames as `class.method`, from the top; empty without a stack.
    static List<String> frames(@Nullable RecordedStackTrace trace) {
        return trace == null
                ? List.of()
                : trace.getFrames().stream()
                        .filter(RecordedFrame::isJavaFrame)
                        .map(f -> name(f.getMethod()))
                        .toList();
    }

    /// Counts the lines of the Java frames.
    static void lines(@Nullable RecordedStackTrace trace, SourceLines lines) {
        if (trace != null) {
            trace.getFrames().stream()
                    .filter(RecordedFrame::isJavaFrame)
                    .forEach(f -> lines.add(name(f.getMethod()), f.getLineNumber()));
        }
    }

    /// The name of a method as `class.method`.
    public static String name(RecordedMethod method) {
        String name = method.getType().getName() + "." + method.getName();
        return name.length() > LONGEST ? name.substring(0, LONGEST) : name;
    }

    /// The frame nearest to the top that is not the JDK's own, or else the top.
    static Optional<String> caller(List<String> frames) {
        return frames.stream()
                .filter(f -> !Profile.isOfTheJdk(f))
                .findFirst()
                .or(() -> frames.stream().findFirst());
    }

    /// What the application called, and the calling method: `java.lang.Integer.parseInt in
    /// com.acme.Page.get`. The called method is the outermost one, which the application knows.
    /// Returns the top frame if the stack has no application frame.
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

    /// The thread as a dump would contain it.
    static JavaThread thread(String name, State state, List<String> frames) {
        return new JavaThread(
                name, 0, state, Optional.empty(), frames, Optional.empty(), List.of());
    }
}
