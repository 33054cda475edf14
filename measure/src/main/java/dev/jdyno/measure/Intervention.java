package dev.jdyno.measure;

import java.time.Duration;
import java.util.Locale;

/// One change of the target's resources or of its load, made on purpose to test a verdict and taken
/// back afterwards.
public sealed interface Intervention {
    /// The target's threads may run only on this number of cores.
    record FewerCores(int cores) implements Intervention {
        public FewerCores {
            require(cores >= 1, "cores");
        }
    }

    /// Another number of requests in flight.
    record InFlight(int requests) implements Intervention {
        public InFlight {
            require(requests >= 1, "requests");
        }
    }

    /// A pool inside the target gets its size multiplied by `factor`.
    record LargerPool(Kind kind, double factor) implements Intervention {
        /// Kinds of pools that some libraries allow to be resized over JMX.
        public enum Kind {
            THREADS("threads"),
            CONNECTIONS("connections");

            private final String key;

            Kind(String key) {
                this.key = key;
            }

            public String key() {
                return key;
            }
        }

        public LargerPool {
            require(factor > 1, "factor");
        }
    }

    /// All data sent to the downstream arrives later by `delay`.
    record SlowerDownstream(Duration delay) implements Intervention {
        public SlowerDownstream {
            require(delay.isPositive(), "delay");
        }
    }

    /// Name of the intervention in `result.json`.
    default String id() {
        return switch (this) {
            case FewerCores _ -> "fewer-cores";
            case InFlight _ -> "in-flight";
            case LargerPool p -> "larger-" + p.kind().key() + "-pool";
            case SlowerDownstream _ -> "slower-downstream";
        };
    }

    /// The change in words: `2 × the threads of the pool`.
    default String says() {
        return switch (this) {
            case FewerCores f -> f.cores() + (f.cores() == 1 ? " core" : " cores");
            case InFlight i -> i.requests() + " in flight";
            case LargerPool p ->
                    String.format(Locale.ROOT, "%.3g × the pool's %s", p.factor(), p.kind().key());
            case SlowerDownstream s ->
                    String.format(
                            Locale.ROOT,
                            "%.3g ms of extra delay to the downstream",
                            s.delay().toNanos() / 1e6);
        };
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException(what + " out of range");
        }
    }
}
