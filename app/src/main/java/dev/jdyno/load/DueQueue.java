package dev.jdyno.load;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Users who wait for a point in time: those who think, those whose server refused. A binary heap
/// on plain arrays, since a java.util.PriorityQueue would allocate for every wait.
final class DueQueue {
    private long[] dueNanos = new long[64];
    private @Nullable User[] waiting = new User[64];
    private int size;

    /// When the first is due; {@link Long#MAX_VALUE} when none waits.
    long first() {
        return size == 0 ? Long.MAX_VALUE : dueNanos[0];
    }

    void add(long due, User user) {
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
        waiting[at] = user;
    }

    /// Takes the first out.
    @Nullable User poll() {
        if (size == 0) {
            return null;
        }
        User first = waiting[0];
        size--;
        long due = dueNanos[size];
        User last = waiting[size];
        waiting[size] = null;
        if (size > 0) {
            sink(due, last);
        }
        return first;
    }

    private void sink(long due, @Nullable User user) {
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
        waiting[at] = user;
    }
}
