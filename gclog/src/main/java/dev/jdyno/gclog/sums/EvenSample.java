package dev.jdyno.gclog.sums;

import java.util.ArrayList;
import java.util.List;

/// Of a stream of unknown length every so many-th value, so that they are evenly spread and never
/// more than a given number: when it is full, every second one goes and steps double.
final class EvenSample<T> {
    private final int most;
    private List<T> values = new ArrayList<>();
    private long step = 1;
    private long count;

    EvenSample(int most) {
        this.most = most;
    }

    void add(T value) {
        if (count++ % step != 0) {
            return;
        }
        if (values.size() == most) {
            var half = new ArrayList<T>(most);
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

    /// In order.
    List<T> values() {
        return List.copyOf(values);
    }
}
