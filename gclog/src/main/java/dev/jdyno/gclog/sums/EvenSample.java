package dev.jdyno.gclog.sums;

import java.util.ArrayList;
import java.util.List;

/// An evenly spread sample of a stream of unknown length, with a maximum number of values. When it
/// is full, every second value is dropped and the step doubles.
final class EvenSample<T> {
    private final int max;
    private List<T> values = new ArrayList<>();
    private long step = 1;
    private long count;

    EvenSample(int max) {
        this.max = max;
    }

    void add(T value) {
        if (count++ % step != 0) {
            return;
        }
        if (values.size() == max) {
            var half = new ArrayList<T>(max);
            for (int i = 0; i < values.size(); i += 2) {
                half.add(values.get(i));
            }
            values = half;
            step *= 2;
            if ((count - 1) % step != 0) {
                return;
            }
        }
        values.add(value);
    }

    /// The values in order.
    List<T> values() {
        return List.copyOf(values);
    }
}
