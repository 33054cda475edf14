package dev.jdyno.gclog.unified;

import dev.jdyno.gclog.read.Scan;
import dev.jdyno.measure.gc.ZgcYoung;
import java.util.Arrays;
import java.util.Optional;

/// The tables that generational ZGC prints for a young collection, row by row. Their columns are
/// mark start, mark end, relocate start and relocate end. Rows of the whole heap continue with the
/// highest and the lowest value.
final class ZgcTable {
    private static final int COLUMNS = 4;
    private static final int HEAP_COLUMNS = 6;
    private static final int START = 0;
    private static final int MARKED = 1;
    private static final int RELOCATING = 2;
    private static final int END = 3;

    /// Columns of the last row; NaN for a missing value.
    private final double[] row = new double[COLUMNS];

    private double[] used = {};
    private double[] free = {};
    private double[] young = {};
    private double[] allocated = {};
    private double markMs;
    private double relocateMs;
    private double phasesMs;
    private double endS = Double.NaN;

    /// Reads `Used: 46M (23%) 50M (25%) …`. The cursor is behind the colon.
    ///
    /// @param name first letter of the row's name: U, F or A
    boolean row(Scan s, byte name) {
        int columns = columns(s);
        if (columns != COLUMNS && columns != HEAP_COLUMNS) {
            return false;
        }
        double[] read = row.clone();
        switch (name) {
            case 'F' -> free = read;
            case 'A' -> allocated = read;
            default -> {
                if (columns == HEAP_COLUMNS) {
                    used = read;
                } else {
                    young = read;
                }
            }
        }
        return true;
    }

    private int columns(Scan s) {
        Arrays.fill(row, Double.NaN);
        int n = 0;
        while (s.p < s.end) {
            if (Scan.isDigit(s.b[s.p])) {
                if (!s.size()) {
                    return 0;
                }
                if (n < COLUMNS) {
                    row[n] = (double) s.whole;
                }
                n++;
                s.spaces();
                if (s.p < s.end && s.b[s.p] == '(' && !s.find(')')) {
                    return 0;
                }
            } else if (s.b[s.p] == '-') {
                n++;
            }
            s.p++;
        }
        return n;
    }

    void phase(String name, double ms) {
        phasesMs += ms;
        if (name.equals("Concurrent Mark")) {
            markMs += ms;
        } else if (name.equals("Concurrent Relocate")) {
            relocateMs += ms;
        }
    }

    /// Records the end, from `Young Generation 46M(23%)->40M(20%) 0.001s`.
    void ends(double uptimeS) {
        endS = uptimeS;
    }

    /// @param collectionEndS end of the whole collection
    /// @return empty unless the log has all of these rows
    Optional<ZgcYoung> finish(String cause, boolean major, double startS, double collectionEndS) {
        if (used.length == 0 || free.length == 0 || young.length == 0 || allocated.length == 0) {
            return Optional.empty();
        }
        double sum =
                used[START]
                        + used[END]
                        + young[START]
                        + young[END]
                        + free[START]
                        + free[MARKED]
                        + free[END]
                        + allocated[MARKED]
                        + allocated[RELOCATING]
                        + allocated[END]
                        + endS;
        if (Double.isNaN(sum)) {
            return Optional.empty();
        }
        // stamps are in milliseconds, phases are more precise
        double seconds = Math.max(endS - startS, phasesMs / 1000);
        return Optional.of(
                new ZgcYoung(
                        cause,
                        major,
                        startS,
                        seconds,
                        markMs / 1000,
                        relocateMs / 1000,
                        major ? Math.max(0, collectionEndS - endS) : 0,
                        used[START],
                        used[END],
                        young[START],
                        young[END],
                        free[START],
                        free[MARKED],
                        free[END],
                        allocated[MARKED],
                        Math.max(0, allocated[RELOCATING] - allocated[MARKED]),
                        Math.max(0, allocated[END] - allocated[RELOCATING])));
    }
}
