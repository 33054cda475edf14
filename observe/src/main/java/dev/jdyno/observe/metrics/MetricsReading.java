package dev.jdyno.observe.metrics;

import dev.jdyno.foreign.PrometheusText;
import dev.jdyno.foreign.PrometheusText.Sample;
import dev.jdyno.measure.service.EndpointFigures;
import dev.jdyno.measure.service.ServiceFigures;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A service's metrics at one instant between request and answer.
///
/// @param path path of the metrics; requests to it are not counted
/// @param askedNanos time of the request, on the clock of the caller
/// @param answeredNanos time of the complete answer, on the same clock
/// @param asked number of requests for the metrics that jdyno sent until then, with this one
public record MetricsReading(
        PrometheusText text, String path, long askedNanos, long answeredNanos, long asked) {
    /// Maximum number of endpoints with a row of their own; the others share one row.
    private static final int MAX_ENDPOINTS = 100;

    /// Maximum amount, in requests or seconds.
    private static final double MAX_AMOUNT = 1e15;

    /// True if samples of this name are read.
    static boolean wants(String name) {
        return RequestCount.wants(name) || TotalCount.wants(name) || PoolGauge.wants(name);
    }

    /// True if a page has requests or pools. A name alone does not show that, because an
    /// application may have a counter with the name of a framework's.
    static boolean isKnown(PrometheusText text) {
        return !RequestCount.of(text, "").all().isEmpty()
                || TotalCount.of(text).isPresent()
                || !PoolGauge.between(text, text, 1).isEmpty();
    }

    /// The value of a count, a time or a gauge. Empty if the value is invalid: NaN, infinite,
    /// negative, or so large that a sum would not be exact or finite.
    static Optional<Double> amount(Sample sample) {
        double value = sample.value();
        return value >= 0 && value <= MAX_AMOUNT ? Optional.of(value) : Optional.empty();
    }

    /// Returns the figures since an earlier reading; empty if a count started again.
    ///
    /// @param concurrency of the load in the window
    /// @param from the address of the metrics, for the result
    /// @param clientPerS requests per second by jdyno's own count or the access log, if known
    Optional<ServiceFigures> since(
            MetricsReading before, int concurrency, String from, Optional<Double> clientPerS) {
        double seconds = (middle() - before.middle()) / 1e9;
        double errorS = (length() + before.length()) / 2 / 1e9;
        if (seconds <= 0) {
            return Optional.empty();
        }
        Optional<Double> total = TotalCount.between(before.text, text);
        if (total.filter(n -> n < 0).isPresent()) {
            return Optional.empty();
        }
        RequestCount now = RequestCount.of(text, path);
        return now.since(RequestCount.of(before.text, path))
                .map(grown ->
                        new ServiceFigures(
                                concurrency,
                                seconds,
                                errorS,
                                from,
                                clientPerS,
                                endpoints(grown, seconds),
                                total.map(n -> withoutOwn(n, before) / seconds)
                                        .or(() -> none(now, grown)),
                                PoolGauge.between(before.text, text, seconds)));
    }

    /// Returns 0 if requests are counted and there was none: that is another answer than no count.
    private static Optional<Double> none(
            RequestCount now, Map<RequestCount.Endpoint, RequestCount.Sum> grown) {
        return grown.isEmpty() && !now.all().isEmpty() ? Optional.of(0.0) : Optional.empty();
    }

    /// Returns the requests since an earlier reading without those that jdyno sent for the metrics.
    private double withoutOwn(double requests, MetricsReading before) {
        return Math.max(0, requests - (asked - before.asked));
    }

    private double middle() {
        return askedNanos + length() / 2;
    }

    private double length() {
        return answeredNanos - askedNanos;
    }

    private static List<EndpointFigures> endpoints(
            Map<RequestCount.Endpoint, RequestCount.Sum> grown, double seconds) {
        double time = grown.values().stream().mapToDouble(RequestCount.Sum::seconds).sum();
        List<EndpointFigures> all =
                grown.entrySet().stream()
                        .map(e -> figures(e.getKey(), e.getValue(), seconds, time))
                        .sorted(Comparator.comparingDouble(EndpointFigures::timeShare).reversed())
                        .toList();
        if (all.size() <= MAX_ENDPOINTS) {
            return all;
        }
        return Stream.concat(
                        all.stream().limit(MAX_ENDPOINTS),
                        Stream.of(
                                all.stream()
                                        .skip(MAX_ENDPOINTS)
                                        .reduce(EndpointFigures.OTHERS, MetricsReading::both)))
                .toList();
    }

    private static EndpointFigures figures(
            RequestCount.Endpoint endpoint, RequestCount.Sum sum, double seconds, double time) {
        return new EndpointFigures(
                endpoint.method(),
                endpoint.uri(),
                endpoint.status(),
                Math.round(sum.requests()),
                sum.requests() / seconds,
                sum.seconds() / sum.requests() * 1000,
                time > 0 ? sum.seconds() / time : 0);
    }

    /// Adds two rows to one without a name.
    private static EndpointFigures both(EndpointFigures a, EndpointFigures b) {
        double perS = a.perS() + b.perS();
        return new EndpointFigures(
                EndpointFigures.OTHERS.method(),
                EndpointFigures.OTHERS.uri(),
                EndpointFigures.OTHERS.status(),
                a.requests() + b.requests(),
                perS,
                (a.perS() * a.meanMs() + b.perS() * b.meanMs()) / perS,
                a.timeShare() + b.timeShare());
    }
}
