package dev.jdyno.measure.load;

import java.util.Arrays;

/// The start times of a list of requests: nanoseconds from the first one's start, ascending.
public final class Timetable {
    private final long[] startNanos;

    private Timetable(long[] startNanos) {
        this.startNanos = startNanos;
    }

    /// @throws IllegalArgumentException unless the starts ascend from 0
    public static Timetable of(long... startNanos) {
        for (int i = 0; i < startNanos.length; i++) {
            if (startNanos[i] < (i == 0 ? 0 : startNanos[i - 1])) {
                throw new IllegalArgumentException("start " + i + " is before the one before it");
            }
        }
        return new Timetable(startNanos.clone());
    }

    /// The same timetable, faster by the factor `speed`.
    public Timetable faster(double speed) {
        return new Timetable(
                Arrays.stream(startNanos).map(nanos -> Math.round(nanos / speed)).toArray());
    }

    public int size() {
        return startNanos.length;
    }

    public long startNanos(int request) {
        return startNanos[request];
    }

    /// Nanoseconds from the first start to the last.
    public long spanNanos() {
        return startNanos.length == 0 ? 0 : startNanos[startNanos.length - 1] - startNanos[0];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Timetable t && Arrays.equals(startNanos, t.startNanos);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(startNanos);
    }
}
