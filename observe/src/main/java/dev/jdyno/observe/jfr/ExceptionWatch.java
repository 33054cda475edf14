package dev.jdyno.observe.jfr;

import dev.jdyno.measure.Insight.Thrown;
import dev.jdyno.measure.JdkRelease;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.probe.Wait;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/// Finds the places where exceptions are created, in a separate window, because each recorded
/// exception costs a stack walk. JDK 25 and later record a limited number per second and count the
/// others. Older JDKs record all exceptions or none. So with these the exceptions are counted
/// first. The count determines the length of the window, or that nothing is recorded.
public final class ExceptionWatch {
    /// The first JDK that throttles these events (JDK-8351594).
    static final int THROTTLED_SINCE = 25;

    /// Exceptions recorded per second if the JVM throttles them: from 750 exceptions in 1.5 s, a
    /// share of one half is known to ± 4 percentage points.
    private static final int THROTTLE_PER_S = 500;

    /// Maximum number of exceptions recorded without throttling, as the count predicts: a share is
    /// then known to ± 1 percentage point.
    private static final int MAX = 10_000;

    /// The shortest window. Beginning and ending a recording takes about as long again, and events
    /// are written during that time, too.
    private static final Duration SHORTEST = Duration.ofMillis(50);

    /// Rate at which even the shortest window has more than {@link #MAX} exceptions.
    static final double TOO_OFTEN_PER_S = MAX / Durations.seconds(SHORTEST);

    /// Minimum time until the JVM has reported its count twice. If another recording already
    /// requests the count, the JVM continues for up to a second with that recording's period (JDK
    /// 17, 21).
    private static final Duration COUNTED_TWICE = Duration.ofMillis(1500);

    static final String PURPOSE = "exceptions cannot be seen";

    private ExceptionWatch() {}

    /// The result.
    ///
    /// @param exceptions the most frequent first; empty when none was created
    /// @param qps requests per second while they were counted
    /// @param leftOut why the exceptions are unknown; empty when they are known
    public record Seen(List<Thrown> exceptions, double qps, Optional<String> leftOut) {
        public Seen {
            exceptions = List.copyOf(exceptions);
        }
    }

    /// Records for `window`: longer if the JVM needs more time to count exceptions, shorter if
    /// there are many.
    ///
    /// @param stop checked four times a second; true ends the window with the data so far
    /// @param qps requests per second since the last call
    /// @throws UserError when the target lacks what a recording needs, or refuses
    public static Seen during(
            Target target,
            NanoClock clock,
            BooleanSupplier stop,
            Duration window,
            DoubleSupplier qps,
            Frames frames)
            throws InterruptedException {
        boolean throttled =
                target.facts()
                        .jdkVersion()
                        .flatMap(JdkRelease::of)
                        .filter(v -> v >= THROTTLED_SINCE)
                        .isPresent();
        if (throttled) {
            return counted(
                    target,
                    clock,
                    stop,
                    window.compareTo(COUNTED_TWICE) < 0 ? COUNTED_TWICE : window,
                    settings(true),
                    qps,
                    (file, then) ->
                            new Seen(
                                    FlightExceptions.read(file, Optional.empty(), frames),
                                    then,
                                    Optional.empty()));
        }
        Count count =
                counted(
                        target,
                        clock,
                        stop,
                        COUNTED_TWICE,
                        settings(false),
                        qps,
                        (file, then) -> new Count(FlightExceptions.perSecond(file), then));
        double perSecond = count.perSecond();
        if (perSecond <= 0 || stop.getAsBoolean()) {
            return new Seen(List.of(), count.qps(), Optional.empty());
        }
        if (perSecond > TOO_OFTEN_PER_S) {
            return new Seen(List.of(), count.qps(), Optional.of(tooOften(perSecond)));
        }
        // recording them slows the service, so the throughput measured with the count is used
        return counted(
                target,
                clock,
                stop,
                lasting(window, perSecond),
                settings(true),
                count::qps,
                (file, then) ->
                        new Seen(
                                FlightExceptions.read(file, Optional.of(perSecond), frames),
                                then,
                                Optional.empty()));
    }

    private record Count(double perSecond, double qps) {}

    static String tooOften(double perSecond) {
        return String.format(
                Locale.ROOT,
                "%,.0f exceptions/s are not recorded by class and place: recording more than"
                        + " %,.0f/s would slow the service (JDK 25 and later record a part of"
                        + " them)",
                perSecond,
                TOO_OFTEN_PER_S);
    }

    /// The time in which {@link #MAX} exceptions are created, up to `window`.
    static Duration lasting(Duration window, double perSecond) {
        double enough = Math.max(Durations.seconds(SHORTEST), MAX / perSecond);
        return Durations.ofSeconds(Math.min(Durations.seconds(window), enough));
    }

    private interface Reading<T> {
        T read(Path recording, double qps) throws IOException;
    }

    private static <T> T counted(
            Target target,
            NanoClock clock,
            BooleanSupplier stop,
            Duration window,
            String settings,
            DoubleSupplier qps,
            Reading<T> reading)
            throws InterruptedException {
        var recording = SideRecording.start(target, PURPOSE, "-thrown", settings);
        try {
            double _ = qps.getAsDouble();
            Wait.during(clock, window, stop);
            double then = qps.getAsDouble();
            return recording.finish(file -> reading.read(file, then));
        } finally {
            recording.end();
        }
    }

    /// @param each whether exceptions are recorded one by one, and not only counted
    static String settings(boolean each) {
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <configuration version="2.0" label="jdyno exceptions" provider="jdyno">
          <event name="jdk.ExceptionStatistics">
            <setting name="enabled">true</setting>
            <setting name="period">50 ms</setting>
          </event>
          <event name="jdk.JavaExceptionThrow">
            <setting name="enabled">%s</setting>
            <setting name="stackTrace">true</setting>
            <setting name="throttle">%d/s</setting>
          </event>
        </configuration>
        """
                .formatted(each, THROTTLE_PER_S);
    }
}
