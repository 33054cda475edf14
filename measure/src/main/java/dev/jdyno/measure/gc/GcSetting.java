package dev.jdyno.measure.gc;

import dev.jdyno.measure.text.Bytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How a JVM's collector is set and what it has to work with, as far as known: what {@link
/// GcAdvices} depend on. A run fills it from its target, `gc` from a log.
///
/// @param jdk feature release
/// @param cpus that the JVM may use
/// @param memoryBytes of the machine, or what a container may take of it
/// @param heapBytes size that the heap had
/// @param heapMaxBytes size that it may have
/// @param liveBytes what collections leave at the least
/// @param youngBytes size of the young generation
/// @param regionBytes size of G1's regions
/// @param concurrentThreads of the collector, beside the application
/// @param flags `-XX` flags by name: `true`, `false`, or their value
public record GcSetting(
        Collector collector,
        OptionalInt jdk,
        OptionalInt cpus,
        Optional<Double> memoryBytes,
        Optional<Double> heapBytes,
        Optional<Double> heapMaxBytes,
        Optional<Double> liveBytes,
        Optional<Double> youngBytes,
        OptionalLong regionBytes,
        OptionalInt concurrentThreads,
        Map<String, String> flags) {
    private static final Pattern FLAG = Pattern.compile("-XX:(?:([+-])(\\w+)|(\\w+)=(.*))");

    /// Heap over live set that is roomy: JTune and Hunt & John take 3 to 4.
    public static final double ROOMY = 3;

    /// HotSpot makes about as many G1 regions of a heap.
    private static final long REGIONS = 2048;

    private static final long MIB = 1L << 20;
    private static final long LARGEST_REGION = 32 * MIB;

    public GcSetting {
        flags = Map.copyOf(flags);
    }

    /// The flags among a JVM's arguments.
    public static Map<String, String> flags(List<String> arguments) {
        Map<String, String> flags = new HashMap<>();
        for (String argument : arguments) {
            Matcher flag = FLAG.matcher(argument);
            if (flag.matches()) {
                boolean isSwitch = flag.group(1) != null;
                flags.put(
                        isSwitch ? flag.group(2) : flag.group(3),
                        isSwitch ? Boolean.toString(flag.group(1).equals("+")) : flag.group(4));
            }
        }
        return flags;
    }

    /// The feature release of a version such as `25.0.3+9-LTS` or `1.8.0_40-b25`.
    public static OptionalInt feature(String version) {
        String text = version.startsWith("1.") ? version.substring(2) : version;
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        return digits == 0 || digits > 3
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseInt(text.substring(0, digits)));
    }

    public boolean isOn(String flag) {
        return "true".equals(flags.get(flag));
    }

    public boolean isOff(String flag) {
        return "false".equals(flags.get(flag));
    }

    /// Bytes of a heap with twice the room beside what lives, so that it is collected half as
    /// often; twice the live set where live objects fill the heap. Empty where the heap is not
    /// known.
    public Optional<Double> twiceTheRoom() {
        double live = liveBytes.orElse(0.0);
        return heapBytes
                .filter(heap -> heap > 0 && live <= heap)
                .map(heap -> Math.max(2 * heap - live, 2 * live));
    }

    /// Bytes of a heap that is roomy for what lives, or has twice the room where that is more.
    public Optional<Double> roomy() {
        return heapMaxBytes
                .filter(heap -> heap > 0)
                .map(heap -> {
                    double live = Math.min(heap, liveBytes.orElse(0.0));
                    return Math.max(ROOMY * live, 2 * heap - live);
                });
    }

    /// True where the memory has room for a heap of this size and what lies beside it, or is not
    /// known.
    public boolean hasMemoryFor(double heap) {
        return memoryBytes.filter(m -> m > 0 && heap > GcLimits.HEAP_OF_MEMORY * m).isEmpty();
    }

    /// Size of G1's regions: what the JVM chose, was set to, or chooses for such a heap.
    long regionOrDefault() {
        return regionBytes.orElseGet(() ->
                Math.clamp(
                        Long.highestOneBit(
                                Math.max(1, Math.round(heapMaxBytes.orElse(0.0)) / REGIONS)),
                        MIB,
                        LARGEST_REGION));
    }

    /// The size that a flag gives; empty where it is not set or no size.
    public static OptionalLong size(Map<String, String> flags, String name) {
        try {
            return flags.containsKey(name)
                    ? OptionalLong.of(Bytes.parse(flags.get(name)).value())
                    : OptionalLong.empty();
        } catch (IllegalArgumentException _) {
            return OptionalLong.empty();
        }
    }

    /// The number that a flag gives; empty where it is not set or none.
    public static OptionalInt number(Map<String, String> flags, String name) {
        String value = flags.getOrDefault(name, "");
        return value.matches("\\d{1,9}")
                ? OptionalInt.of(Integer.parseInt(value))
                : OptionalInt.empty();
    }
}
