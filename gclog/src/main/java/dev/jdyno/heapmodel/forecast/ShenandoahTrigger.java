package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.DecayingAverage;
import dev.jdyno.heapmodel.simulation.RecentValues;

/// When Shenandoah begins a cycle (`shenandoahAdaptiveHeuristics.cpp`, JDK 25), without flags that
/// change it. Replayed on the durations in logs of JDK 25 its mean length of a cycle is that which
/// their lines tell, within 1 %.
final class ShenandoahTrigger {
    /// `ShenandoahEvacReserve`: this part of the heap is kept for copies.
    private static final double RESERVE = 0.05;

    /// `ShenandoahMinFreeThreshold`: less is free.
    private static final double LEAST_FREE = 0.1;

    /// `ShenandoahLearningSteps`: so many cycles begin when less than
    private static final int LEARNING = 5;

    /// `ShenandoahInitFreeThreshold` is free.
    private static final double LEARNING_FREE = 0.7;

    /// `ShenandoahAllocSpikeFactor`: this part of the heap is left for sudden allocation.
    private static final double SPIKE = 0.05;

    /// `ShenandoahAdaptiveInitialConfidence` and `ShenandoahAdaptiveInitialSpikeThreshold`, in
    /// deviations; both move within these bounds.
    private static final double CONFIDENCE = 1.8;

    private static final double CONFIDENCE_LEAST = 0.319;
    private static final double CONFIDENCE_MOST = 3.291;

    /// A cycle that left so many deviations more or less than usual
    private static final double UNUSUAL = 0.5;

    /// moves them by this part of it.
    private static final double MOVE = 0.01;

    /// `Moving_Average_Samples`.
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

    /// What of a heap is there for the application.
    static double room(double heap) {
        return heap * (1 - RESERVE);
    }

    /// @param sinceBytes allocated since the last cycle began
    boolean fires(double freeBytes, double sinceBytes, double nowS) {
        double latest = rate.sample(sinceBytes, nowS);
        reason = Reason.OTHER;
        if (freeBytes < LEAST_FREE * heap
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

    /// The cycle that was fired begins.
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
        return Math.clamp(value, CONFIDENCE_LEAST, CONFIDENCE_MOST);
    }
}
