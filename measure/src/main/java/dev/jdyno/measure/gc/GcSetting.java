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

/// Settings and resources of a JVM's collector, as far as they are known: the input of {@link
/// GcAdvices}. A run fills them from its target, `gc` from a log.
///
/// @param jdk feature release
/// @param cpus number of CPUs that the JVM may use
/// @param memoryBytes memory of the machine, or limit of the container
/// @param heapBytes size of the heap
/// @param heapMaxBytes maximum size of the heap
/// @param liveBytes minimum of the bytes that collections leave in use
/// @param youngBytes size of the young generation
/// @param regionBytes size of G1's regions
/// @param concurrentThreads concurrent threads of the collector
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

    /// Size of a heap with sufficient room, in multiples of the live set. JTune and Hunt & John use
    /// 3 to 4.
    public static final double ROOMY = 3;

    /// Approximate number of G1 regions that HotSpot makes of a heap.
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

    /// Size in bytes of a heap with twice the room besides the live set, so that half as many
    /// collections are needed. It is at least twice the live set. Empty if the size of the heap is
    /// unknown.
    public Optional<Double> twiceTheRoom() {
        double live = liveBytes.orElse(0.0);
        return heapBytes
                .filter(heap -> heap > 0 && live <= heap)
                .map(heap -> Math.max(2 * heap - live, 2 * live));
    }

    /// Size in bytes of a heap with sufficient room: {@link #ROOMY} times the live set, or twice
    /// the present room besides the live set if that is more.
    public Optional<Double> roomy() {
        return heapMaxBytes
                .filter(heap -> heap > 0)
                .map(heap -> {
                    double live = Math.min(heap, liveBytes.orElse(0.0));
                    return Math.max(ROOMY * live, 2 * heap - live);
                });
    }

    /// True if the memory has room for a heap of this size and for the JVM's other memory. Also
    /// true if the size of the memory is unknown.
    public boolean hasMemoryFor(double heap) {
        return memoryBytes.filter(m -> m > 0 && heap > GcLimits.HEAP_OF_MEMORY * m).isEmpty();
    }

    /// Size of G1's regions: the size that the JVM chose or was set to, or else its default for
    /// such a heap.
    long regionOrDefault() {
        return regionBytes.orElseGet(() ->
                Math.clamp(
                        Long.highestOneBit(
                                Math.max(1, Math.round(heapMaxBytes.orElse(0.0)) / REGIONS)),
                        MIB,
                        LARGEST_REGION));
    }

    /// The size value of a flag; empty if it is not set or not a size.
    public static OptionalLong size(Map<String, String> flags, String name) {
        try {
            return flags.containsKey(name)
                    ? OptionalLong.of(Bytes.parse(flags.get(name)).value())
                    : OptionalLong.empty();
        } catch (IllegalArgumentException _) {
            return OptionalLong.empty();
        }
    }

    /// The number value of a flag; empty if it is not set or not a number.
    public static OptionalInt number(Map<String, String> flags, String name) {
        String value = flags.getOrDefault(name, "");
        return value.matches("\\d{1,9}")
                ? OptionalInt.of(Integer.parseInt(value))
                : OptionalInt.empty();
    }
}
