package dev.jdyno.measure.load;

import dev.jdyno.measure.statistics.Latency;
import java.util.Optional;

/// Measurements of the client in one stretch of a run under one load.
///
/// @param fromS seconds since the run began
/// @param seconds length of the stretch
/// @param concurrency requests in flight: the number held (closed model), or the mean by Little's
///   law (open model)
/// @param ratePerS the intended rate of an open model; empty in a closed one
/// @param requests number of good requests
/// @param rtMs response times of the good requests, from one histogram of the whole stretch
public record LoadPoint(
        double fromS,
        double seconds,
        Part part,
        int concurrency,
        Optional<Double> ratePerS,
        long requests,
        long errors,
        Latency rtMs) {

    /// The purpose of the stretch.
    public enum Part {
        /// A warm-up; no round includes it.
        WARM_UP("warm-up"),
        ROUND("round");

        private final String key;

        Part(String key) {
            this.key = key;
        }

        /// The key in a result.
        public String key() {
            return key;
        }
    }

    /// Good requests per second.
    public double qps() {
        return requests / seconds;
    }

    public double errorsPerS() {
        return errors / seconds;
    }

    public double endS() {
        return fromS + seconds;
    }

    public LoadPoint {
        if (!(seconds > 0)) {
            throw new IllegalArgumentException("a stretch of " + seconds + " s");
        }
    }
}
