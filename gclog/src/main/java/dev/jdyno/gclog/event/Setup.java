package dev.jdyno.gclog.event;

import dev.jdyno.measure.gc.GcSetting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The JVM and the machine, from a log's head.
///
/// @param unified true if the log is in the format of unified logging (JDK 9 and later)
/// @param permanentGeneration true if classes are in a permanent generation, as before JDK 8
/// @param serialOld true if Parallel's full collections use one thread, which is the default before
///   JDK 7u4
/// @param jdk version text, such as `25.0.3+9-LTS` or `1.8.0_40-b25`
/// @param physicalBytes memory of the machine or container that the JVM detected
/// @param swapTotalBytes in logs of JDK 8 only
/// @param flags `-XX` flags from the head of a JDK 8 log, and from other lines
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

    /// The feature release: 8, 17, 25; empty if the log does not show it.
    public OptionalInt feature() {
        return jdk.map(GcSetting::feature).orElse(OptionalInt.empty());
    }

    /// The feature release. If a log of JDK 6–8 has no head, because it was switched on later, this
    /// is the last JDK with this format.
    public OptionalInt release() {
        return unified || feature().isPresent() ? feature() : OptionalInt.of(BEFORE_UNIFIED);
    }
}
