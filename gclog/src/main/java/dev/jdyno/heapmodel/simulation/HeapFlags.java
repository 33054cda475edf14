package dev.jdyno.heapmodel.simulation;

import dev.jdyno.measure.text.Bytes;
import java.util.Optional;
import java.util.OptionalInt;

/// What the command line of a JVM says about its heap. `-Xms` is taken to equal `-Xmx`: the growth
/// of a heap from a smaller start is not modelled.
///
/// @param jdk feature release of the JVM; matters where 17 and 25 treat large arrays differently
/// @param xmn `-Xmn`, a young generation of fixed size
/// @param newRatio old ÷ young when `xmn` is absent
/// @param survivorRatio Eden ÷ survivor when set on the command line
/// @param maxTenuringThreshold collections an object survives at most before it is promoted
/// @param targetSurvivorRatio per cent of a survivor space that F11 fills
/// @param adaptive whether Parallel resizes its spaces (`-XX:+UseAdaptiveSizePolicy`, the default)
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
    /// HotSpot's largest age: four bits of the object header.
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

    /// HotSpot's defaults for everything but the collector and the heap's size.
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

    /// Another heap with a young generation of fixed size.
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
