package dev.jdyno.capacity.goal;

import java.util.List;

/// Stops of the whole service known before a search: from its GC log or JFR during warm-up, or from
/// earlier runs of the same build and flags.
///
/// @param ms length of each pause
/// @param seconds time under load in which they occurred
public record PauseLog(List<Double> ms, double seconds) {
    public static final PauseLog NONE = new PauseLog(List.of(), 0);

    public PauseLog {
        ms = List.copyOf(ms);
        if (!(seconds >= 0)) {
            throw new IllegalArgumentException("time must not be negative: " + seconds);
        }
    }
}
