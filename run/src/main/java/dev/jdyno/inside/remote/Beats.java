package dev.jdyno.inside.remote;

import java.util.List;

/// State of a target from the last message that the agent sent without a request.
final class Beats {
    private static final Wire.Beat NONE = new Wire.Beat(true, List.of(), 0);

    volatile Wire.Beat last = NONE;

    void heard(Wire.Beat beat) {
        last = beat;
    }

    /// Forgets what an earlier session of the link sent.
    void begin() {
        last = NONE;
    }
}
