package dev.jdyno.observe.jfr;

import dev.jdyno.measure.Insight.CallRate;
import dev.jdyno.measure.Insight.PoolOrigin;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.observe.stacks.Classified;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.PoolName;
import dev.jdyno.observe.stacks.SourceLines;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadDump;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/// Lines of the application for two kinds of events in a flight recording: waits for answers
/// (`jdk.SocketRead`, `jdk.ThreadPark`; 1 ms and more) and starts of threads (`jdk.ThreadStart`).
public final class FlightSites {
    /// Maximum number of lines, and of pools, that are kept.
    private static final int MAX = 20;

    private static final Set<Cause> ANSWERS =
            Set.of(Cause.DOWNSTREAM, Cause.DATABASE, Cause.FUTURE);

    private FlightSites() {}

    private record Site(String method, int line) {}

    private record Call(Cause cause, Site at) {}

    private record Start(String pool, Site at) {}

    private record Sum(long count, double seconds) {
        Sum plus(Sum other) {
            return new Sum(count + other.count, seconds + other.seconds);
        }
    }

    /// The number of times that a request waits for answers.
    ///
    /// @param qps requests per second during that time
    /// @param lines lines with their known files
    /// @return most frequent first; empty if requests were not counted
    public static List<CallRate> calls(
            Path recording,
            Instant from,
            Instant to,
            int concurrency,
            double qps,
            Frames frames,
            SourceLines lines)
            throws IOException {
        double requests = qps * Duration.between(from, to).toNanos() / 1e9;
        if (requests <= 0) {
            return List.of();
        }
        var classifier = new StackClassifier(frames);
        Map<Call, Sum> sums = new HashMap<>();
        RecordedEvents.each(
                recording,
                event -> {
                    if (!event.getStartTime().isBefore(from) && event.getStartTime().isBefore(to)) {
                        call(event, classifier)
                                .ifPresent(c ->
                                        sums.merge(
                                                c,
                                                new Sum(1, event.getDuration().toNanos() / 1e9),
                                                Sum::plus));
                    }
                });
        List<CallRate> rates = new ArrayList<>();
        sums.forEach((c, sum) ->
                rates.add(
                        new CallRate(
                                concurrency,
                                c.cause(),
                                lines.at(c.at().method(), c.at().line(), sum.count()),
                                sum.count() / requests,
                                sum.seconds() * 1000 / sum.count())));
        rates.sort(Comparator.comparingDouble(CallRate::perRequest).reversed());
        return rates.stream().limit(MAX).toList();
    }

    private static Optional<Call> call(RecordedEvent event, StackClassifier classifier) {
        RecordedStackTrace trace = event.getStackTrace();
        Optional<ThreadDump.State> state =
                switch (event.getEventType().getName()) {
                    case "jdk.SocketRead" -> Optional.of(ThreadDump.State.RUNNABLE);
                    case "jdk.ThreadPark" -> Optional.of(ThreadDump.State.WAITING);
                    default -> Optional.empty();
                };
        if (trace == null || state.isEmpty()) {
            return Optional.empty();
        }
        Classified seen =
                classifier.classify(FlightStack.thread("", state.get(), FlightStack.frames(trace)));
        return seen.doing()
                .filter(d -> ANSWERS.contains(d.cause()))
                .flatMap(d ->
                        seen.appFrame()
                                .flatMap(method -> site(trace, method))
                                .map(at -> new Call(d.cause(), at)));
    }

    private static Optional<Site> site(RecordedStackTrace trace, String method) {
        return trace.getFrames().stream()
                .filter(RecordedFrame::isJavaFrame)
                .filter(f -> FlightStack.name(f.getMethod()).equals(method))
                .findFirst()
                .filter(f -> f.getLineNumber() > 0)
                .map(f -> new Site(method, f.getLineNumber()));
    }

    /// The line that started most threads of each pool during the recording.
    ///
    /// @param frames meanings of stack frames
    /// @param lines lines with their known files
    public static List<PoolOrigin> origins(Path recording, Frames frames, SourceLines lines)
            throws IOException {
        Map<Start, Long> starts = new HashMap<>();
        RecordedEvents.each(
                recording,
                event -> {
                    if (event.getEventType().getName().equals("jdk.ThreadStart")) {
                        start(event, frames).ifPresent(s -> starts.merge(s, 1L, Long::sum));
                    }
                });
        Map<String, PoolOrigin> max = new HashMap<>();
        starts.forEach((start, threads) -> {
            var origin =
                    new PoolOrigin(
                            start.pool(),
                            lines.at(start.at().method(), start.at().line(), threads));
            max.merge(start.pool(), origin, FlightSites::more);
        });
        return max.values().stream()
                .sorted(
                        Comparator.comparingLong((PoolOrigin o) -> o.at().samples())
                                .reversed()
                                .thenComparing(PoolOrigin::pool))
                .limit(MAX)
                .toList();
    }

    private static PoolOrigin more(PoolOrigin a, PoolOrigin b) {
        Comparator<PoolOrigin> order =
                Comparator.comparingLong((PoolOrigin o) -> o.at().samples())
                        .thenComparing(o -> o.at().place(), Comparator.reverseOrder());
        return order.compare(a, b) >= 0 ? a : b;
    }

    private static Optional<Start> start(RecordedEvent event, Frames frames) {
        RecordedStackTrace trace = event.getStackTrace();
        RecordedThread started = event.getThread("thread");
        if (trace == null || started == null || started.getJavaName() == null) {
            return Optional.empty();
        }
        return FlightStack.frames(trace).stream()
                .filter(f -> frames.of(f).isEmpty())
                .findFirst()
                .flatMap(method -> site(trace, method))
                .map(at -> new Start(PoolName.of(started.getJavaName()), at));
    }
}
