package dev.jdyno.serve;

import dev.jdyno.measure.watch.WatchedMinute;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

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
        text.append("# TYPE ").append(name).append(" gauge\n");
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        for (WatchedMinute m : last) {
            figure.apply(m)
                    .filter(Double::isFinite)
                    .ifPresent(value ->
                            text.append(name)
                                    .append("{service=\"")
                                    .append(OpenMetrics.escaped(m.service()))
                                    .append('"')
                                    .append(labels.apply(m))
                                    .append("} ")
                                    .append(number(value))
                                    .append('\n'));
        }
    }

    private static String label(String name, String value) {
        return "," + name + "=\"" + OpenMetrics.escaped(value) + "\"";
    }

    private static String number(double value) {
        return value >= 1e9 ? String.format(Locale.ROOT, "%.3f", value) : Double.toString(value);
    }
}
