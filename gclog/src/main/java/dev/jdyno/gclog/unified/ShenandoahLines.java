package dev.jdyno.gclog.unified;

import dev.jdyno.gclog.read.Scan;
import dev.jdyno.measure.gc.ShenandoahCycle;
import java.util.Optional;

/// Figures of one cycle of non-generational Shenandoah, from lines as JDK 25 writes them.
final class ShenandoahLines {
    private static final byte[] LIVE = Scan.word("Expected Live: ");
    private static final byte[] FREE = Scan.word("Free: ");
    private static final byte[] IMMEDIATE = Scan.word("Immediate: ");
    private static final byte[] COLLECTION_SET = Scan.word("CSet: ");
    private static final byte[] AVAILABLE = Scan.word("available: ");

    private double live = Double.NaN;
    private double free = Double.NaN;
    private double freedAtOnce = Double.NaN;
    private double freed = Double.NaN;
    private double freeAfter = Double.NaN;
    private double endS = Double.NaN;

    /// Reads `Pacer for Mark. Expected Live: 20480K, Free: 137M, Non-Taxable: 14080K, …`.
    boolean pacerForMark(Scan s) {
        if (!s.after(LIVE) || !s.size()) {
            return false;
        }
        live = (double) s.whole;
        if (!s.after(FREE) || !s.size()) {
            return false;
        }
        free = (double) s.whole;
        return true;
    }

    /// Reads `Collectable Garbage: 8168K (35%), Immediate: 0B (0%), 0 regions, CSet: 8168K (35%),
    /// 65 regions`. Regions without live objects are free at once, those in the collection set at
    /// the end of the cycle.
    boolean garbage(Scan s) {
        if (!s.after(IMMEDIATE) || !s.size()) {
            return false;
        }
        freedAtOnce = (double) s.whole;
        if (!s.after(COLLECTION_SET) || !s.size()) {
            return false;
        }
        freed = (double) s.whole;
        return true;
    }

    /// Reads `At end of GC: used: 110M, used regions: 200M, …, available: 80899K`.
    boolean atEnd(Scan s, double uptimeS) {
        if (!s.after(AVAILABLE) || !s.size()) {
            return false;
        }
        freeAfter = (double) s.whole;
        endS = uptimeS;
        return true;
    }

    /// @return empty unless the log has all of these lines
    Optional<ShenandoahCycle> finish(double startS) {
        double sum = live + free + freedAtOnce + freed + freeAfter + endS;
        return Double.isNaN(sum)
                ? Optional.empty()
                : Optional.of(
                        new ShenandoahCycle(
                                startS,
                                Math.max(0, endS - startS),
                                live,
                                free,
                                freeAfter,
                                freedAtOnce,
                                freed));
    }
}
