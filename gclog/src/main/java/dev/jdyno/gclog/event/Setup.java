package dev.jdyno.gclog.event;

import dev.jdyno.measure.gc.GcSetting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// What a log's head says of the JVM and the machine.
///
/// @param unified whether the log is one of unified logging (JDK 9 and later)
/// @param permanentGeneration whether classes lie in one, as before JDK 8
/// @param serialOld whether Parallel's full collections run on one thread, as by default before JDK
///   7u4
/// @param jdk version text, such as `25.0.3+9-LTS` or `1.8.0_40-b25`
/// @param physicalBytes memory of the machine or container as the JVM saw it
/// @param swapTotalBytes JDK 8 only
/// @param flags `-XX` flags as written in a JDK 8 head, and those that single lines show
/// @param warnings `[warning]` lines of the GC, at most 8
public record Setup(
        boolean unified,
        boolean permanentGeneration,
        boolean serialOld,
        Optional<String> jdk,
        OptionalInt cpus,
        OptionalLong physicalBytes,
        OptionalLong swapTotalBytes,
        OptionalLong swapFreeBytes,
        OptionalLong regionBytes,
        OptionalLong minHeapBytes,
        OptionalLong initialHeapBytes,
        OptionalLong maxHeapBytes,
        OptionalInt parallelWorkers,
        OptionalInt concurrentWorkers,
        Map<String, String> flags,
        List<String> warnings) {
    private static final int BEFORE_UNIFIED = 8;

    public Setup {
        flags = Map.copyOf(flags);
        warnings = List.copyOf(warnings);
    }

    /// The feature release: 8, 17, 25; empty when the log does not say.
    public OptionalInt feature() {
        return jdk.map(GcSetting::feature).orElse(OptionalInt.empty());
    }

    /// The same, or the last JDK that logged so: a log that was switched on in the middle has no
    /// head.
    public OptionalInt release() {
        return unified || feature().isPresent() ? feature() : OptionalInt.of(BEFORE_UNIFIED);
    }
}
