package dev.jdyno.heapmodel;

import dev.jdyno.measure.HeapObservation;
import dev.jdyno.measure.YoungCopy;
import java.util.List;

/// Reads lifetimes off single young collections of G1, whose Edens differ in size: what a
/// collection copies is what is alive of Eden and what still is of the survivors before. With lives
/// without memory, `q = exp(−Eden / life)`, that is
///
///     copied = live · (1 − q) + survivors · q
///
/// for each, linear in `live` for a given life: least squares over some lives. Where the log tells
/// the live set it is one more figure to meet.
final class LifetimeFit {
    /// Of the collections at the start, when the live set is built, this share is left out.
    private static final double START_SHARE = 0.1;

    /// What the live set that the log tells weighs, in collections looked at. Chosen on six
    /// programs; a fifth or four times as much makes little difference.
    private static final double LIVE_WEIGHT = 0.25;

    /// Where less may be alive than the log tells, what is copied is the least it can be and what
    /// the log tells the most: in between, as logarithms, is where it is looked for while the
    /// collections leave it open. How much its square weighs, in squares of what is copied.
    private static final double BOUND_WEIGHT = 0.001;

    /// Lives tried lie this factor apart, about a tenth to 33 times the usual Eden.
    private static final double STEP = 1.06;

    private static final int STEPS_BELOW = 40;
    private static final int STEPS_ABOVE = 60;

    private final List<YoungCopy> collections;
    private final double toldBytes;
    private final double toldWeight;
    private final double mostBytes;
    private final double middleBytes;
    private final double middleWeight;

    private LifetimeFit(List<YoungCopy> collections, double liveBytes, boolean isBound) {
        this.collections =
                collections.subList((int) (collections.size() * START_SHARE), collections.size());
        toldBytes = liveBytes;
        toldWeight = isBound ? 0 : LIVE_WEIGHT * this.collections.size();
        mostBytes = isBound ? liveBytes : Double.MAX_VALUE;
        double copied =
                this.collections.stream()
                        .mapToDouble(YoungCopy::copiedBytes)
                        .average()
                        .orElse(liveBytes);
        middleBytes = Math.sqrt(liveBytes * Math.min(copied, liveBytes));
        middleWeight = isBound ? BOUND_WEIGHT * this.collections.size() * copied * copied : 0;
    }

    /// @param copying with at least one single collection
    /// @param liveBytes as old collections tell it
    /// @param isBound whether less may be alive
    static Lifetimes of(HeapObservation.Copying copying, double liveBytes, boolean isBound) {
        var fit = new LifetimeFit(copying.collections(), liveBytes, isBound);
        double eden = Math.max(1, copying.edenBytes());
        double best = eden;
        double least = Double.MAX_VALUE;
        for (int step = -STEPS_BELOW; step <= STEPS_ABOVE; step++) {
            double life = eden * Math.pow(STEP, step);
            double squares = fit.squares(life, fit.live(life));
            if (squares < least) {
                least = squares;
                best = life;
            }
        }
        return Lifetimes.churn(fit.live(best) / best, best, Lifetimes.Spread.MEMORYLESS);
    }

    /// The live set that explains most with this life, within what can be.
    private double live(double life) {
        double above = toldWeight * toldBytes;
        double below = toldWeight;
        for (YoungCopy y : collections) {
            double q = Math.exp(-y.edenBytes() / life);
            above += (1 - q) * (y.copiedBytes() - y.survivorsBeforeBytes() * q);
            below += (1 - q) * (1 - q);
        }
        double live = below > 0 ? above / below : 0;
        return Math.max(0, Math.min(live, Math.min(Lifetimes.CHURN_SHARE_MAX * life, mostBytes)));
    }

    private double squares(double life, double live) {
        double away = Math.log(Math.max(1, live) / Math.max(1, middleBytes));
        double sum =
                toldWeight * (live - toldBytes) * (live - toldBytes) + middleWeight * away * away;
        for (YoungCopy y : collections) {
            double q = Math.exp(-y.edenBytes() / life);
            double off = y.copiedBytes() - y.survivorsBeforeBytes() * q - live * (1 - q);
            sum += off * off;
        }
        return sum;
    }
}
