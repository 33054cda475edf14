package dev.jdyno.measure.statistics;

import java.util.Optional;

/// Requests per second under a load that jdyno does not send, and the source of the count.
///
/// @param perS requests that ended (or, with Jetty, began) per second
/// @param containerRtMs mean time of a request as the container counted it, in ms. The time until a
///   thread reads the request is not included.
/// @param between the range of `perS` if it is not known exactly, because the access log is
///   buffered or requests and answers take several segments
public record Throughput(
        double perS, Source source, Optional<Double> containerRtMs, Optional<Interval> between) {
    /// A throughput that was counted exactly.
    public Throughput(double perS, Source source, Optional<Double> containerRtMs) {
        this(perS, source, containerRtMs, Optional.empty());
    }

    /// The source of the count.
    public enum Source {
        /// Lines appended to the service's access log.
        ACCESS_LOG("access-log", "the access log"),
        /// Tomcat's `GlobalRequestProcessor` MBeans.
        TOMCAT("tomcat", "Tomcat's request counter"),
        /// Jetty's `StatisticsHandler` MBeans.
        JETTY("jetty", "Jetty's request counter"),
        /// The timer of requests in the service's own metrics.
        METRICS("metrics", "the service's own metrics"),
        /// Data segments on the connections to the service, which carry one request at a time.
        SEGMENTS("segments", "data segments of its connections");

        private final String key;
        private final String says;

        Source(String key, String says) {
            this.key = key;
            this.says = says;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }

        public String says() {
            return says;
        }
    }
}
