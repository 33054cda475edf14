package dev.jdyno.heapmodel.simulation;

import dev.jdyno.measure.text.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// Finds answers by simulation: the concurrency that a heap supports (F6), and the size of a large
/// enough young generation (F9).
public final class HeapSizing {
    /// Maximum number of clients that is tried. If it is safe, the answer is "no limit".
    public static final int CONCURRENCY_MAX = 4096;

    /// Maximum share of the allocation that flows into old and counts as no promotion. The JVM's
    /// own objects are promoted that slowly.
    private static final double INFLOW_NONE = 0.002;

    /// Minimum improvement of throughput or GC share that counts as a gain.
    private static final double GAIN_NONE = 0.01;

    private static final int YOUNG_SIZES = 22;

    /// Size of the largest young generation tried, in requests. It is well above 100, which the
    /// formula for a large enough young generation gives (F9).
    private static final double YOUNG_MAX_IN_REQUESTS = 800;

    private static final double YOUNG_MIN_IN_REQUESTS = 2;
    private static final int YOUNG_GCS_WANTED = 60;
    private static final int REQUESTS_PER_TRY_MAX = 60_000;

    /// A size of the young generation and the prediction for that size.
    public record Step(Bytes young, HeapPrediction prediction) {}

    private HeapSizing() {}

    /// Maximum concurrency at which only the JVM's own objects flow into old, by simulation instead
    /// of the formula F6. Empty if even [#CONCURRENCY_MAX] is safe; 0 if not even one request is
    /// safe.
    ///
    /// The formula is survivor ÷ live memory per request. For requests that hold their memory until
    /// they end, it is lower by one. The request that finds Eden full has not allocated yet.
    public static OptionalInt safeConcurrency(HeapFlags flags, HeapWorkload load) {
        int safe = 0;
        int unsafe = 1;
        while (unsafe <= CONCURRENCY_MAX && isSafe(flags, load, unsafe)) {
            safe = unsafe;
            unsafe *= 2;
        }
        if (unsafe > CONCURRENCY_MAX) {
            return OptionalInt.empty();
        }
        while (unsafe - safe > 1) {
            int middle = (safe + unsafe) >>> 1;
            if (isSafe(flags, load, middle)) {
                safe = middle;
            } else {
                unsafe = middle;
            }
        }
        return OptionalInt.of(safe);
    }

    /// The concurrency of the formula F6: the maximum size of a survivor space ÷ the live bytes of
    /// a waiting request.
    public static double formulaSafeConcurrency(HeapFlags flags, HeapWorkload load) {
        double live =
                load.releaseBeforeWait()
                        ? 0
                        : (double) load.liveObjectsPerRequest() * load.objectHeapBytes();
        return HeapLayout.of(flags).survivorBytesMax() / live;
    }

    private static boolean isSafe(HeapFlags flags, HeapWorkload load, int concurrency) {
        HeapWorkload tried =
                forTrend(flags, load, 10 * concurrency).with(new Arrivals.Closed(concurrency));
        HeapPrediction p = HeapSimulator.run(flags, tried);
        return !p.outOfMemory() && p.steadyInflow() < INFLOW_NONE;
    }

    /// The smallest sufficient young generation, by simulation instead of the formula F9. Its
    /// throughput and GC share are within 1 % of the best values of larger ones. The old generation
    /// keeps its size.
    public static Bytes youngEnough(HeapFlags flags, HeapWorkload load) {
        double request = load.requestBytes().value();
        double grain = HeapLayout.of(flags).alignmentBytes();
        double min = Math.max(4 * grain, YOUNG_MIN_IN_REQUESTS * request);
        double max = Math.max(16 * min, YOUNG_MAX_IN_REQUESTS * request);
        var sizes = new ArrayList<Bytes>();
        for (int i = 0; i < YOUNG_SIZES; i++) {
            double size = min * Math.pow(max / min, i / (YOUNG_SIZES - 1.0));
            sizes.add(new Bytes((long) (Math.ceil(size / grain) * grain)));
        }
        return enoughOf(sweepYoung(flags, load, sizes));
    }

    /// The first step of a sweep, smallest young first, that no later step improves. An improvement
    /// is 1 % of throughput or GC share, or the end of frequent full collections.
    public static Bytes enoughOf(List<Step> steps) {
        double bestRate = 0;
        double bestShare = 1;
        boolean calmIsPossible = false;
        for (Step s : steps) {
            bestRate = Math.max(bestRate, s.prediction().requestsPerSecond());
            bestShare = Math.min(bestShare, s.prediction().gcShare());
            calmIsPossible |= !s.prediction().fullGcsFrequent();
        }
        for (Step s : steps) {
            HeapPrediction p = s.prediction();
            if (p.requestsPerSecond() >= bestRate * (1 - GAIN_NONE)
                    && p.gcShare() <= bestShare + GAIN_NONE
                    && (!calmIsPossible || !p.fullGcsFrequent())) {
                return s.young();
            }
        }
        return steps.getLast().young();
    }

    /// The same load with young generations of these sizes, as in experiment E19. The old
    /// generation keeps its size.
    public static List<Step> sweepYoung(HeapFlags flags, HeapWorkload load, List<Bytes> sizes) {
        long old = HeapLayout.of(flags).oldBytes();
        return sizes.stream()
                .map(young -> {
                    HeapFlags tried = flags.withSizes(new Bytes(old + young.value()), young);
                    return new Step(young, HeapSimulator.run(tried, forTrend(tried, load, 1)));
                })
                .toList();
    }

    /// The load with enough requests for some tens of young collections.
    private static HeapWorkload forTrend(HeapFlags flags, HeapWorkload load, int min) {
        double perYoung = (double) HeapLayout.of(flags).edenBytes() / load.requestBytes().value();
        double wanted = Math.max(min, perYoung * YOUNG_GCS_WANTED);
        return load.withRequests((int) Math.max(200, Math.min(REQUESTS_PER_TRY_MAX, wanted)));
    }
}
