package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.Nearest;
import dev.jdyno.measure.gc.ShenandoahCycle;
import java.util.List;

/// What one run of Shenandoah did, by how much the program had allocated so far: a run on another
/// heap does the same at the same place.
final class ShenandoahHistory {
    /// How fast threads allocate between cycles is taken from stretches of so many seconds
    /// together.
    private static final double STRETCH_S = 0.05;

    /// Shorter than this altogether they tell nothing: stamps have milliseconds.
    private static final double STRETCH_LEAST_S = 0.01;

    /// Of the run's mean rate: threads are taken to allocate as fast anywhere between cycles.
    private static final double LEAST_RATE = 0.1;

    private final List<ShenandoahCycle> cycles;
    private final double heapBytes;
    private final double[] positions;
    private final double[] idleBytes;
    private final double[] idleS;
    private final double[] rates;
    private final double allocated;

    /// @param cycles at least one
    ShenandoahHistory(List<ShenandoahCycle> cycles, double heapBytes) {
        this.cycles = List.copyOf(cycles);
        this.heapBytes = heapBytes;
        int n = cycles.size();
        positions = new double[n];
        idleBytes = new double[n];
        idleS = new double[n];
        double position = 0;
        double free = ShenandoahTrigger.room(heapBytes);
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

    /// Bytes a second in the stretches without a cycle nearest to this one.
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
        // where threads stood still all the time a replay would never go on
        double mean = allocated / Math.max(cycles.getLast().endS(), STRETCH_LEAST_S);
        return Math.max(LEAST_RATE * mean, bytes / Math.max(seconds, STRETCH_LEAST_S));
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

    /// Bytes a second of the threads while no cycle is under way.
    double rate(int i) {
        return rates[i];
    }

    /// Bytes from the JVM's start to the last cycle's end.
    double allocated() {
        return allocated;
    }

    /// Of all garbage that was freed, what was in regions without anything alive.
    double atOnceShare() {
        double atOnce = 0;
        double copied = 1;
        for (ShenandoahCycle c : cycles) {
            atOnce += c.freedAtOnceBytes();
            copied += c.freedBytes();
        }
        return atOnce / (atOnce + copied);
    }

    /// Of all cycles, those that copied.
    double copyingShare() {
        return cycles.stream().filter(c -> c.freedBytes() > 0).count() / (double) cycles.size();
    }

    /// In use after a cycle, of what was there when it began.
    double keptBytes(int i) {
        ShenandoahCycle c = cycles.get(i);
        return ShenandoahTrigger.room(heapBytes) - c.freeAfterBytes() - c.allocated();
    }

    /// The cycle that began nearest to this place.
    int nearest(double position) {
        return Nearest.in(positions, position);
    }
}
