package dev.jdyno.load;

import java.util.Arrays;

/// Arrivals of the open model that found no free connection, by when they arrived. Bounded: an
/// arrival that finds it full is dropped, and counted as that.
final class Backlog {
    private final int most;
    private long[] arrivedNanos = new long[256];
    private int head;
    private int size;

    Backlog(int most) {
        this.most = most;
    }

    /// @return whether there was room
    boolean add(long arrived) {
        if (size == most) {
            return false;
        }
        if (size == arrivedNanos.length) {
            long[] longer = Arrays.copyOfRange(arrivedNanos, head, head + size * 2);
            System.arraycopy(arrivedNanos, 0, longer, size - head, head);
            arrivedNanos = longer;
            head = 0;
        }
        arrivedNanos[(head + size) % arrivedNanos.length] = arrived;
        size++;
        return true;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /// When the oldest arrived.
    long oldest() {
        return arrivedNanos[head];
    }

    /// Takes the oldest out.
    long poll() {
        long oldest = arrivedNanos[head];
        head = (head + 1) % arrivedNanos.length;
        size--;
        return oldest;
    }

    void clear() {
        size = 0;
    }
}
