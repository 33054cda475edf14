package dev.jdyno.load.pacing;

import dev.jdyno.measure.load.Timetable;
import java.time.Duration;

/// The load that a session holds. The interface is sealed, so the loops can switch over its kinds.
public sealed interface Level {
    /// Number of connections of the level.
    int connections();

    /// A closed model: each of `connections` users sends, waits for its reply, pauses, and sends
    /// again.
    ///
    /// @param connections number of users, each with its own connection
    /// @param think pause between a reply and the user's next request; zero for none
    record Closed(int connections, Duration think) implements Level {
        public Closed {
            if (connections < 1) {
                throw new IllegalArgumentException("connections must be ≥ 1: " + connections);
            }
            if (think.isNegative()) {
                throw new IllegalArgumentException("think time must be ≥ 0: " + think);
            }
        }
    }

    /// An open model: requests arrive at a rate, whether or not the server keeps up.
    ///
    /// @param connections number of connections that the arrivals share. An arrival that finds none
    ///   free waits in the backlog; its latency counts from its arrival.
    /// @param ratePerS arrivals per second
    record Open(int connections, double ratePerS, Arrivals arrivals) implements Level {
        public Open {
            if (connections < 1) {
                throw new IllegalArgumentException("connections must be ≥ 1: " + connections);
            }
            if (!(ratePerS > 0) || Double.isInfinite(ratePerS)) {
                throw new IllegalArgumentException("rate must be > 0 per second: " + ratePerS);
            }
        }
    }

    /// An open model whose arrivals are the requests of a log, each at its own time.
    ///
    /// @param starts start times of the requests, counted from the time at which every connection
    ///   has been tried
    record Replay(int connections, Timetable starts) implements Level {
        public Replay {
            if (connections < 1) {
                throw new IllegalArgumentException("connections must be ≥ 1: " + connections);
            }
        }
    }

    /// No new requests. Open connections stay open; requests in flight finish and count.
    record Idle() implements Level {
        @Override
        public int connections() {
            return 0;
        }
    }
}
