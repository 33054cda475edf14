package dev.jdyno.heapmodel.simulation;

import dev.jdyno.measure.text.Bytes;
import java.util.Optional;
import java.util.OptionalInt;

/// The heap flags of a JVM. `-Xms` is assumed to equal `-Xmx`: the growth of a heap is not
/// modelled.
///
/// @param jdk feature release of the JVM; 17 and 25 treat large arrays differently
/// @param xmn `-Xmn`, the size of a fixed young generation
/// @param newRatio old ÷ young if `xmn` is absent
/// @param survivorRatio Eden ÷ survivor if the command line sets it
/// @param maxTenuringThreshold maximum number of collections that an object survives in young
/// @param targetSurvivorRatio target occupancy of a survivor space in percent (F11)
/// @param adaptive true if Parallel resizes its spaces (`-XX:+UseAdaptiveSizePolicy`, the default)
public record HeapFlags(
        Collector collector,
        int jdk,
        Bytes xmx,
        Optional<Bytes> xmn,
        int newRatio,
        OptionalInt survivorRatio,
        int maxTenuringThreshold,
        int targetSurvivorRatio,
        boolean adaptive) {
    /// HotSpot's maximum age: four bits of the object header.
    static final int AGE_MAX = 15;

    public HeapFlags {
        check(jdk >= 8, "the model knows HotSpot from JDK 8 on, not " + jdk);
        check(newRatio >= 1, "NewRatio must be at least 1, not " + newRatio);
        check(survivorRatio.orElse(8) >= 1, "SurvivorRatio must be at least 1");
        check(
                maxTenuringThreshold >= 0 && maxTenuringThreshold <= AGE_MAX,
                "MaxTenuringThreshold must be 0…15, not " + maxTenuringThreshold);
        check(
                targetSurvivorRatio >= 1 && targetSurvivorRatio <= 100,
                "TargetSurvivorRatio must be 1…100, not " + targetSurvivorRatio);
        check(xmx.value() >= 4 * 1024 * 1024, "a heap under 4m is not modelled: " + xmx);
        check(
                xmn.isEmpty() || xmn.get().value() < xmx.value(),
                "the young generation must be smaller than the heap");
    }

    /// HotSpot's defaults for all flags except the collector and the size of the heap.
    public static HeapFlags of(Collector collector, Bytes xmx) {
        return new HeapFlags(
                collector, 25, xmx, Optional.empty(), 2, OptionalInt.empty(), AGE_MAX, 50, true);
    }

    public HeapFlags withJdk(int release) {
        return with(release, xmx, xmn, newRatio, survivorRatio);
    }

    public HeapFlags withYoung(Bytes young) {
        return withSizes(xmx, young);
    }

    /// The same flags with another heap and a young generation of fixed size.
    public HeapFlags withSizes(Bytes heap, Bytes young) {
        return with(jdk, heap, Optional.of(young), newRatio, survivorRatio);
    }

    public HeapFlags withNewRatio(int ratio) {
        return with(jdk, xmx, xmn, ratio, survivorRatio);
    }

    public HeapFlags withSurvivorRatio(int ratio) {
        return with(jdk, xmx, xmn, newRatio, OptionalInt.of(ratio));
    }

    private HeapFlags with(
            int release, Bytes heap, Optional<Bytes> young, int ratio, OptionalInt survivors) {
        return new HeapFlags(
                collector,
                release,
                heap,
                young,
                ratio,
                survivors,
                maxTenuringThreshold,
                targetSurvivorRatio,
                adaptive);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
