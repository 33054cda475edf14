package dev.jdyno.observe.stages;

import dev.jdyno.measure.JdkRelease;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.observe.jfr.SideRecording;
import dev.jdyno.observe.probe.Wait;
import dev.jdyno.observe.profiler.NativeProfiler;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// Times every call of named methods for a limited time, in a separate window that is divided into
/// intervals. The JVM instruments the methods at the beginning and removes the instrumentation at
/// the end.
///
/// First a short test counts how often each method is called. If a method is called rarely enough,
/// each call is recorded, which gives all figures: on JDK 25 and later by `jdk.MethodTrace` (JEP
/// 520), on older ones by async-profiler's trace. The other methods are counted inside the JVM on
/// JDK 25 (`jdk.MethodTiming`), without a standard deviation; on older ones only the test's figures
/// are known.
public final class StageTimer {
    /// The first JDK with JEP 520.
    static final int METHOD_TIMING_SINCE = 25;

    /// Maximum duration of the test that counts calls.
    private static final Duration FIRST_WINDOW = Duration.ofMillis(500);

    private static final String NO_DEVIATION =
            "the JVM counts these (jdk.MethodTiming), without a standard deviation, and with the least"
                    + " and greatest of an interval only where they are new ones";

    private static final String ASYNC = "async-profiler";

    private StageTimer() {}

    /// Times the methods for `window`.
    ///
    /// @param stop checked four times a second; true ends the window with the data so far, and
    ///   removes the instrumentation
    /// @throws UserError when neither source is available, with both reasons
    public static StageTimes time(
            Target target,
            NanoClock clock,
            BooleanSupplier stop,
            List<MethodName> methods,
            Duration window)
            throws InterruptedException {
        Optional<Integer> jdk = target.facts().jdkVersion().flatMap(JdkRelease::of);
        if (jdk.filter(v -> v >= METHOD_TIMING_SINCE).isPresent()) {
            return byFlightRecorder(target, clock, stop, methods, window);
        }
        try (var profiler =
                NativeProfiler.load(target, clock, stop, new StackClassifier(Frames.builtIn()))) {
            return byTrace(profiler, stop, methods, window);
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
            List<MethodName> wanted,
            Duration window)
            throws InterruptedException {
        List<String> methods = texts(wanted);
        Duration look = look(window);
        StageRecording first =
                recorded(
                        target,
                        clock,
                        stop,
                        look.plus(tick(look)),
                        settings(wanted, List.of(), tick(look)),
                        (file, _) -> StageRecording.read(file, tick(look)));
        Map<String, Double> rates = first.counters().rates(methods);
        Set<String> rare = StageCalls.rareEnough(methods, rates);
        Duration tick = tick(window);
        StageTimes times =
                stop.getAsBoolean()
                        ? timesOf(first, methods)
                        : recorded(
                                target,
                                clock,
                                stop,
                                // one tick longer than the window, because calls after the last
                                // tick are not counted
                                window.plus(tick),
                                settings(wanted, of(wanted, rare), tick),
                                (file, seconds) ->
                                        timed(
                                                StageRecording.read(file, tick),
                                                methods,
                                                rare,
                                                ends(window, seconds)));
        // if the user stopped early, the test may be longer than the window: it is returned
        StageTimes known = timesOf(first, methods);
        return times.seconds() < known.seconds()
                ? known
                : times.withNote(StageCalls.tooOften(methods, rare, rates, NO_DEVIATION));
    }

    private static List<Double> ends(Duration window, double measured) {
        double planned = Durations.seconds(window);
        return StageCalls.ends(planned, Math.min(planned, measured));
    }

    /// The figures of the test alone, if the user stopped after it.
    private static StageTimes timesOf(StageRecording first, List<String> methods) {
        return timed(first, methods, Set.of(), List.of(Double.MAX_VALUE))
                .withNote("stopped during the first look: " + NO_DEVIATION);
    }

    private interface Reading<T> {
        T read(Path recording, double seconds) throws IOException;
    }

    private static <T> T recorded(
            Target target,
            NanoClock clock,
            BooleanSupplier stop,
            Duration window,
            String settings,
            Reading<T> reading)
            throws InterruptedException {
        var recording = SideRecording.start(target, "stages cannot be timed", "-stages", settings);
        long start = clock.nanos();
        try {
            Wait.during(clock, window, stop);
            double seconds = clock.secondsSince(start);
            return recording.finish(file -> reading.read(file, seconds));
        } finally {
            recording.end();
        }
    }

    /// Duration of the test that counts calls.
    private static Duration look(Duration window) {
        Duration part = window.dividedBy(4);
        return part.compareTo(FIRST_WINDOW) < 0 ? part : FIRST_WINDOW;
    }

    /// Time between two readings of the JVM's counters, short enough for several readings in an
    /// interval.
    private static Duration tick(Duration window) {
        double seconds = Durations.seconds(window);
        return Durations.ofSeconds(
                Math.clamp(seconds / StageCalls.intervals(seconds) / 8, 0.05, 1));
    }

    /// @param traced methods whose calls are recorded individually
    public static String settings(
            List<MethodName> methods, List<MethodName> traced, Duration tick) {
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <configuration version="2.0" label="jdyno stages" provider="jdyno">
          <event name="jdk.MethodTiming">
            <setting name="enabled">true</setting>
            <setting name="filter">%s</setting>
            <setting name="period">%d ms</setting>
          </event>
          <event name="jdk.MethodTrace">
            <setting name="enabled">%s</setting>
            <setting name="filter">%s</setting>
            <setting name="threshold">0 ns</setting>
            <setting name="stackTrace">false</setting>
          </event>
        </configuration>
        """
                .formatted(filter(methods), tick.toMillis(), !traced.isEmpty(), filter(traced));
    }

    private static List<String> texts(List<MethodName> methods) {
        return methods.stream().map(MethodName::toString).toList();
    }

    private static List<MethodName> of(List<MethodName> methods, Set<String> some) {
        return methods.stream().filter(m -> some.contains(m.toString())).toList();
    }

    private static String filter(List<MethodName> methods) {
        return methods.stream()
                .map(m -> m.type() + "::" + m.method())
                .map(m -> m.replace("<", "&lt;").replace(">", "&gt;"))
                .collect(Collectors.joining(";"));
    }

    /// @param wanted wanted ends of the intervals
    private static StageTimes timed(
            StageRecording seen, List<String> methods, Set<String> traced, List<Double> wanted) {
        return StageRecording.cut(
                "jfr",
                // a class that the JVM has not loaded is not counted, and has no tick
                seen.counters().ends(wanted),
                methods,
                (method, from, to) ->
                        traced.contains(method)
                                ? seen.calls().stage(method, from, to, "jdk.MethodTrace")
                                : seen.counters().stage(method, from, to));
    }

    private static StageTimes byTrace(
            NativeProfiler profiler, BooleanSupplier stop, List<MethodName> wanted, Duration window)
            throws InterruptedException {
        List<String> methods = texts(wanted);
        Traced look = traced(profiler, wanted, look(window));
        Map<String, Double> rates = look.calls().rates(look.seconds());
        Set<String> rare = StageCalls.rareEnough(methods, rates);
        if (rare.isEmpty() || stop.getAsBoolean()) {
            return cut(look, List.of(look.seconds()), methods)
                    .withNote(tooOften(methods, rare, rates, look));
        }
        Traced whole = traced(profiler, of(wanted, rare), window);
        if (whole.seconds() < look.seconds()) {
            // if the user stopped early, the test may be longer than the window: it is returned
            return cut(look, List.of(look.seconds()), methods)
                    .withNote(tooOften(methods, rare, rates, look));
        }
        StageTimes times =
                cut(
                        whole,
                        ends(window, whole.seconds()),
                        methods.stream().filter(rare::contains).toList());
        return new StageTimes(
                0,
                times.seconds(),
                ASYNC,
                methods.stream()
                        .map(m ->
                                times.stages().stream()
                                        .filter(s -> s.tag().equals(m))
                                        .findFirst()
                                        .orElseGet(() ->
                                                look.calls().stage(m, 0, Double.MAX_VALUE, ASYNC)))
                        .toList(),
                times.parts(),
                tooOften(methods, rare, rates, look));
    }

    private static String tooOften(
            List<String> methods, Set<String> rare, Map<String, Double> rates, Traced look) {
        return StageCalls.tooOften(
                methods,
                rare,
                rates,
                String.format(
                        Locale.ROOT,
                        "these figures are of a look of %.2f s alone",
                        look.seconds()));
    }

    private static StageTimes cut(Traced traced, List<Double> ends, List<String> methods) {
        return StageRecording.cut(
                ASYNC,
                ends,
                methods,
                (method, from, to) -> traced.calls().stage(method, from, to, ASYNC));
    }

    private record Traced(StageCalls calls, double seconds) {}

    private static Traced traced(NativeProfiler profiler, List<MethodName> methods, Duration window)
            throws InterruptedException {
        NativeProfiler.Recorded recording = profiler.trace(methods, window);
        try {
            return new Traced(
                    StageRecording.read(recording.file(), window).calls(), recording.seconds());
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

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // the target has ended, and its /tmp no longer exists
        }
    }
}
