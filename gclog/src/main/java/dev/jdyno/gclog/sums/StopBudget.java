package dev.jdyno.gclog.sums;

import java.util.ArrayList;
import java.util.List;

/// All stops of the application on one time axis: the maximum share of any window of a given length
/// in which it was stopped. The rest of the window is its minimum mutator utilisation (MMU).
///
/// A window has its largest share when it ends at the end of a stop. From any other position, it
/// can be moved right without a loss. One test per stop is therefore exact.
final class StopBudget {
    /// Lengths of the windows in seconds.
    static final double[] WINDOWS_S = {0.1, 1, 10, 60};

    /// Maximum number of stops in memory, 4 MiB: those of one minute with 4 000 stops per second,
    /// far more than a JVM has. If a log has more, the oldest one is dropped and the share of the
    /// 60 s window is too small by it.
    private static final int RING = 1 << 18;

    private static final int FIRST_RING = 1 << 10;

    /// Rounding difference between the stamps of two lines, in seconds.
    private static final double ROUNDING_S = 0.002;

    private double[] begins = new double[FIRST_RING];
    private double[] ends = new double[FIRST_RING];
    private long tail;
    private final long[] head = new long[WINDOWS_S.length];
    private final double[] sum = new double[WINDOWS_S.length];
    private final double[] worst = new double[WINDOWS_S.length];
    private final double[] worstEndS = new double[WINDOWS_S.length];
    private final long[] worstLine = new long[WINDOWS_S.length];

    void stop(double atS, double ms, long line) {
        double begin = atS;
        if (tail > 0) {
            double free = ends[slot(tail - 1)];
            if (begin < free && free - begin <= ROUNDING_S) {
                // a stamp is rounded to a millisecond, which may be longer than the stop
                begin = free;
            }
        }
        double end = begin + ms / 1000;
        if (tail > 0) {
            begin = Math.max(begin, ends[slot(tail - 1)]);
        }
        if (end <= begin) {
            return;
        }
        // the longest window needs the most stops
        if (tail - head[WINDOWS_S.length - 1] == begins.length) {
            growOrDropOldest();
        }
        begins[slot(tail)] = begin;
        ends[slot(tail)] = end;
        tail++;
        for (int w = 0; w < WINDOWS_S.length; w++) {
            double from = end - WINDOWS_S[w];
            sum[w] += end - begin;
            while (head[w] < tail && ends[slot(head[w])] <= from) {
                drop(w);
            }
            int oldest = slot(head[w]);
            double outside = Math.max(0, from - begins[oldest]);
            double share = Math.min(1, (sum[w] - outside) / WINDOWS_S[w]);
            if (share > worst[w]) {
                worst[w] = share;
                worstEndS[w] = end;
                worstLine[w] = line;
            }
        }
    }

    /// Records a stop that contains the stops recorded directly before it: the line of a safepoint
    /// follows the pauses that ran inside it, and the safepoint began before them.
    void around(double atS, double ms, long line) {
        double end = atS + ms / 1000;
        long oldest = head[WINDOWS_S.length - 1];
        while (tail > oldest
                && begins[slot(tail - 1)] >= atS - ROUNDING_S
                && ends[slot(tail - 1)] <= end + ROUNDING_S) {
            int inside = slot(tail - 1);
            end = Math.max(end, ends[inside]);
            for (int w = 0; w < WINDOWS_S.length; w++) {
                if (head[w] < tail) {
                    sum[w] -= ends[inside] - begins[inside];
                } else {
                    head[w] = tail - 1;
                }
            }
            tail--;
        }
        stop(atS, (end - atS) * 1000, line);
    }

    private int slot(long stop) {
        return (int) (stop & (begins.length - 1));
    }

    /// Doubles the ring, or drops the oldest stop if the ring has its maximum size.
    private void growOrDropOldest() {
        int length = begins.length;
        if (length == RING) {
            for (int w = 0; w < WINDOWS_S.length; w++) {
                if (tail - head[w] == RING) {
                    drop(w);
                }
            }
            return;
        }
        double[] olderBegins = begins;
        double[] olderEnds = ends;
        begins = new double[2 * length];
        ends = new double[2 * length];
        for (long stop = tail - length; stop < tail; stop++) {
            int from = (int) (stop & (length - 1));
            begins[slot(stop)] = olderBegins[from];
            ends[slot(stop)] = olderEnds[from];
        }
    }

    private void drop(int w) {
        int oldest = slot(head[w]);
        sum[w] -= ends[oldest] - begins[oldest];
        head[w]++;
    }

    List<Analysis.WorstWindow> worst() {
        List<Analysis.WorstWindow> all = new ArrayList<>();
        for (int w = 0; w < WINDOWS_S.length; w++) {
            all.add(
                    new Analysis.WorstWindow(
                            WINDOWS_S[w], 100 * worst[w], worstEndS[w], worstLine[w]));
        }
        return all;
    }
}
