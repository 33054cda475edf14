package dev.jdyno.observe;

import dev.jdyno.measure.JdkRelease;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.StageTimes;
import dev.jdyno.measure.StageTimes.Stage;
import dev.jdyno.measure.UserError;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/// Times every call of named methods for a while, in a window of its own: the JVM instruments the
/// methods when it begins and takes that back at the end.
///
/// On JDK 25 and later by `jdk.MethodTiming` (JEP 520), which counts inside the JVM and keeps no
/// single call, hence no standard deviation. On older ones by async-profiler's trace, which writes
/// each call down.
public final class StageTimer {
    /// The first JDK with JEP 520.
    static final int METHOD_TIMING_SINCE = 25;

    private StageTimer() {}

    /// Times the methods for `window`.
    ///
    /// @param stop asked four times a second; true ends the window with what it has, and takes the
    ///   instrumentation back
    /// @param methods such as `com.acme.Foo.bar`
    /// @throws UserError when neither source is to be had, with both reasons
    public static StageTimes time(
            Target target,
            NanoClock clock,
            BooleanSupplier stop,
            List<String> methods,
            Duration window)
            throws InterruptedException {
        Optional<Integer> jdk = target.facts().jdkVersion().flatMap(JdkRelease::of);
        if (jdk.filter(v -> v >= METHOD_TIMING_SINCE).isPresent()) {
            return byFlightRecorder(target, clock, stop, methods, window);
        }
        try (var profiler =
                NativeProfiler.load(target, clock, stop, new StackClassifier(Frames.builtIn()))) {
            return byTrace(profiler, methods, window);
        } catch (UserError refused) {
            throw UserError.target(
                            "stages cannot be timed",
                            "jdk.MethodTiming needs JDK 25, this is "
                                    + jdk.map(v -> "JDK " + v).orElse("an unknown JDK")
                                    + "; async-profiler: "
                                    + refused.why(),
                            "run the service on JDK 25, or run jdyno as its user or as root")
                    .causedBy(refused);
        }
    }

    private static StageTimes byFlightRecorder(
            Target target,
            NanoClock clock,
            BooleanSupplier stop,
            List<String> methods,
            Duration window)
            throws InterruptedException {
        var recording =
                SideRecording.start(target, "stages cannot be timed", "-stages", settings(methods));
        long start = clock.nanos();
        try {
            Wait.during(clock, window, stop);
            return recording.finish(file -> timed(file, methods, clock.secondsSince(start)));
        } finally {
            recording.end();
        }
    }

    static String settings(List<String> methods) {
        String filter =
                String.join(
                        ";",
                        methods.stream()
                                .map(m ->
                                        m.substring(0, m.lastIndexOf('.'))
                                                + "::"
                                                + m.substring(m.lastIndexOf('.') + 1))
                                .map(m -> m.replace("<", "&lt;").replace(">", "&gt;"))
                                .toList());
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <configuration version="2.0" label="jdyno stages" provider="jdyno">
          <event name="jdk.MethodTiming">
            <setting name="enabled">true</setting>
            <setting name="filter">%s</setting>
            <setting name="period">endChunk</setting>
          </event>
        </configuration>
        """
                .formatted(filter);
    }

    /// What one method's overloads have in common: their counts add up.
    private record Sum(long count, double totalMs, double minMs, double maxMs) {
        Sum plus(Sum other) {
            return new Sum(
                    count + other.count,
                    totalMs + other.totalMs,
                    Math.min(minMs, other.minMs),
                    Math.max(maxMs, other.maxMs));
        }
    }

    static StageTimes timed(Path recording, List<String> methods, double seconds)
            throws IOException {
        // the JVM counts from the start of the instrumentation: the last event has all of it
        Map<String, Sum> last = new HashMap<>();
        Map<String, String> tags = new HashMap<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
            if (event.getEventType().getName().equals("jdk.MethodTiming")) {
                RecordedMethod method = event.getValue("method");
                String id = name(method) + method.getDescriptor();
                long count = event.getLong("invocations");
                if (count == 0) {
                    continue; // its times are no numbers then
                }
                tags.put(id, name(method));
                last.put(
                        id,
                        new Sum(
                                count,
                                count * ms(event.getDuration("average")),
                                ms(event.getDuration("minimum")),
                                ms(event.getDuration("maximum"))));
            }
        }
        Map<String, Sum> byTag = new HashMap<>();
        last.forEach((id, sum) -> byTag.merge(tags.getOrDefault(id, id), sum, Sum::plus));
        List<Stage> stages = new ArrayList<>();
        for (String method : methods) {
            Optional<Sum> sum = Optional.ofNullable(byTag.get(method));
            stages.add(
                    new Stage(
                            method,
                            sum.map(Sum::count).orElse(0L),
                            sum.map(s -> s.totalMs() / s.count()),
                            sum.map(Sum::minMs),
                            sum.map(Sum::maxMs),
                            Optional.empty()));
        }
        return new StageTimes(
                0,
                seconds,
                "jfr",
                stages,
                "jdk.MethodTiming keeps no single call: there is no standard deviation");
    }

    private static StageTimes byTrace(
            NativeProfiler profiler, List<String> methods, Duration window)
            throws InterruptedException {
        NativeProfiler.Recorded recording = profiler.trace(methods, window);
        try {
            return traced(recording.file(), methods, recording.seconds());
        } catch (IOException unread) {
            throw UserError.target(
                            "async-profiler's recording cannot be read",
                            String.valueOf(unread.getMessage()),
                            "run it again")
                    .causedBy(unread);
        } finally {
            delete(recording.file());
        }
    }

    static StageTimes traced(Path recording, List<String> methods, double seconds)
            throws IOException {
        Map<String, List<Double>> calls = new HashMap<>();
        try (var events = new RecordingFile(recording)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (event.getEventType().getName().equals("jdk.MethodTrace")) {
                    // the method itself is the top of its stack; the field for it stays empty
                    calls.computeIfAbsent(
                                    name(event.getStackTrace().getFrames().getFirst().getMethod()),
                                    _ -> new ArrayList<>())
                            .add(ms(event.getDuration()));
                }
            }
        }
        List<Stage> stages =
                methods.stream().map(m -> stage(m, calls.getOrDefault(m, List.of()))).toList();
        return new StageTimes(0, seconds, "async-profiler", stages, "");
    }

    private static Stage stage(String method, List<Double> ms) {
        if (ms.isEmpty()) {
            return new Stage(
                    method,
                    0,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
        var figures = ms.stream().mapToDouble(Double::doubleValue).summaryStatistics();
        double mean = figures.getAverage();
        double squares = ms.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
        return new Stage(
                method,
                ms.size(),
                Optional.of(mean),
                Optional.of(figures.getMin()),
                Optional.of(figures.getMax()),
                ms.size() < 2
                        ? Optional.empty()
                        : Optional.of(Math.sqrt(squares / (ms.size() - 1))));
    }

    private static String name(RecordedMethod method) {
        return method.getType().getName() + "." + method.getName();
    }

    private static double ms(Duration duration) {
        return duration.toNanos() / 1e6;
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // the target's /tmp went away with it
        }
    }
}
