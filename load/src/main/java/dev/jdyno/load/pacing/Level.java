package dev.jdyno.load.pacing;

import dev.jdyno.measure.load.Timetable;
import java.time.Duration;

/// What load a session is to hold. A closed set: the loops decide over it by a switch.
public sealed interface Level {
    /// How many connections the level keeps.
    int connections();

    /// A closed model: each of `connections` users sends, waits for its reply, thinks, sends again.
    ///
    /// @param connections users, each with a connection of its own
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

    /// An open model: requests arrive at a rate that does not ask whether the server keeps up.
    ///
    /// @param connections those the arrivals share; an arrival that finds none free waits in the
    ///   backlog and its latency counts from when it arrived
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
    /// @param starts when each is to start, counted from when the connections have been tried
    record Replay(int connections, Timetable starts) implements Level {
        public Replay {
            if (connections < 1) {
                throw new IllegalArgumentException("connections must be ≥ 1: " + connections);
            }
        }
    }

    /// No new requests; open connections stay open, those in flight finish and count.
    record Idle() implements Level {
        @Override
        public int connections() {
            return 0;
        }
    }
}
