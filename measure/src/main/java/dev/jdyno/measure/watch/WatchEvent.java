package dev.jdyno.measure.watch;

import dev.jdyno.measure.verdict.Bottleneck;
import java.time.Instant;
import java.util.Optional;

/// A change of a watched service that its operator should know of.
public sealed interface WatchEvent {
    Instant at();

    String service();

    /// The name in JSON.
    String kind();

    /// The watch of a JVM begins: the first JVM of this service.
    record Watching(Instant at, String service, long pid) implements WatchEvent {
        @Override
        public String kind() {
            return "watching";
        }
    }

    /// Two consecutive minutes have another verdict than before.
    ///
    /// @param from empty for the first verdict of the watch
    record BottleneckChanged(
            Instant at, String service, Optional<Bottleneck> from, WatchedMinute.Named to)
            implements WatchEvent {
        @Override
        public String kind() {
            return "bottleneck";
        }
    }

    /// The headroom was below the wanted one in two consecutive minutes.
    ///
    /// @param below the wanted headroom
    record HeadroomBelow(Instant at, String service, double below, WatchedMinute.Room headroom)
            implements WatchEvent {
        @Override
        public String kind() {
            return "headroom";
        }
    }

    /// The headroom is clearly above the wanted one again, after it was reported as below.
    ///
    /// @param below the wanted headroom
    record HeadroomBack(Instant at, String service, double below, WatchedMinute.Room headroom)
            implements WatchEvent {
        @Override
        public String kind() {
            return "headroom-back";
        }
    }

    /// The level of the CPU time of one request changed.
    ///
    /// @param since begin of the first minutes at the new level
    /// @param beforeMs median CPU time of one request before, in ms
    /// @param afterMs the same since then
    record CpuPerRequestChanged(
            Instant at, String service, Instant since, double beforeMs, double afterMs)
            implements WatchEvent {
        @Override
        public String kind() {
            return "cpu-per-request";
        }

        /// After ÷ before; more than 1: a request costs more than before.
        public double ratio() {
            return afterMs / beforeMs;
        }
    }

    /// Another JVM of the same service runs.
    ///
    /// @param downS seconds between the end of the old JVM and the discovery of the new one
    record Restarted(Instant at, String service, long oldPid, long pid, double downS)
            implements WatchEvent {
        @Override
        public String kind() {
            return "restarted";
        }
    }

    /// The JVM has ended, and no other JVM of the service runs.
    record Gone(Instant at, String service, long pid) implements WatchEvent {
        @Override
        public String kind() {
            return "gone";
        }
    }
}
