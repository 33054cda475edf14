package dev.jdyno.inside.remote;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Minimum intervals between actions that are costly for the target. One instance limits the whole
/// agent, so that many requests or many runs cannot bypass the limits.
public final class Pace {
    /// Minimum interval between counts of live objects, each of which is three full collections of
    /// the target's heap. A run asks once, after rounds of many seconds.
    static final Duration MIN_BETWEEN_COUNTS = Duration.ofSeconds(30);

    /// Minimum interval between stage windows, each of which changes classes of the target twice.
    static final Duration MIN_BETWEEN_STAGES = Duration.ofSeconds(1);

    private final NanoClock clock;
    private final Map<Class<? extends Ask>, Long> lastNanos = new HashMap<>();

    public Pace(NanoClock clock) {
        this.clock = clock;
    }

    /// @throws UserError if the last such action was too recent
    synchronized void require(Ask ask) {
        Duration min =
                switch (ask) {
                    case Ask.Growth _ -> MIN_BETWEEN_COUNTS;
                    case Ask.Stages _ -> MIN_BETWEEN_STAGES;
                    default -> Duration.ZERO;
                };
        if (min.isZero()) {
            return;
        }
        long now = clock.nanos();
        Long last = lastNanos.get(ask.getClass());
        if (last != null && now - last < min.toNanos()) {
            throw UserError.target(
                    "it is asked too often",
                    "this stops the target, and was done less than " + min.toSeconds() + " s ago",
                    "ask again later");
        }
        lastNanos.put(ask.getClass(), now);
    }
}
