package dev.jdyno.serve;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedMinute.Detail;
import dev.jdyno.measure.watch.WatchedMinute.Route;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// The last minute of each watched service in the text form of OpenMetrics 1.0.
public final class WatchMetrics {
    private WatchMetrics() {}

    /// @param last the last minute of each service
    public static String of(Collection<WatchedMinute> last) {
        var text = new StringBuilder();
        gauge(
                text,
                "jdyno_headroom_ratio",
                "First limit of the last half hour as a multiple of its mean throughput.",
                last,
                m -> m.headroom().map(WatchedMinute.Room::ratio),
                m ->
                        m.headroom()
                                .map(h -> label("kind", h.kind().key()) + label("name", h.name()))
                                .orElse(""));
        gauge(
                text,
                "jdyno_bottleneck",
                "1 for the bottleneck of the last minute.",
                last,
                _ -> Optional.of(1.0),
                m -> label("name", m.verdict().bottleneck().key()));
        gauge(
                text,
                "jdyno_bottleneck_confidence",
                "Confidence of that verdict.",
                last,
                m -> Optional.of(m.verdict().confidence()));
        gauge(
                text,
                "jdyno_cpu_seconds_per_request",
                "CPU time of one request.",
                last,
                m -> m.requests().flatMap(WatchedMinute.Requests::cpuMs).map(ms -> ms / 1000));
        gauge(
                text,
                "jdyno_requests_per_second",
                "Throughput.",
                last,
                m -> m.requests().map(WatchedMinute.Requests::perS));
        requests(text, last);
        gauge(
                text,
                "jdyno_cpu_cores",
                "CPU of the service, in cores.",
                last,
                m -> m.cpu().map(WatchedMinute.Cpu::cores));
        gauge(
                text,
                "jdyno_cpu_utilisation_ratio",
                "CPU of the service as a share of the cores that it could have used.",
                last,
                m -> m.cpu().map(WatchedMinute.Cpu::utilisation));
        gauge(
                text,
                "jdyno_gc_pause_ratio",
                "Share of the time in which the collector stopped the service.",
                last,
                m -> m.gc().map(WatchedMinute.Gc::pauseShare));
        gauge(
                text,
                "jdyno_minute_timestamp_seconds",
                "Begin of the minute that these figures are of.",
                last,
                m -> Optional.of(m.at().toEpochMilli() / 1000.0));
        return text.append("# EOF\n").toString();
    }

    /// The response time, its parts, and the routes.
    private static void requests(StringBuilder text, Collection<WatchedMinute> last) {
        gauge(
                text,
                "jdyno_response_seconds",
                "Mean response time inside the service.",
                last,
                m -> m.requests().flatMap(WatchedMinute.Requests::meanMs).map(ms -> ms / 1000));
        series(
                text,
                "jdyno_response_part_seconds",
                "Time of one request by cause, from the thread dumps and counters of the minute.",
                last,
                m -> parts(m.detail()));
        series(
                text,
                "jdyno_route_requests_per_second",
                "Throughput of the busiest routes; other is the sum of all others.",
                last,
                m -> routes(m, Route::perS));
        series(
                text,
                "jdyno_route_response_seconds",
                "Mean response time of these routes inside the service.",
                last,
                m -> routes(m, r -> r.meanMs() / 1000));
    }

    /// @param labels further labels, each with a comma before it
    private record Sample(String labels, double value) {}

    /// All causes: a mean over time needs the minutes in which a cause took no time, too.
    private static List<Sample> parts(Detail detail) {
        if (detail.breakdownMs().isEmpty()) {
            return List.of();
        }
        List<Sample> parts = new ArrayList<>();
        for (Cause cause : Cause.values()) {
            double ms = detail.breakdownMs().getOrDefault(cause, 0.0);
            parts.add(new Sample(label("cause", cause.key()), Math.max(0, ms) / 1000));
        }
        parts.add(
                new Sample(
                        label("cause", "unexplained"), Math.max(0, detail.unexplainedMs()) / 1000));
        return parts;
    }

    private static List<Sample> routes(WatchedMinute m, ToDoubleFunction<Route> figure) {
        return m.detail().routes().stream()
                .map(r -> new Sample(label("route", r.name()), figure.applyAsDouble(r)))
                .toList();
    }

    private static void gauge(
            StringBuilder text,
            String name,
            String help,
            Collection<WatchedMinute> last,
            Function<WatchedMinute, Optional<Double>> figure) {
        gauge(text, name, help, last, figure, _ -> "");
    }

    /// @param labels further labels, each with a comma before it
    private static void gauge(
            StringBuilder text,
            String name,
            String help,
            Collection<WatchedMinute> last,
            Function<WatchedMinute, Optional<Double>> figure,
            Function<WatchedMinute, String> labels) {
        series(
                text,
                name,
                help,
                last,
                m -> figure.apply(m).map(v -> new Sample(labels.apply(m), v)).stream().toList());
    }

    private static void series(
            StringBuilder text,
            String name,
            String help,
            Collection<WatchedMinute> last,
            Function<WatchedMinute, List<Sample>> samples) {
        text.append("# TYPE ").append(name).append(" gauge\n");
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        for (WatchedMinute m : last) {
            for (Sample sample : samples.apply(m)) {
                if (Double.isFinite(sample.value())) {
                    text.append(name)
                            .append("{service=\"")
                            .append(OpenMetrics.escaped(m.service()))
                            .append('"')
                            .append(sample.labels())
                            .append("} ")
                            .append(number(sample.value()))
                            .append('\n');
                }
            }
        }
    }

    private static String label(String name, String value) {
        return "," + name + "=\"" + OpenMetrics.escaped(value) + "\"";
    }

    private static String number(double value) {
        return value >= 1e9 ? String.format(Locale.ROOT, "%.3f", value) : Double.toString(value);
    }
}
