package dev.jdyno.observe.heap;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// One count of all live objects (`GC.class_histogram`). It collects the whole heap first, so it
/// contains no garbage.
///
/// @param byClass instances and bytes of each class
public record LiveObjects(Map<String, Count> byClass) {
    //    1:         12345        1234567  [B (java.base@25.0.3)
    private static final Pattern LINE =
            Pattern.compile("\\s*\\d+:\\s+(\\d{1,18})\\s+(\\d{1,18})\\s+(\\S+).*");

    /// Minimum number of new instances of an application class, as a ratio to those of the class
    /// that grew most in bytes. From this ratio on, the application's class names the leak.
    private static final double HOLDS_IT = 0.25;

    /// Minimum growth of a class in instances for the steadiness of its growth to be examined.
    private static final int STEADY_FROM = 100;

    /// Minimum ratio of the sum of both rates to their difference for growth to be steady: of three
    /// counts that differ only by chance (normally distributed) one in 44 reaches it.
    private static final double STEADY = 8;

    private static final List<String> OF_THE_JDK =
            List.of("[", "java.", "jdk.", "sun.", "javax.", "com.sun.");

    /// @param instances number of objects
    /// @param bytes size of the objects, without objects that they refer to
    record Count(long instances, long bytes) {
        private static final Count NONE = new Count(0, 0);

        private Count minus(Count other) {
            return new Count(instances - other.instances, bytes - other.bytes);
        }
    }

    public LiveObjects {
        byClass = Map.copyOf(byClass);
    }

    public static LiveObjects parse(String histogram) {
        Map<String, Count> counts = new HashMap<>();
        for (String line : histogram.lines().toList()) {
            Matcher m = LINE.matcher(line);
            if (m.matches()) {
                counts.merge(
                        m.group(3),
                        new Count(Long.parseLong(m.group(1)), Long.parseLong(m.group(2))),
                        (a, b) -> new Count(a.instances + b.instances, a.bytes + b.bytes));
            }
        }
        return new LiveObjects(counts);
    }

    long bytes() {
        return byClass.values().stream().mapToLong(Count::bytes).sum();
    }

    /// The class with most of the live bytes, and the application's class with most objects.
    public Signals most() {
        Optional<Map.Entry<String, Count>> largest =
                most(byClass.entrySet().stream(), Count::bytes)
                        .filter(e -> e.getValue().bytes() > 0);
        Optional<Map.Entry<String, Count>> own =
                most(
                        byClass.entrySet().stream().filter(e -> !isOfTheJdk(e.getKey())),
                        Count::instances);
        return largest.map(e ->
                        at(
                                Sign.LIVE_LARGEST_SHARE,
                                e.getKey(),
                                (double) e.getValue().bytes() / bytes()))
                .orElse(Signals.NONE)
                .and(
                        own.map(e ->
                                        at(
                                                Sign.LIVE_OWN_OBJECTS,
                                                e.getKey(),
                                                (double) e.getValue().instances()))
                                .orElse(Signals.NONE));
    }

    private static Signals at(Sign sign, String type, double value) {
        return new Signals(Map.of(sign, value), Map.of(sign, type));
    }

    private static Optional<Map.Entry<String, Count>> most(
            Stream<Map.Entry<String, Count>> classes, ToLongFunction<Count> of) {
        return classes.max(
                Comparator.comparingLong(
                                (Map.Entry<String, Count> e) -> of.applyAsLong(e.getValue()))
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())));
    }

    /// Growth since `before`, with the class that best identifies the objects.
    public Signals growthSince(LiveObjects before, double seconds) {
        double perS = Math.max(0, bytes() - before.bytes()) / seconds;
        Map<Sign, Double> value = Map.of(Sign.LIVE_GROWTH_BYTES_PER_S, perS);
        return growing(before)
                .map(type -> new Signals(value, Map.of(Sign.LIVE_GROWTH_BYTES_PER_S, type)))
                .orElse(new Signals(value));
    }

    /// Growth since `before` of classes that grew at about the same rate before and after `middle`.
    ///
    /// @param until seconds from the first count to the second
    /// @param since seconds from the second to this one
    public LiveGrowth steadyGrowthSince(
            LiveObjects before, LiveObjects middle, double until, double since) {
        Map<String, Count> steady = new HashMap<>();
        byClass.forEach((type, now) -> {
            Count then = middle.byClass.getOrDefault(type, Count.NONE);
            Count first = before.byClass.getOrDefault(type, Count.NONE);
            double early = (then.instances - first.instances) / until;
            double late = (now.instances - then.instances) / since;
            if (now.instances - first.instances >= STEADY_FROM
                    && Math.min(early, late) > 0
                    && early + late >= STEADY * Math.abs(early - late)) {
                steady.put(type, now.minus(first));
            }
        });
        double bytes = steady.values().stream().mapToDouble(Count::bytes).sum();
        Map<Sign, Double> value =
                Map.of(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S, bytes / (until + since));
        Signals signals =
                naming(steady)
                        .map(type ->
                                new Signals(
                                        value, Map.of(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S, type)))
                        .orElse(new Signals(value));
        return new LiveGrowth(signals, steady.keySet());
    }

    /// True for a class or frame of the JDK, and for an array.
    static boolean isOfTheJdk(String name) {
        return OF_THE_JDK.stream().anyMatch(name::startsWith);
    }

    /// The class that names the growth: of the application's classes the one with most new
    /// instances, if it has enough of them. Otherwise it is the class that grew most in bytes.
    private Optional<String> growing(LiveObjects before) {
        Map<String, Count> added = new HashMap<>();
        byClass.forEach((type, now) -> {
            Count more = now.minus(before.byClass.getOrDefault(type, Count.NONE));
            if (more.instances > 0) {
                added.put(type, more);
            }
        });
        return naming(added);
    }

    private static Optional<String> naming(Map<String, Count> added) {
        var largest =
                added.entrySet().stream().max(Comparator.comparingLong(e -> e.getValue().bytes()));
        return largest.map(top ->
                added.entrySet().stream()
                        .filter(e -> !isOfTheJdk(e.getKey()))
                        .filter(e ->
                                e.getValue().instances() >= HOLDS_IT * top.getValue().instances())
                        .max(Comparator.comparingLong(e -> e.getValue().instances()))
                        .map(Map.Entry::getKey)
                        .orElse(top.getKey()));
    }
}
