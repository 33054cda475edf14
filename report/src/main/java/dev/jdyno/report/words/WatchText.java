package dev.jdyno.report.words;

import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Minutes, events and ranges of a watch in words.
public final class WatchText {
    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

    /// Maximum number of pools in the text of a range; the JSON form has all.
    private static final int MAX_POOLS = 5;

    private WatchText() {}

    /// An event in one line.
    public static String event(WatchEvent event, ZoneId zone) {
        return SECOND.format(event.at().atZone(zone)) + " " + event(event);
    }

    /// An event in one line, without its time.
    public static String event(WatchEvent event) {
        return event.service() + ": " + happened(event);
    }

    /// An event without its time and service.
    public static String happened(WatchEvent event) {
        return switch (event) {
            case WatchEvent.Watching w -> "watching JVM " + w.pid();
            case WatchEvent.BottleneckChanged c ->
                    "bottleneck: "
                            + named(c.to())
                            + c.from().map(f -> "; before: " + name(f)).orElse("");
            case WatchEvent.HeadroomBelow h ->
                    format("headroom below %.2f: ", h.below()) + room(h.headroom());
            case WatchEvent.HeadroomBack h ->
                    format("headroom above %.2f again: ", h.below()) + room(h.headroom());
            case WatchEvent.CpuPerRequestChanged c ->
                    format(
                            "CPU per request %.2f ms, was %.2f ms (%+.0f %%), for the last %s",
                            c.afterMs(),
                            c.beforeMs(),
                            100 * (c.ratio() - 1),
                            duration(Duration.between(c.since(), c.at()).toMillis() / 1000.0));
            case WatchEvent.Restarted r ->
                    format(
                            "restarted: JVM %d in place of %d, %s without one",
                            r.pid(), r.oldPid(), duration(r.downS()));
            case WatchEvent.Gone g ->
                    "gone: JVM " + g.pid() + " has ended, no other one of this name runs";
        };
    }

    /// A minute in one line.
    public static String minute(WatchedMinute m, ZoneId zone) {
        List<String> parts = new ArrayList<>();
        parts.add(named(m.verdict()));
        m.cpu()
                .ifPresent(c ->
                        parts.add(
                                format(
                                        "CPU %.2f of %.2f cores (%.0f %%)",
                                        c.cores(), c.availableCores(), 100 * c.utilisation())));
        m.requests()
                .ifPresent(r -> {
                    parts.add(format("%.1f requests/s", r.perS()));
                    r.cpuMs().ifPresent(ms -> parts.add(format("%.2f ms of CPU per request", ms)));
                });
        m.headroom().ifPresent(h -> parts.add("headroom " + room(h)));
        if (m.stoppedS() > 0) {
            parts.add("frozen for " + duration(m.stoppedS()));
        }
        return SECOND.format(m.at().atZone(zone))
                + " "
                + m.service()
                + ": "
                + String.join(", ", parts);
    }

    /// The summary of a range, several lines.
    public static String range(WatchedRange range, ZoneId zone) {
        var text = new StringBuilder();
        text.append(
                format(
                        "%s, %s to %s: %s recorded, %s of %s\n",
                        range.service(),
                        MINUTE.format(range.from().atZone(zone)),
                        MINUTE.format(range.to().atZone(zone)),
                        minutes(range.minutes()),
                        duration(range.seconds()),
                        duration(Duration.between(range.from(), range.to()).toMillis() / 1000.0)));
        text.append("Bottleneck\n");
        for (WatchedRange.Share v : range.verdicts()) {
            text.append(
                    format(
                            "  %-22s %4d of %s, confidence %.2f%s\n",
                            name(v.bottleneck()),
                            v.minutes(),
                            minutes(range.minutes()),
                            v.confidence(),
                            v.where().isBlank() ? "" : ", mostly " + v.where()));
        }
        String means = means(range.means());
        if (!means.isEmpty()) {
            text.append("Averages: ").append(means).append('\n');
        }
        if (!range.pools().isEmpty()) {
            text.append("Pools, highest minute: ").append(pools(range.pools())).append('\n');
        }
        range.lowestHeadroom()
                .ifPresent(h -> text.append("Lowest headroom: ").append(room(h)).append('\n'));
        range.headroom()
                .ifPresent(h ->
                        HeadroomText.lines(h, zone, range.minutes())
                                .forEach(line -> text.append(line).append('\n')));
        if (range.stoppedS() > 0) {
            text.append("Frozen for ").append(duration(range.stoppedS())).append('\n');
        }
        if (range.jvms() > 1) {
            text.append(format("Restarted: %d JVMs one after another\n", range.jvms()));
        }
        return text.toString();
    }

    /// The means of a range in one line; empty if there are none.
    public static String means(WatchedRange.Means m) {
        List<String> parts = new ArrayList<>();
        m.cores()
                .ifPresent(c ->
                        parts.add(
                                format("CPU %.2f cores", c)
                                        + m.utilisation()
                                                .map(u ->
                                                        format(
                                                                " (%.0f %% of those available)",
                                                                100 * u))
                                                .orElse("")));
        add(parts, m.perS(), "%.1f requests/s");
        add(parts, m.meanMs(), "%.1f ms response time");
        add(parts, m.cpuMs(), "%.2f ms of CPU per request");
        add(parts, m.inFlight(), "%.1f requests in flight");
        add(parts, m.gcPauseShare().map(s -> 100 * s), "collector pauses %.1f %% of the time");
        return String.join(", ", parts);
    }

    private static void add(List<String> parts, Optional<Double> figure, String format) {
        figure.ifPresent(f -> parts.add(format(format, f)));
    }

    private static String pools(List<WatchedRange.PoolUse> pools) {
        String first =
                pools.stream()
                        .limit(MAX_POOLS)
                        .map(p -> format("%s %.0f %%", p.name(), 100 * p.highest()))
                        .collect(Collectors.joining(", "));
        int more = pools.size() - MAX_POOLS;
        return more > 0 ? first + ", and " + more + " more" : first;
    }

    /// As `diagnose` prints it: only the load limits a service of which nothing is saturated.
    private static String name(Bottleneck bottleneck) {
        return bottleneck == Bottleneck.LOAD ? "none (load)" : bottleneck.key();
    }

    private static String named(WatchedMinute.Named verdict) {
        return name(verdict.bottleneck())
                + (verdict.where().isBlank() ? "" : " (" + verdict.where() + ")")
                + format(", confidence %.2f", verdict.confidence());
    }

    /// The first limit as a multiple of the throughput.
    public static String room(WatchedMinute.Room h) {
        return format(
                "%.2f times the traffic (%s would be saturated at %.0f requests/s)",
                h.ratio(),
                switch (h.kind()) {
                    case CPU -> "the CPU";
                    case POOL -> "pool " + h.name();
                    case DISK -> "disk " + h.name();
                },
                h.limitPerS());
    }

    /// A number of minutes: `1 minute`.
    public static String minutes(int n) {
        return n == 1 ? "1 minute" : n + " minutes";
    }

    /// A length of time in words.
    public static String duration(double seconds) {
        return Durations.format(Duration.ofSeconds(Math.max(0, Math.round(seconds))));
    }

    /// A time of a range, as the user writes it.
    public static String time(Instant at, ZoneId zone) {
        return MINUTE.format(at.atZone(zone));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
