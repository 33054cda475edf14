package dev.jdyno.heapmodel.simulation;

/// Parallel's adaptation of Eden, survivor spaces and tenuring threshold after each collection
/// (`psAdaptiveSizePolicy.cpp`, `psYoungGen.cpp`), for a young generation of fixed size.
///
/// After five collections, a survivor space gets the average of the surviving bytes plus three
/// deviations, at most young ÷ MinSurvivorRatio. Eden gets the rest. Objects too large for a
/// promotion buffer do not count as survivors when they overflow, so survivor spaces shrink around
/// them. The threshold decreases while minor collections cost more than full ones, and on each
/// overflow. The space that contains survivors cannot be moved, which delays a change by a
/// collection or two. Therefore the model keeps addresses.
final class AdaptiveSizing {
    /// Number of collections before the policy acts (`AdaptiveSizePolicyReadyThreshold`).
    private static final int READY_AFTER = 5;

    /// Target share of time for the application (`GCTimeRatio` 99).
    private static final double THROUGHPUT_GOAL = 0.99;

    /// `ThresholdTolerance`: two costs count as equal if they differ by at most 10 %.
    private static final double COST_TOLERANCE = 1.1;

    /// Tenuring threshold at the start of the JVM (`InitialTenuringThreshold`).
    private static final int THRESHOLD_AT_START = 7;

    /// Eden shrinks by a twentieth (`YoungGenerationSizeIncrement` ÷ 4) if the time goal is met.
    private static final int FOOTPRINT_DIVISOR = 20;

    private static final int TIME_WEIGHT = 25;
    private static final int SIZE_WEIGHT = 10;
    private static final int SURVIVOR_PADDING = 3;

    private final boolean adaptive;
    private final int thresholdMax;
    private final long grain;
    private final long youngBytes;
    private final long survivorBytesMax;
    private final long promoBytes;
    private final WeightedAverage survived = WeightedAverage.of(SIZE_WEIGHT, SURVIVOR_PADDING);
    private final WeightedAverage minorCost = WeightedAverage.of(TIME_WEIGHT, 0);
    private final WeightedAverage majorCost = WeightedAverage.of(TIME_WEIGHT, 0);
    private long survivorTarget;
    private int threshold;
    private long fromStart;
    private long fromEnd;
    private long toStart;
    private long toEnd;
    private double sinceFull;

    AdaptiveSizing(HeapLayout layout, HeapFlags flags) {
        adaptive = flags.adaptive();
        thresholdMax = flags.maxTenuringThreshold();
        threshold = adaptive ? Math.min(THRESHOLD_AT_START, thresholdMax) : thresholdMax;
        grain = layout.alignmentBytes();
        youngBytes = layout.youngBytes();
        survivorBytesMax = layout.survivorBytesMax();
        promoBytes = layout.oldBytes();
        survivorTarget = layout.survivorBytes();
        toStart = layout.edenBytes();
        toEnd = toStart + layout.survivorBytes();
        fromStart = toEnd;
        fromEnd = youngBytes;
    }

    int threshold() {
        return threshold;
    }

    /// @param heap the heap after the collection, with swapped survivor spaces
    /// @param intervalSeconds time since the last pause ended
    void afterMinor(
            Generations.Minor minor, Generations heap, double pause, double intervalSeconds) {
        swap();
        sinceFull += intervalSeconds;
        minorCost.sample(pause / (intervalSeconds + pause));
        long alive = minor.survivedBytes() + (minor.overflow() ? minor.promotedBytes() : 0);
        survived.sample((double) alive);
        if (!adaptive) {
            return;
        }
        if (minorCost.count() >= READY_AFTER) {
            aim(minor.overflow());
        }
        long eden = heap.eden().capacityBytes();
        resize(heap, wantedEden(eden));
    }

    void afterFull(Generations heap, double pause, double intervalSeconds) {
        sinceFull += intervalSeconds;
        majorCost.sample(pause / (sinceFull + pause));
        sinceFull = 0;
        if (adaptive && heap.eden().usedBytes() == 0 && heap.from().usedBytes() == 0) {
            resize(heap, wantedEden(heap.eden().capacityBytes()));
        }
    }

    private void swap() {
        long start = fromStart;
        long end = fromEnd;
        fromStart = toStart;
        fromEnd = toEnd;
        toStart = start;
        toEnd = end;
    }

    private void aim(boolean overflow) {
        boolean lower = overflow;
        boolean raise = false;
        if (!overflow) {
            lower = minorCost.average() > majorCost.average() * COST_TOLERANCE;
            raise = majorCost.average() > minorCost.average() * COST_TOLERANCE;
        }
        survivorTarget = Math.max(grain, up((long) survived.padded()));
        if (survivorTarget > survivorBytesMax) {
            survivorTarget = survivorBytesMax;
            lower = true;
        }
        if (lower) {
            threshold = Math.max(Math.min(1, thresholdMax), threshold - 1);
        } else if (raise) {
            threshold = Math.min(thresholdMax, threshold + 1);
        }
    }

    private long wantedEden(long eden) {
        long limit = youngBytes - (fromEnd - fromStart) - (toEnd - toStart);
        double gcShare = minorCost.average() + majorCost.average();
        if (1 - gcShare < THROUGHPUT_GOAL) {
            return Math.max(limit, eden);
        }
        if (minorCost.count() < READY_AFTER) {
            return Math.min(eden, Math.max(limit, eden));
        }
        double share = (double) eden / (eden + promoBytes);
        return Math.max(grain, up(eden - (long) ((double) eden / FOOTPRINT_DIVISOR * share)));
    }

    /// Resizes the spaces as `PSYoungGen::resize_spaces` does: `from` stays at the address of its
    /// survivors.
    private void resize(Generations heap, long wantedEden) {
        boolean wholeYoung = wantedEden + 2 * survivorTarget <= youngBytes;
        long eden;
        if (fromStart < toStart) {
            eden = wholeYoung ? fromStart : Math.min(wantedEden, fromStart);
            toEnd = youngBytes;
            toStart = toEnd - survivorTarget;
            if (toStart < fromEnd) {
                fromEnd = fromStart + Math.max(grain, up(heap.from().usedBytes()));
                toStart = Math.max(fromEnd, toStart);
            }
        } else {
            toEnd = Math.min(youngBytes - survivorTarget, fromStart);
            toStart = Math.max(grain, toEnd - survivorTarget);
            eden = wholeYoung ? toStart : Math.min(wantedEden, toStart);
            toStart = Math.max(toStart, Math.max(eden, grain));
        }
        heap.eden().resize(Math.max(eden, grain));
        heap.from().resize(fromEnd - fromStart);
        heap.to().resize(toEnd - toStart);
    }

    private long up(long bytes) {
        return (bytes + grain - 1) / grain * grain;
    }
}
