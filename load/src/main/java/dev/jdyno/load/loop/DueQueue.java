package dev.jdyno.load.loop;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Items that wait for a point in time: users who pause or whose server refused, and wires that
/// read slowly. A binary heap on plain arrays, because java.util.PriorityQueue would allocate for
/// every wait.
final class DueQueue<T> {
    private long[] dueNanos = new long[64];
    private @Nullable Object[] waiting = new Object[64];
    private int size;

    /// Time at which the first item is due; {@link Long#MAX_VALUE} if the queue is empty.
    long first() {
        return size == 0 ? Long.MAX_VALUE : dueNanos[0];
    }

    void add(long due, T item) {
        if (size == dueNanos.length) {
            dueNanos = Arrays.copyOf(dueNanos, size * 2);
            waiting = Arrays.copyOf(waiting, size * 2);
        }
        int at = size++;
        while (at > 0 && dueNanos[(at - 1) / 2] > due) {
            dueNanos[at] = dueNanos[(at - 1) / 2];
            waiting[at] = waiting[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        dueNanos[at] = due;
        waiting[at] = item;
    }

    /// Removes and returns the first item.
    @SuppressWarnings("unchecked") // only add() fills the array
    @Nullable T poll() {
        if (size == 0) {
            return null;
        }
        T first = (T) waiting[0];
        size--;
        long due = dueNanos[size];
        Object last = waiting[size];
        waiting[size] = null;
        if (size > 0) {
            sink(due, last);
        }
        return first;
    }

    private void sink(long due, @Nullable Object item) {
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && dueNanos[child + 1] < dueNanos[child]) {
                child++;
            }
            if (dueNanos[child] >= due) {
                break;
            }
            dueNanos[at] = dueNanos[child];
            waiting[at] = waiting[child];
            at = child;
        }
        dueNanos[at] = due;
        waiting[at] = item;
    }
}
