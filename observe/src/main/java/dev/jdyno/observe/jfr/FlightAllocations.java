package dev.jdyno.observe.jfr;

import dev.jdyno.measure.Insight.Allocation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Allocations of a request, by class and by the allocating place, from a flight recording's
/// samples (`jdk.ObjectAllocationSample`, JDK 16+). A sample's weight is the allocation since the
/// thread's last sample, so the weights add up to the bytes. The bytes of a place with few samples
/// have a large error.
public final class FlightAllocations {
    /// Maximum number of places that are reported.
    private static final int MAX = 12;

    private static final Map<Character, String> PRIMITIVES =
            Map.of(
                    'Z', "boolean", 'B', "byte", 'C', "char", 'S', "short", 'I', "int", 'J', "long",
                    'F', "float", 'D', "double");

    private FlightAllocations() {}

    private record Key(String type, String site) {}

    private record Sum(long samples, double bytes) {
        Sum plus(Sum other) {
            return new Sum(samples + other.samples, bytes + other.bytes);
        }
    }

    /// Reads the allocations, except those made by jdyno's dumps.
    ///
    /// @param qps requests per second during that time
    /// @return the largest first; empty when the recording contains no sample of that time
    public static List<Allocation> read(
            Path recording, Instant from, Instant to, int concurrency, double qps)
            throws IOException {
        Map<Key, Sum> sums = new HashMap<>();
        RecordedEvents.each(
                recording,
                event -> {
                    if (event.getEventType().getName().equals("jdk.ObjectAllocationSample")
                            && !event.getStartTime().isBefore(from)
                            && event.getStartTime().isBefore(to)
                            && !FlightStack.isOurs(event)) {
                        var key =
                                new Key(
                                        readable(event.getClass("objectClass").getName()),
                                        FlightStack.caller(
                                                        FlightStack.frames(event.getStackTrace()))
                                                .orElse("not known"));
                        sums.merge(key, new Sum(1, event.getLong("weight")), Sum::plus);
                    }
                });
        double all = sums.values().stream().mapToDouble(Sum::bytes).sum();
        double requests = qps * Duration.between(from, to).toNanos() / 1e9;
        List<Allocation> found = new ArrayList<>();
        sums.forEach((k, s) ->
                found.add(
                        new Allocation(
                                concurrency,
                                k.type(),
                                k.site(),
                                s.samples(),
                                all <= 0 ? 0 : s.bytes() / all,
                                requests <= 0 ? 0 : s.bytes() / requests)));
        found.sort(Comparator.comparingDouble(Allocation::share).reversed());
        return found.stream().limit(MAX).toList();
    }

    /// Converts the JVM's name of a class to Java's: `[B` to `byte[]`, `[Ljava.lang.String;` to
    /// `java.lang.String[]`.
    static String readable(String type) {
        int dimensions = 0;
        while (dimensions < type.length() && type.charAt(dimensions) == '[') {
            dimensions++;
        }
        if (dimensions == 0) {
            return type;
        }
        String element = type.substring(dimensions);
        String name =
                element.length() == 1
                        ? PRIMITIVES.getOrDefault(element.charAt(0), element)
                        : element.replaceFirst("^L", "").replaceFirst(";$", "");
        return name + "[]".repeat(dimensions);
    }
}
