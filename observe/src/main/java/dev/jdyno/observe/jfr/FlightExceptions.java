package dev.jdyno.observe.jfr;

import dev.jdyno.measure.Insight.Thrown;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.stacks.Frames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/// Exceptions and errors by class and place, from a recording of `jdk.JavaExceptionThrow`.
///
/// The JVM reports an exception when it is created, not when it is thrown. An exception that is
/// created once and thrown again, or that compiled code throws by itself, is in neither the events
/// nor the count. An error is in both of them twice: for its class's constructor and for that of
/// `Throwable`. The former is left out here. (`jdk.JavaErrorThrow` would report the same errors
/// again, and cannot be throttled.)
public final class FlightExceptions {
    /// Maximum number of places that are reported.
    private static final int MAX = 12;

    private static final String CONSTRUCTOR = ".<init>";

    private static final String OF_AN_ERROR = "java.lang.Error.<init>";

    private FlightExceptions() {}

    private record Key(String type, String site) {}

    /// One value of the JVM's count.
    private record Count(long atNanos, long made) {}

    /// @param perSecond exceptions created per second, errors counted twice, from another
    ///   recording; empty when this one contains the JVM's count, too
    /// @return the most frequent first; empty when none was created
    static List<Thrown> read(Path recording, Optional<Double> perSecond, Frames frames)
            throws IOException {
        Map<Key, Long> seen = new HashMap<>();
        var errors = new LongAdder();
        RecordedEvents.each(
                recording,
                event -> {
                    if (event.getEventType().getName().equals("jdk.JavaExceptionThrow")
                            && !FlightStack.isOurs(event)) {
                        List<String> stack = FlightStack.frames(event.getStackTrace());
                        if (!stack.isEmpty() && stack.getFirst().equals(OF_AN_ERROR)) {
                            errors.increment();
                        } else {
                            String type = event.getClass("thrownClass").getName();
                            seen.merge(new Key(type, site(type, stack, frames)), 1L, Long::sum);
                        }
                    }
                });
        long all = seen.values().stream().mapToLong(n -> n).sum();
        if (all == 0) {
            return List.of();
        }
        double counted = perSecond.isPresent() ? perSecond.get() : perSecond(recording);
        double made = counted * all / (all + errors.sum());
        if (made <= 0) {
            // the JVM's count begins a moment after the recording: these exceptions were created
            // before it
            return List.of();
        }
        List<Thrown> thrown = new ArrayList<>();
        seen.forEach((key, n) -> {
            double share = n / (double) all;
            thrown.add(new Thrown(0, key.type(), key.site(), n, share, share * made, 0));
        });
        thrown.sort(
                Comparator.comparingLong(Thrown::samples)
                        .reversed()
                        .thenComparing(Thrown::type)
                        .thenComparing(Thrown::site));
        return thrown.stream().limit(MAX).toList();
    }

    /// Exceptions created per second, errors counted twice, by the JVM's count.
    ///
    /// @throws UserError when the recording contains fewer than two values of it
    public static double perSecond(Path recording) throws IOException {
        List<Count> counts = new ArrayList<>();
        RecordedEvents.each(
                recording,
                event -> {
                    if (event.getEventType().getName().equals("jdk.ExceptionStatistics")) {
                        long at = ChronoUnit.NANOS.between(Instant.EPOCH, event.getStartTime());
                        counts.add(new Count(at, event.getLong("throwables")));
                    }
                });
        counts.sort(Comparator.comparingLong(Count::atNanos));
        if (counts.size() < 2 || counts.getFirst().atNanos() == counts.getLast().atNanos()) {
            throw UserError.target(
                    ExceptionWatch.PURPOSE,
                    "the JVM reported "
                            + counts.size()
                            + " times how many there were (jdk.ExceptionStatistics), not twice",
                    "run it again");
        }
        Count first = counts.getFirst();
        Count last = counts.getLast();
        return (last.made() - first.made()) * 1e9 / (last.atNanos() - first.atNanos());
    }

    /// The frame that created the exception, and the application's method.
    ///
    /// @param stack of the event, from the top
    static String site(String type, List<String> stack, Frames frames) {
        return FlightStack.place(belowConstructors(type, stack), frames);
    }

    /// The stack below the constructors of the exception itself. A constructor of another class
    /// that creates the exception is not one of them.
    private static List<String> belowConstructors(String type, List<String> stack) {
        int constructors = 0;
        int own = 0;
        while (constructors < stack.size() && stack.get(constructors).endsWith(CONSTRUCTOR)) {
            constructors++;
            if (stack.get(constructors - 1).equals(type + CONSTRUCTOR)) {
                own = constructors;
            }
        }
        return stack.subList(own == 0 ? constructors : own, stack.size());
    }
}
