package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.Nearest;
import dev.jdyno.measure.gc.ShenandoahCycle;
import java.util.List;

/// A run of Shenandoah, with its figures by position. A position is the number of bytes allocated
/// so far. The model assumes that a run on another heap behaves the same at the same position.
final class ShenandoahHistory {
    /// Minimum total length, in seconds, of the periods between cycles from which the allocation
    /// rate is measured.
    private static final double STRETCH_S = 0.05;

    /// Minimum value of that length. Stamps have milliseconds, so shorter periods give no rate.
    private static final double MIN_STRETCH_S = 0.01;

    /// Minimum allocation rate between cycles, as a share of the run's mean rate.
    private static final double MIN_RATE = 0.1;

    private final List<ShenandoahCycle> cycles;
    private final double heapBytes;
    private final double[] positions;
    private final double[] idleBytes;
    private final double[] idleS;
    private final double[] rates;
    private final double allocated;

    /// @param cycles must have at least one cycle
    ShenandoahHistory(List<ShenandoahCycle> cycles, double heapBytes) {
        this.cycles = List.copyOf(cycles);
        this.heapBytes = heapBytes;
        int n = cycles.size();
        positions = new double[n];
        idleBytes = new double[n];
        idleS = new double[n];
        double position = 0;
        double free = ShenandoahTrigger.usableBytes(heapBytes);
        double endS = 0;
        for (int i = 0; i < n; i++) {
            ShenandoahCycle c = cycles.get(i);
            idleBytes[i] = Math.max(0, free - c.freeBytes());
            idleS[i] = Math.max(0, c.startS() - endS);
            position += idleBytes[i];
            positions[i] = position;
            position += c.allocated();
            free = c.freeAfterBytes();
            endS = c.endS();
        }
        allocated = position;
        rates = new double[n];
        for (int i = 0; i < n; i++) {
            rates[i] = rateAround(i);
        }
    }

    /// Bytes per second in the periods without a cycle that are nearest to this one.
    private double rateAround(int i) {
        double bytes = 0;
        double seconds = 0;
        for (int away = 0; away < cycles.size() && seconds < STRETCH_S; away++) {
            for (int at : away == 0 ? new int[] {i} : new int[] {i - away, i + away}) {
                if (at >= 0 && at < cycles.size()) {
                    bytes += idleBytes[at];
                    seconds += idleS[at];
                }
            }
        }
        // without this minimum, a replay would never advance if threads were always stopped
        double mean = allocated / Math.max(cycles.getLast().endS(), MIN_STRETCH_S);
        return Math.max(MIN_RATE * mean, bytes / Math.max(seconds, MIN_STRETCH_S));
    }

    int size() {
        return cycles.size();
    }

    double heapBytes() {
        return heapBytes;
    }

    ShenandoahCycle cycle(int i) {
        return cycles.get(i);
    }

    /// Allocation rate of the threads between cycles, in bytes per second.
    double rate(int i) {
        return rates[i];
    }

    /// Bytes allocated from the JVM's start to the end of the last cycle.
    double allocated() {
        return allocated;
    }

    /// Share of the freed garbage that was in regions without live objects.
    double atOnceShare() {
        double atOnce = 0;
        double copied = 1;
        for (ShenandoahCycle c : cycles) {
            atOnce += c.freedAtOnceBytes();
            copied += c.freedBytes();
        }
        return atOnce / (atOnce + copied);
    }

    /// Share of the cycles that copied.
    double copyingShare() {
        return cycles.stream().filter(c -> c.freedBytes() > 0).count() / (double) cycles.size();
    }

    /// Bytes in use after a cycle that were already in use when it began.
    double keptBytes(int i) {
        ShenandoahCycle c = cycles.get(i);
        return ShenandoahTrigger.usableBytes(heapBytes) - c.freeAfterBytes() - c.allocated();
    }

    /// The cycle that began nearest to this position.
    int nearest(double position) {
        return Nearest.in(positions, position);
    }
}
