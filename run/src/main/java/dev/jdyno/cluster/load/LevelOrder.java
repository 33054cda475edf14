package dev.jdyno.cluster.load;

import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import java.time.Duration;

/// A level to hold from an instant on.
///
/// @param atNanos time of the agent's clock at which the level begins
/// @param connections 0: nothing is sent
/// @param ratePerS of a Poisson process; 0: closed model
record LevelOrder(long lease, long atNanos, int connections, double ratePerS, long thinkNanos) {
    LevelOrder {
        if (connections < 0 || !(ratePerS >= 0) || Double.isInfinite(ratePerS) || thinkNanos < 0) {
            throw new IllegalArgumentException("no level");
        }
    }

    static LevelOrder of(long lease, long atNanos, Level level) {
        return switch (level) {
            case Level.Closed(int connections, Duration think) ->
                    new LevelOrder(lease, atNanos, connections, 0, think.toNanos());
            case Level.Open(int connections, double rate, Arrivals arrivals)
                    when arrivals == Arrivals.POISSON ->
                    new LevelOrder(lease, atNanos, connections, rate, 0);
            case Level.Idle() -> new LevelOrder(lease, atNanos, 0, 0, 0);
            case Level.Open _, Level.Replay _ ->
                    throw new IllegalArgumentException("a schedule is not split among hosts");
        };
    }

    Level level() {
        if (connections == 0) {
            return new Level.Idle();
        }
        return ratePerS > 0
                ? new Level.Open(connections, ratePerS, Arrivals.POISSON)
                : new Level.Closed(connections, Duration.ofNanos(thinkNanos));
    }
}
