package dev.jdyno.junit;

import java.util.Optional;

/// Measurements at one load.
///
/// @param concurrency requests in flight; for an open load its connections
/// @param qps answered requests per second
/// @param qpsCi95 interval of `qps`; empty if there is none
/// @param errorShare share of failed requests in all requests, 0…1
/// @param meanMs mean response time
/// @param p50Ms response time, from the intended start to the last byte
/// @param cpuMsPerRequest CPU time of the observed JVM per request; empty if none was observed
/// @param allocatedBytesPerRequest bytes allocated by the observed JVM per request; empty if
///   unknown
public record Round(
        int concurrency,
        double qps,
        Optional<Interval> qpsCi95,
        double errorShare,
        double meanMs,
        double p50Ms,
        double p90Ms,
        double p99Ms,
        double p999Ms,
        Optional<Double> cpuMsPerRequest,
        Optional<Double> allocatedBytesPerRequest) {
    private static final double MS_PER_S = 1000;

    static Round of(Json json) {
        double qps = json.number("qps").orElse(0.0);
        double errors = json.number("errors").orElse(0.0);
        double all = json.number("requests").orElse(0.0) + errors;
        Json rt = json.part("rtMs").orElseThrow(() -> new DynoException("a round without rtMs"));
        return new Round(
                json.number("concurrency").orElse(0.0).intValue(),
                qps,
                json.interval("qpsCi95"),
                all == 0 ? 0 : errors / all,
                ms(rt, "mean"),
                ms(rt, "p50"),
                ms(rt, "p90"),
                ms(rt, "p99"),
                ms(rt, "p999"),
                json.part("cpu")
                        .flatMap(c -> c.number("processCores"))
                        .filter(c -> qps > 0)
                        .map(cores -> cores * MS_PER_S / qps),
                json.part("gc").flatMap(g -> g.number("requestBytes")));
    }

    private static double ms(Json rt, String figure) {
        return rt.number(figure).orElse(Double.POSITIVE_INFINITY);
    }
}
