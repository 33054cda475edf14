package dev.jdyno.report.words;

import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.Bound;
import dev.jdyno.measure.verdict.Headroom.DiskLimit;
import dev.jdyno.measure.verdict.Headroom.EndpointDemand;
import dev.jdyno.measure.verdict.Headroom.First;
import dev.jdyno.measure.verdict.Headroom.Hidden;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Mix;
import dev.jdyno.measure.verdict.Headroom.PoolLimit;
import dev.jdyno.measure.verdict.Headroom.Resource;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import dev.jdyno.measure.watch.WatchedHeadroom;
import dev.jdyno.measure.watch.WatchedHeadroom.LeftOut;
import dev.jdyno.measure.watch.WatchedHeadroom.Traffic;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The additional load that a service can take, in a few lines.
public final class HeadroomText {
    /// Maximum number of pools, and of disks, with lines of their own.
    private static final int POOLS = 3;

    private static final String INDENT = "  ";

    private HeadroomText() {}

    /// The lines, each of at most the default columns of {@link TextLines}.
    public static List<String> lines(Headroom headroom) {
        List<String> lines = new ArrayList<>();
        headroom.first().ifPresent(first -> lines.add(first(headroom, first)));
        lines.addAll(details(headroom, "give --access-log FILE or --jmx"));
        return folded(lines);
    }

    /// The lines about a range of minutes.
    ///
    /// @param zone of the times
    /// @param all number of minutes of the range
    public static List<String> lines(WatchedHeadroom watched, ZoneId zone, int all) {
        Headroom limits = watched.limits();
        List<String> traffic =
                watched.traffic().map(t -> traffic(watched, t, zone)).orElse(List.of());
        List<String> details = details(limits, "give jdyno watch --metrics URL");
        List<String> lines = new ArrayList<>();
        limits.first()
                .map(first -> say("Headroom: %s, that is", saturated(limits, first)))
                .ifPresent(lines::add);
        lines.addAll(limits.first().isPresent() ? traffic : details);
        lines.addAll(limits.first().isPresent() ? details : traffic);
        lines.add(minutes(watched, all));
        return folded(lines);
    }

    private static List<String> folded(List<String> paragraphs) {
        return paragraphs.stream()
                .flatMap(p -> {
                    String first = p.startsWith(INDENT) ? INDENT : "";
                    return TextLines.fold(
                            p, first, first + INDENT + INDENT, Integer.MAX_VALUE, TextLines.WIDTH)
                            .stream();
                })
                .toList();
    }

    /// The traffic of a range, and the first limit as a multiple of it.
    private static List<String> traffic(WatchedHeadroom watched, Traffic traffic, ZoneId zone) {
        return List.of(
                traffic("the mean traffic", traffic.meanPerS(), watched.timesMean(), ""),
                traffic.busiestHour()
                        .map(hour ->
                                traffic(
                                        "the busiest hour",
                                        hour.perS(),
                                        watched.timesBusiestHour(),
                                        ", from " + WatchText.time(hour.from(), zone)))
                        .orElse("  the busiest hour: unknown, no hour was recorded without gaps"),
                traffic(
                        "the busiest minute",
                        traffic.busiestMinute().perS(),
                        watched.timesBusiestMinute(),
                        ", " + WatchText.time(traffic.busiestMinute().from(), zone)));
    }

    private static String traffic(String of, double perS, Optional<Double> times, String when) {
        String named = times.map(t -> say("%s times %s", ratio(t), of)).orElse(of);
        return say("  %s (%s/s%s)", named, Figures.number(perS), when);
    }

    private static String ratio(double times) {
        return Figures.number(Figures.twoDigits(times));
    }

    private static String minutes(WatchedHeadroom watched, int all) {
        String used = say("  From %d of %d minutes", watched.minutes(), all);
        return watched.leftOut().isEmpty()
                ? used
                : watched.leftOut().entrySet().stream()
                        .map(e -> say("%d %s", e.getValue(), why(e.getKey())))
                        .collect(Collectors.joining(", ", used + "; left out: ", ""));
    }

    private static String why(LeftOut reason) {
        return switch (reason) {
            case STOPPED -> "in which the service was stopped";
            case RESTARTED -> "around a restart";
            case UNKNOWN -> "with the verdict unknown";
            case OTHER_CORES -> "of JVMs with another number of cores";
            case OTHER_COUNT -> "whose requests another source counted";
            case NOT_COUNTED -> "without a count of requests";
            case NO_CPU -> "without CPU";
            case LENGTH -> "much shorter or longer than a minute";
            case OVERLAPPING -> "that overlap with another one";
            case IMPOSSIBLE -> "with impossible values";
        };
    }

    /// The headroom as the end of a sentence: `; 4.2 x headroom`, or `; at least 12 x headroom of
    /// the CPU`. Empty if neither a limit nor a lower bound is known.
    public static Optional<String> times(Headroom headroom) {
        return headroom.first()
                .map(f -> say("; %s x headroom", ratio(f.known().timesNow())))
                .or(() ->
                        headroom.bound()
                                .map(b ->
                                        say(
                                                "; at least %s x headroom of %s",
                                                ratio(b.atLeast().timesNow()),
                                                name(b.resource()))));
    }

    /// The lines after the first limit: what may limit as early, and each resource.
    ///
    /// @param count how requests can be counted, as an imperative
    private static List<String> details(Headroom headroom, String count) {
        List<String> lines = new ArrayList<>();
        headroom.first().ifPresent(first -> first(headroom, first, lines));
        switch (headroom.cpu()) {
            case Known k -> cpu(k, headroom.mix().isPresent(), lines);
            case Unknown u -> lines.addAll(unknownCpu(headroom, u, count));
        }
        headroom.mix().ifPresent(m -> mix(m, lines));
        headroom.pools().stream().limit(POOLS).forEach(p -> lines.add(pool(p, count)));
        more(headroom.pools().size() - POOLS, "pools").ifPresent(lines::add);
        headroom.disks().stream().limit(POOLS).forEach(d -> lines.add(disk(d, count)));
        more(headroom.disks().size() - POOLS, "disks").ifPresent(lines::add);
        return lines;
    }

    private static Optional<String> more(int more, String what) {
        return more > 0
                ? Optional.of(say("  (+%d more %s; --json has all)", more, what))
                : Optional.empty();
    }

    /// The beginning of the line about an unknown CPU limit.
    private static String headline(Headroom headroom) {
        return headroom.first().isPresent()
                ? "  CPU: limit "
                : headroom.pools().isEmpty() && headroom.disks().isEmpty()
                        ? "Headroom: "
                        : "Headroom: CPU ";
    }

    /// The lowest known bound comes first, even if it is that of another resource.
    private static List<String> unknownCpu(Headroom headroom, Unknown cpu, String count) {
        Optional<Bound> bound = headroom.bound();
        if (bound.isEmpty()) {
            return List.of(headline(headroom) + "unknown, " + why(cpu, count));
        }
        Resource lowest = bound.get().resource();
        String first =
                say(
                        "Headroom of %s: at least %s times the mean, %s requests/s",
                        name(lowest),
                        ratio(bound.get().atLeast().timesNow()),
                        Figures.number(bound.get().atLeast().limitPerS()));
        return lowest.equals(Resource.CPU)
                ? List.of(first + "; its limit is unknown, " + cause(cpu, count))
                : List.of(first, "  CPU: limit unknown, " + why(cpu, count));
    }

    private static String first(Headroom headroom, First first) {
        Known k = first.known();
        return say(
                "Headroom: %s, %s times the mean (%s/s), %s times the busiest %d s seen (%s/s)",
                saturated(headroom, first),
                ratio(k.timesNow()),
                Figures.number(k.perS()),
                ratio(k.timesBusiest()),
                Math.round(k.windowS()),
                Figures.number(k.busiestPerS()));
    }

    /// The first limit with its interval.
    private static String saturated(Headroom headroom, First first) {
        return say(
                "%s is saturated%s at %s requests/s (%s)",
                name(first.resource()),
                headroom.pools().isEmpty() && headroom.disks().isEmpty() ? "" : " first,",
                Figures.number(first.known().limitPerS()),
                Figures.range(first.known().ci95()));
    }

    private static void first(Headroom headroom, First first, List<String> lines) {
        Known k = first.known();
        if (!first.maybe().isEmpty()) {
            lines.add("  These may be saturated as early: " + names(first.maybe()));
        }
        first.raise()
                .ifPresent(r ->
                        lines.add(
                                say(
                                        "  Raise %s from %s to %d: then %s is saturated first, at"
                                                + " %s requests/s",
                                        first.resource().name(),
                                        Figures.number(k.available()),
                                        r.size(),
                                        name(r.next()),
                                        Figures.number(r.limitPerS()))));
        if (!headroom.times().isEmpty()) {
            lines.add(
                    headroom.times().stream()
                            .map(t ->
                                    say(
                                            "%s ms at %s of the limit (%s/s)",
                                            Figures.number(Figures.twoDigits(t.rtMs())),
                                            Figures.percent(t.share()),
                                            Figures.number(t.perS())))
                            .collect(
                                    Collectors.joining(
                                            ", ", "  Mean response time by the open model: ", "")));
        }
        headroom.noLimitSeen()
                .ifPresent(n ->
                        lines.add(
                                say(
                                        "  Observed up to %s of %s. Above that, resources that are"
                                                + " not measured may limit the service earlier: %s.",
                                        Figures.percent(n.below()),
                                        of(first.resource()),
                                        n.resources().stream()
                                                .map(Hidden::says)
                                                .collect(Collectors.joining(", ")))));
    }

    private static String of(Resource resource) {
        return switch (resource.kind()) {
            case CPU -> "these cores";
            case POOL -> "this pool";
            case DISK -> "this disk's time";
        };
    }

    private static void cpu(Known k, boolean mixed, List<String> lines) {
        lines.add(
                say(
                        "  CPU: a request takes %s ms (%s)%s; without requests the service uses %s of"
                                + " its %s cores; the limit is %s requests/s (%s).",
                        Figures.number(k.demandMs()),
                        Figures.range(k.demandCi95()),
                        mixed ? " with the mean mix of endpoints" : "",
                        Figures.number(Math.max(0, k.base())),
                        Figures.number(k.available()),
                        Figures.number(k.limitPerS()),
                        Figures.range(k.ci95())));
    }

    /// The CPU time of requests to each endpoint, and the limit for another mix of them.
    private static void mix(Mix mix, List<String> lines) {
        for (EndpointDemand c : mix.classes()) {
            lines.add(
                    say(
                            "  %s: %s ms of CPU a request (%s); %s %% of the requests, %s %% in the"
                                    + " busiest minute",
                            c.endpoint().orElse("All other endpoints"),
                            Figures.number(c.cpuMs()),
                            Figures.range(c.cpuCi95()),
                            Figures.number(100 * c.share()),
                            Figures.number(100 * c.busiestShare())));
        }
        mix.busiest()
                .ifPresent(b ->
                        lines.add(
                                say(
                                        "  With the mix of the busiest minute (%s/s), the CPU is"
                                                + " saturated at %s requests/s (%s).",
                                        Figures.number(b.perS()),
                                        Figures.number(b.limitPerS()),
                                        Figures.range(b.ci95()))));
    }

    private static String pool(PoolLimit p, String count) {
        String of =
                say(
                        "  %s (%s, %s), up to %s in use: ",
                        p.name(),
                        p.library(),
                        Figures.number(p.size()),
                        Figures.percent(p.highestUtilisation()));
        return of
                + switch (p.limit()) {
                    case Known k ->
                            say(
                                    "a request holds one for %s ms (%s); the limit is %s requests/s"
                                            + " (%s).",
                                    Figures.number(k.demandMs()),
                                    Figures.range(k.demandCi95()),
                                    Figures.number(k.limitPerS()),
                                    Figures.range(k.ci95()));
                    case Unknown u -> "limit unknown, " + why(u, count);
                };
    }

    private static String disk(DiskLimit d, String count) {
        String of =
                say(
                        "  The disk %s has work up to %s of the time: ",
                        d.device(), Figures.percent(d.highestUtilisation()));
        return of
                + switch (d.limit()) {
                    case Known k ->
                            say(
                                    "%s ms for a request (%s), all the time from %s requests/s on"
                                            + " (%s). A disk that serves several operations at once"
                                            + " allows more.",
                                    Figures.number(k.demandMs()),
                                    Figures.range(k.demandCi95()),
                                    Figures.number(k.limitPerS()),
                                    Figures.range(k.ci95()));
                    case Unknown u ->
                            u.atLeastPerS()
                                    .map(x ->
                                            say(
                                                    "not all the time below %s requests/s.",
                                                    Figures.number(x)))
                                    .orElseGet(() -> "limit unknown, " + why(u, count));
                };
    }

    private static String name(Resource resource) {
        return switch (resource.kind()) {
            case CPU -> "the CPU";
            case POOL -> "the pool " + resource.name();
            case DISK -> "the disk " + resource.name();
        };
    }

    private static String names(List<Resource> resources) {
        int more = resources.size() - POOLS;
        return resources.stream()
                        .limit(POOLS)
                        .map(HeadroomText::name)
                        .collect(Collectors.joining(", "))
                + (more > 0 ? say(" (+%d more)", more) : "");
    }

    private static String why(Unknown u, String count) {
        return u.atLeast()
                        .map(a ->
                                say(
                                        "at least %s requests/s, %s times the mean: ",
                                        Figures.number(a.limitPerS()), ratio(a.timesNow())))
                        .orElse("")
                + cause(u, count);
    }

    /// Why a limit is unknown, and what to do.
    private static String cause(Unknown u, String count) {
        return u.reason().says()
                + u.watchS()
                        .map(s ->
                                "; watch such traffic for about "
                                        + Durations.format(Duration.ofSeconds(Math.round(s))))
                        .orElseGet(() ->
                                switch (u.reason()) {
                                    case NO_THROUGHPUT -> "; " + count;
                                    case TOO_FEW_WINDOWS, TOO_LITTLE_VARIATION ->
                                            "; watch a time in which it varies more";
                                    case TOO_MUCH_SCATTER ->
                                            "; watch for longer, while other processes are quiet";
                                });
    }

    private static String say(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }
}
