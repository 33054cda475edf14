package dev.jdyno.observe.jfr;

import dev.jdyno.measure.Insight.Pinned;
import dev.jdyno.measure.Insight.Pinned.By;
import dev.jdyno.observe.stacks.Frames;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

/// Finds what pins the carriers of waiting virtual threads, from a flight recording
/// (`jdk.VirtualThreadPinned`, 1 ms and more). JDK 24 and later report the reason. On 21 to 23 it
/// is derived from the stack: a class initialiser or a native frame. If it contains neither, the
/// reason is a monitor, which no stack shows.
public final class FlightPins {
    /// Maximum number of places that are reported.
    private static final int MAX = 12;

    private static final String INITIALISER = ".<clinit>";

    /// Beginning of the reason in JDK 24 and later if a thread waits while another one initialises
    /// a class.
    private static final String AWAITS_INITIALISER = "Waited for initialization of ";

    /// Frames of the JDK above the wait of a virtual thread and below its work. Some are native,
    /// but do not pin the carrier.
    private static final List<String> OF_THE_THREAD =
            List.of("java.lang.VirtualThread.", "jdk.internal.vm.Continuation.");

    private FlightPins() {}

    private record Key(By by, String reason, String site) {}

    private record Sum(long count, double seconds) {
        Sum plus(Sum other) {
            return new Sum(count + other.count, seconds + other.seconds);
        }
    }

    /// A frame of a stack.
    record Frame(String name, boolean isNative) {
        private static Frame of(RecordedFrame frame) {
            RecordedMethod method = frame.getMethod();
            return new Frame(FlightStack.name(method), Modifier.isNative(method.getModifiers()));
        }
    }

    /// @param qps requests per second during that time
    public static List<Pinned> read(
            Path recording, Instant from, Instant to, int concurrency, double qps, Frames frames)
            throws IOException {
        Map<Key, Sum> sums = new HashMap<>();
        RecordedEvents.each(
                recording,
                event -> {
                    if (event.getEventType().getName().equals("jdk.VirtualThreadPinned")) {
                        double seconds = within(event, from, to);
                        if (seconds > 0) {
                            sums.merge(key(event, frames), new Sum(1, seconds), Sum::plus);
                        }
                    }
                });
        double window = Duration.between(from, to).toNanos() / 1e9;
        List<Pinned> pinned = new ArrayList<>();
        sums.forEach((key, sum) -> {
            double threads = sum.seconds() / window;
            pinned.add(
                    new Pinned(
                            concurrency,
                            key.site(),
                            key.by(),
                            key.reason(),
                            sum.count(),
                            threads,
                            qps <= 0 ? 0 : threads / qps * 1000));
        });
        pinned.sort(Comparator.comparingDouble(Pinned::threads).reversed());
        return pinned.stream().limit(MAX).toList();
    }

    private static double within(RecordedEvent event, Instant from, Instant to) {
        Instant begin = event.getStartTime().isBefore(from) ? from : event.getStartTime();
        Instant end = event.getEndTime().isAfter(to) ? to : event.getEndTime();
        return Duration.between(begin, end).toNanos() / 1e9;
    }

    private static Key key(RecordedEvent event, Frames frames) {
        RecordedStackTrace trace = event.getStackTrace();
        List<Frame> stack =
                trace == null
                        ? List.of()
                        : trace.getFrames().stream()
                                .filter(RecordedFrame::isJavaFrame)
                                .map(Frame::of)
                                .toList();
        String reported =
                event.hasField("pinnedReason") && event.getString("pinnedReason") != null
                        ? event.getString("pinnedReason")
                        : "";
        boolean whole = trace != null && !trace.isTruncated();
        Why why = reported.isEmpty() ? seen(stack, whole) : reported(reported, stack);
        return new Key(
                why.by(),
                why.reason(),
                FlightStack.place(stack.stream().map(Frame::name).toList(), frames));
    }

    /// What pins the carrier, also in words.
    record Why(By by, String reason) {}

    /// The reason as JDK 24 and later report it, with the native method's name.
    static Why reported(String reason, List<Frame> stack) {
        if (reason.contains(INITIALISER) || reason.startsWith(AWAITS_INITIALISER)) {
            return new Why(By.CLASS_INITIALISER, reason);
        }
        return new Why(
                By.NATIVE_FRAME, nativeFrame(stack).map(f -> reason + ": " + f).orElse(reason));
    }

    /// The reason as the stack shows it.
    ///
    /// @param whole whether the stack is complete
    static Why seen(List<Frame> stack, boolean whole) {
        Optional<String> initialiser =
                stack.stream().map(Frame::name).filter(f -> f.endsWith(INITIALISER)).findFirst();
        if (initialiser.isPresent()) {
            return new Why(By.CLASS_INITIALISER, "class initializer " + initialiser.get());
        }
        return nativeFrame(stack)
                .map(f -> new Why(By.NATIVE_FRAME, "native frame " + f))
                .orElse(
                        whole
                                ? new Why(By.MONITOR, "a monitor that it holds (synchronized)")
                                : new Why(
                                        By.UNKNOWN,
                                        "a monitor, or a native frame deeper than its stack is known"));
    }

    private static Optional<String> nativeFrame(List<Frame> stack) {
        return stack.stream()
                .filter(Frame::isNative)
                .map(Frame::name)
                .filter(f -> OF_THE_THREAD.stream().noneMatch(f::startsWith))
                .findFirst();
    }
}
