package dev.jdyno.heapmodel.simulation;

/// Sizes of the spaces at the start of the JVM in bytes, computed as in HotSpot
/// (`genArguments.cpp`, `defNewGeneration.cpp`, `psYoungGen.cpp`).
///
/// @param survivorBytes size of one of the two survivor spaces
/// @param survivorBytesMax maximum size to which Parallel may grow a survivor space; equals
///   `survivorBytes` if the size is fixed
/// @param alignmentBytes granularity of the spaces
public record HeapLayout(
        long edenBytes,
        long survivorBytes,
        long survivorBytesMax,
        long oldBytes,
        long alignmentBytes) {
    private static final long KIB = 1024;

    /// Serial's spaces are multiples of this (`Generation::GenGrain`).
    private static final long SERIAL_GRAIN = 64 * KIB;

    /// Parallel's spaces are multiples of this (64 K words).
    private static final long PARALLEL_GRAIN = 512 * KIB;

    /// The size of the heap is a multiple of this: the range that one page of the card table
    /// covers.
    private static final long HEAP_GRAIN = 2048 * KIB;

    /// Parallel's defaults of young ÷ survivor, at the start and for the largest survivor space.
    private static final int PARALLEL_INITIAL_SURVIVOR_RATIO = 8;

    private static final int PARALLEL_MIN_SURVIVOR_RATIO = 3;
    private static final int SERIAL_SURVIVOR_RATIO = 8;

    /// Maximum share of the heap for Eden and survivors in G1 (`G1MaxNewSizePercent`).
    private static final double G1_YOUNG_MAX = 0.60;

    private static final long G1_REGIONS_WANTED = 2048;
    private static final long G1_REGION_MAX = 32 * 1024 * KIB;

    public static HeapLayout of(HeapFlags flags) {
        return switch (flags.collector()) {
            case SERIAL -> serial(flags);
            case PARALLEL -> parallel(flags);
            case G1 -> g1(flags);
        };
    }

    public long youngBytes() {
        return edenBytes + 2 * survivorBytes;
    }

    private static HeapLayout serial(HeapFlags flags) {
        long young = young(flags, SERIAL_GRAIN);
        long parts = flags.survivorRatio().orElse(SERIAL_SURVIVOR_RATIO) + 2L;
        long survivor = atLeast(SERIAL_GRAIN, down(young / parts, SERIAL_GRAIN));
        return new HeapLayout(
                young - 2 * survivor, survivor, survivor, heap(flags) - young, SERIAL_GRAIN);
    }

    /// `-XX:SurvivorRatio` on the command line sets both ratios of Parallel to its value + 2
    /// (`parallelArguments.cpp`). Otherwise survivors start at young ÷ 8 and may grow to young ÷ 3.
    private static HeapLayout parallel(HeapFlags flags) {
        long young = young(flags, PARALLEL_GRAIN);
        int initial =
                flags.survivorRatio().isPresent()
                        ? flags.survivorRatio().getAsInt() + 2
                        : PARALLEL_INITIAL_SURVIVOR_RATIO;
        int smallest =
                flags.survivorRatio().isPresent()
                        ? flags.survivorRatio().getAsInt() + 2
                        : PARALLEL_MIN_SURVIVOR_RATIO;
        long survivor = atLeast(PARALLEL_GRAIN, down(young / initial, PARALLEL_GRAIN));
        long max =
                flags.adaptive()
                        ? atLeast(PARALLEL_GRAIN, down(young / smallest, PARALLEL_GRAIN))
                        : survivor;
        return new HeapLayout(
                young - 2 * survivor, survivor, max, heap(flags) - young, PARALLEL_GRAIN);
    }

    private static HeapLayout g1(HeapFlags flags) {
        long region = g1RegionBytes(flags);
        long heap = flags.xmx().value() / region * region;
        long young =
                flags.xmn().isPresent()
                        ? down(flags.xmn().get().value(), region)
                        : down(Math.round(heap * G1_YOUNG_MAX), region);
        long survivor =
                atLeast(
                        region,
                        down(young / flags.survivorRatio().orElse(SERIAL_SURVIVOR_RATIO), region));
        return new HeapLayout(
                atLeast(region, young - survivor), survivor, survivor, heap - young, region);
    }

    /// Size of a region, for about 2048 regions: a power of two from 1 to 32 MiB
    /// (`heapRegion.cpp`).
    static long g1RegionBytes(HeapFlags flags) {
        long wanted = Math.max(1024 * KIB, flags.xmx().value() / G1_REGIONS_WANTED);
        return Math.min(G1_REGION_MAX, Long.highestOneBit(wanted));
    }

    private static long heap(HeapFlags flags) {
        return (flags.xmx().value() + HEAP_GRAIN - 1) / HEAP_GRAIN * HEAP_GRAIN;
    }

    private static long young(HeapFlags flags, long grain) {
        long heap = heap(flags);
        long wanted =
                flags.xmn().isPresent()
                        ? flags.xmn().get().value()
                        : heap / (flags.newRatio() + 1L);
        return atLeast(3 * grain, down(Math.min(wanted, heap - grain), grain));
    }

    private static long down(long bytes, long grain) {
        return bytes / grain * grain;
    }

    private static long atLeast(long min, long bytes) {
        return Math.max(min, bytes);
    }
}
