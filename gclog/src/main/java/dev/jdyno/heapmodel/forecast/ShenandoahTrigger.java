package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.DecayingAverage;
import dev.jdyno.heapmodel.simulation.RecentValues;

/// Shenandoah's decision to begin a cycle (`shenandoahAdaptiveHeuristics.cpp`, JDK 25), without
/// flags that change it. Replayed with the durations of JDK 25 logs, its mean cycle length agrees
/// with the logs within 1 %.
final class ShenandoahTrigger {
    /// `ShenandoahEvacReserve`: share of the heap reserved for copies.
    private static final double RESERVE = 0.05;

    /// `ShenandoahMinFreeThreshold`: free share of the heap below which a cycle begins.
    private static final double MIN_FREE = 0.1;

    /// `ShenandoahLearningSteps`: number of first cycles, which begin below {@link #LEARNING_FREE}.
    private static final int LEARNING = 5;

    /// `ShenandoahInitFreeThreshold`: free share of the heap below which the first cycles begin.
    private static final double LEARNING_FREE = 0.7;

    /// `ShenandoahAllocSpikeFactor`: share of the heap left for allocation spikes.
    private static final double SPIKE = 0.05;

    /// `ShenandoahAdaptiveInitialConfidence` and `ShenandoahAdaptiveInitialSpikeThreshold`, in
    /// standard deviations, and the limits of both.
    private static final double CONFIDENCE = 1.8;

    private static final double MIN_CONFIDENCE = 0.319;
    private static final double MAX_CONFIDENCE = 3.291;

    /// Minimum deviation of the free memory after a cycle, in standard deviations, that changes
    /// both confidence values.
    private static final double UNUSUAL = 0.5;

    /// Factor for the change of the confidence values by this deviation.
    private static final double MOVE = 0.01;

    /// `Moving_Average_Samples`: number of cycles in the moving average.
    private static final int CYCLES = 10;

    private enum Reason {
        RATE,
        SPIKE,
        OTHER
    }

    private final double heap;
    private final ShenandoahAllocationRate rate = new ShenandoahAllocationRate();
    private final DecayingAverage length = DecayingAverage.ofShenandoah();
    private final RecentValues left = new RecentValues(CYCLES);
    private double confidence = CONFIDENCE;
    private double spiking = CONFIDENCE;
    private int learned;
    private Reason reason = Reason.OTHER;

    ShenandoahTrigger(double heap) {
        this.heap = heap;
    }

    /// The part of a heap that the application can use.
    static double usableBytes(double heap) {
        return heap * (1 - RESERVE);
    }

    /// @param sinceBytes bytes allocated since the last cycle began
    boolean fires(double freeBytes, double sinceBytes, double nowS) {
        double latest = rate.sample(sinceBytes, nowS);
        reason = Reason.OTHER;
        if (freeBytes < MIN_FREE * heap
                || (learned < LEARNING && freeBytes < LEARNING_FREE * heap)) {
            return true;
        }
        double headroom = Math.max(0, freeBytes - SPIKE * heap);
        double lengthS = length.mean() + confidence * length.deviation();
        if (lengthS * rate.most(confidence) > headroom) {
            reason = Reason.RATE;
            return true;
        }
        if (rate.isSpike(latest, spiking) && lengthS * latest > headroom) {
            reason = Reason.SPIKE;
            return true;
        }
        return false;
    }

    /// Called when the triggered cycle begins.
    void begins(double nowS) {
        rate.restart(nowS);
    }

    void ends(double seconds, double freeBytes) {
        learned++;
        length.add(seconds);
        double deviation = left.isEmpty() ? 0 : left.deviation();
        double off = deviation > 0 ? (freeBytes - left.mean()) / deviation : 0;
        left.add(freeBytes);
        if (Math.abs(off) <= UNUSUAL) {
            return;
        }
        switch (reason) {
            case RATE -> confidence = within(confidence - MOVE * off);
            case SPIKE -> spiking = within(spiking + MOVE * off);
            case OTHER -> {}
        }
    }

    private static double within(double value) {
        return Math.clamp(value, MIN_CONFIDENCE, MAX_CONFIDENCE);
    }
}
