package dev.jdyno.report.words;

import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.First;
import dev.jdyno.measure.verdict.Headroom.Kind;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.PoolLimit;
import dev.jdyno.measure.verdict.Headroom.Resource;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The additional load that a service can take, in a few lines.
public final class HeadroomText {
    /// Maximum number of pools with lines of their own.
    private static final int POOLS = 3;

    private static final String INDENT = "  ";

    private HeadroomText() {}

    /// The lines, each of at most the default columns of {@link TextLines}.
    public static List<String> lines(Headroom headroom) {
        return paragraphs(headroom).stream()
                .flatMap(p -> {
                    String first = p.startsWith(INDENT) ? INDENT : "";
                    return TextLines.fold(
                            p, first, first + INDENT + INDENT, Integer.MAX_VALUE, TextLines.WIDTH)
                            .stream();
                })
                .toList();
    }

    /// The headroom as the end of a sentence: `; 4.2 x headroom`. Empty if no limit is known.
    public static Optional<String> times(Headroom headroom) {
        return headroom.first()
                .map(f ->
                        say(
                                "; %s x headroom",
                                Figures.number(Figures.twoDigits(f.known().timesNow()))));
    }

    private static List<String> paragraphs(Headroom headroom) {
        List<String> lines = new ArrayList<>();
        headroom.first().ifPresent(first -> first(headroom, first, lines));
        switch (headroom.cpu()) {
            case Known k -> cpu(k, lines);
            case Unknown u -> lines.add(headline(headroom) + "unknown, " + why(u));
        }
        headroom.pools().stream().limit(POOLS).forEach(p -> lines.add(pool(p)));
        int more = headroom.pools().size() - POOLS;
        if (more > 0) {
            lines.add(say("  (+%d more pools; --json has all)", more));
        }
        return lines;
    }

    /// The beginning of the line about an unknown CPU limit.
    private static String headline(Headroom headroom) {
        return headroom.first().isPresent()
                ? "  CPU: "
                : headroom.pools().isEmpty() ? "Headroom: " : "Headroom: CPU ";
    }

    private static void first(Headroom headroom, First first, List<String> lines) {
        Known k = first.known();
        lines.add(
                say(
                        "Headroom: %s is saturated%s at %s requests/s (%s), %s times the"
                                + " mean (%s/s), %s times the busiest %d s seen (%s/s)",
                        name(first.resource()),
                        headroom.pools().isEmpty() ? "" : " first,",
                        Figures.number(k.limitPerS()),
                        Figures.range(k.ci95()),
                        Figures.number(Figures.twoDigits(k.timesNow())),
                        Figures.number(k.perS()),
                        Figures.number(Figures.twoDigits(k.timesBusiest())),
                        Math.round(k.windowS()),
                        Figures.number(k.busiestPerS())));
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
        lines.add(
                say(
                        "  Observed up to %s of %s. Above that, a lock or another resource may"
                                + " limit the service earlier.",
                        Figures.percent(k.highestUtilisation()),
                        first.resource().kind() == Kind.CPU ? "these cores" : "this pool"));
    }

    private static void cpu(Known k, List<String> lines) {
        lines.add(
                say(
                        "  CPU: a request takes %s ms (%s); without requests the service uses %s of"
                                + " its %s cores; the limit is %s requests/s (%s).",
                        Figures.number(k.demandMs()),
                        Figures.range(k.demandCi95()),
                        Figures.number(Math.max(0, k.base())),
                        Figures.number(k.available()),
                        Figures.number(k.limitPerS()),
                        Figures.range(k.ci95())));
    }

    private static String pool(PoolLimit p) {
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
                    case Unknown u -> "limit unknown, " + why(u);
                };
    }

    private static String name(Resource resource) {
        return switch (resource.kind()) {
            case CPU -> "the CPU";
            case POOL -> "the pool " + resource.name();
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

    private static String why(Unknown u) {
        return u.reason().says()
                + u.atLeastPerS()
                        .map(x -> say(" (at least %s requests/s)", Figures.number(x)))
                        .orElse("")
                + u.watchS()
                        .map(s ->
                                "; watch such traffic for about "
                                        + Durations.format(Duration.ofSeconds(Math.round(s))))
                        .orElseGet(() ->
                                switch (u.reason()) {
                                    case NO_THROUGHPUT -> "; give --access-log FILE or --jmx";
                                    case TOO_FEW_WINDOWS, TOO_LITTLE_VARIATION ->
                                            "; watch a time in which it varies more";
                                });
    }

    private static String say(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }
}
