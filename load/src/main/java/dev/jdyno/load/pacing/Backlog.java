package dev.jdyno.load.pacing;

import java.util.Arrays;

/// Arrivals of the open model that found no free connection, with their times and numbers. The
/// backlog is bounded: an arrival that finds it full is dropped and counted as dropped.
public final class Backlog {
    private final int max;
    private long[] arrivedNanos = new long[256];
    private long[] numbers = new long[256];
    private int head;
    private int size;

    public Backlog(int max) {
        this.max = max;
    }

    /// @param number number of the arrival
    /// @return false if the backlog is full
    public boolean add(long arrived, long number) {
        if (size == max) {
            return false;
        }
        if (size == arrivedNanos.length) {
            arrivedNanos = longer(arrivedNanos);
            numbers = longer(numbers);
            head = 0;
        }
        int at = (head + size) % arrivedNanos.length;
        arrivedNanos[at] = arrived;
        numbers[at] = number;
        size++;
        return true;
    }

    private long[] longer(long[] ring) {
        long[] longer = Arrays.copyOfRange(ring, head, head + size * 2);
        System.arraycopy(ring, 0, longer, size - head, head);
        return longer;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    /// Time of the oldest arrival.
    public long oldest() {
        return arrivedNanos[head];
    }

    /// Number of the oldest arrival.
    public long oldestNumber() {
        return numbers[head];
    }

    /// Removes the oldest arrival and returns its time.
    public long poll() {
        long oldest = arrivedNanos[head];
        head = (head + 1) % arrivedNanos.length;
        size--;
        return oldest;
    }

    void clear() {
        size = 0;
    }
}
