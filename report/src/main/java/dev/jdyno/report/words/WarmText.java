package dev.jdyno.report.words;

import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.warm.StartFigures;
import dev.jdyno.warm.Warmed;
import dev.jdyno.warm.Warmed.Tried;
import dev.jdyno.warm.Way;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The result of a warm-up study, in words.
public final class WarmText {
    private WarmText() {}

    /// The duration of the warm-up, and the ways that shorten it.
    public static String verdict(Warmed w) {
        String asIs =
                "First answer after %s s, 90 %% of full speed (%s/s) %s, 99 %% %s"
                        .formatted(
                                seconds(w.asIs(), f -> Optional.of(f.firstAnswerS())),
                                Figures.number(w.fullQps()),
                                after(w, w.asIs(), StartFigures::to90S),
                                after(w, w.asIs(), StartFigures::to99S));
        return asIs + ". " + shortened(w);
    }

    private static String shortened(Warmed w) {
        List<Way> better =
                w.tried().stream()
                        .filter(t -> t instanceof Tried.Measured m && m.outcome() == Outcome.BETTER)
                        .map(Tried::way)
                        .toList();
        List<String> recommended =
                better.stream().filter(Way::isRecommended).map(Way::key).toList();
        if (!recommended.isEmpty()) {
            return "Shortened by " + String.join(", ", recommended) + ".";
        }
        if (!better.isEmpty()) {
            return "Shortened only by "
                    + better.stream().map(Way::key).collect(Collectors.joining(", "))
                    + ", at a lower full speed: this shows a bound and is not recommended.";
        }
        return w.tried().stream().anyMatch(Tried.Measured.class::isInstance)
                ? "Nothing that was tried is proved to shorten it."
                : "Nothing was tried.";
    }

    /// The throughput before and after a pause of the load. It has a value only if the JIT
    /// compilers still had work before the pause; otherwise empty.
    public static Optional<String> plateau(Warmed w) {
        return w.plateauQps()
                .map(q ->
                        "At the end of its traffic the service gave %s/s and its compilers still had"
                                        .formatted(Figures.number(q))
                                + " work; after a rest without load it gave %s/s (%s)."
                                        .formatted(
                                                Figures.number(w.fullQps()),
                                                Figures.percentChange(w.fullQps() / q)));
    }

    /// The method of measuring the warm-up.
    public static String how(Warmed w) {
        int starts = w.asIs().curves().size();
        return String.format(
                Locale.ROOT,
                "%s of the baseline, each with %d requests in flight for %s s from its first answer;"
                        + " all variants in turns, in random order. Lost: seconds of full speed from"
                        + " the launch to the end of the traffic. Took %s.",
                starts == 1 ? "1 start" : starts + " starts",
                w.settings().inFlight(),
                Figures.number(w.settings().length().toMillis() / 1e3),
                CompareText.time(w.seconds()));
    }

    /// Median over the starts, with the number of starts that reached this throughput if some did
    /// not. If no start reached it, the duration of the load.
    public static String after(
            Warmed w, Warmed.Starts starts, Function<StartFigures, Optional<Double>> figure) {
        long reached = starts.figures().stream().filter(f -> figure.apply(f).isPresent()).count();
        if (reached == 0) {
            return "not within "
                    + Figures.number(w.settings().length().toMillis() / 1e3)
                    + " s of load";
        }
        String at = "after " + seconds(starts, figure) + " s";
        return reached == starts.figures().size()
                ? at
                : at + " in " + reached + " of " + starts.figures().size() + " starts";
    }

    /// One variant as a row of a table.
    ///
    /// @param first seconds to the first answer; `to90` and `to99` are seconds to these shares of
    ///   full speed
    /// @param lost throughput lost, in seconds of full speed
    /// @param slow number of slow requests
    /// @param ratio of the lost seconds to those of the baseline
    public record Row(
            String name,
            String first,
            String to90,
            String to99,
            String lost,
            String slow,
            String ratio,
            String says) {}

    /// The starts of the unchanged service.
    public static Row baseline(Warmed w) {
        return row("baseline", w, w.asIs(), "", "");
    }

    /// The row of one way to shorten the warm-up. A way that was not tried has no figures.
    public static Row row(Warmed w, Tried tried) {
        return switch (tried) {
            case Tried.Measured m -> row(m.way().key(), w, m.starts(), ratio(m.lost()), says(m));
            case Tried.Not not -> new Row(not.way().key(), "", "", "", "", "", "", says(not));
        };
    }

    private static Row row(String name, Warmed w, Warmed.Starts starts, String ratio, String says) {
        return new Row(
                name,
                seconds(starts, f -> Optional.of(f.firstAnswerS())),
                seconds(starts, StartFigures::to90S),
                seconds(starts, StartFigures::to99S),
                seconds(starts, f -> Optional.of(f.lostS())),
                slow(w, starts),
                ratio,
                says);
    }

    /// Median over the starts that have the figure; a dash if none has it.
    public static String seconds(
            Warmed.Starts starts, Function<StartFigures, Optional<Double>> figure) {
        double[] values =
                starts.figures().stream()
                        .flatMap(f -> figure.apply(f).stream())
                        .mapToDouble(Double::doubleValue)
                        .toArray();
        return values.length == 0 ? "-" : Figures.number(Quantiles.median(values));
    }

    /// Median number of slow requests of a start; a dash if they were not counted.
    public static String slow(Warmed w, Warmed.Starts starts) {
        return w.settings().limitMs().isEmpty()
                ? "-"
                : Figures.number(
                        Quantiles.median(
                                starts.figures().stream()
                                        .mapToDouble(StartFigures::slow)
                                        .toArray()));
    }

    /// A ratio with its interval: `0.71 (0.66 to 0.77)`.
    public static String ratio(Optional<Effect> effect) {
        return effect.map(e ->
                        CompareText.ratio(e.ratio())
                                + " ("
                                + CompareText.ratio(e.interval().lo())
                                + " to "
                                + CompareText.ratio(e.interval().hi())
                                + ")")
                .orElse("-");
    }

    /// The result of one way to shorten the warm-up.
    public static String says(Tried tried) {
        return switch (tried) {
            case Tried.Not(var _, String why) -> "not tried: " + why;
            case Tried.Measured m ->
                    switch (m.outcome()) {
                        case BETTER -> "shortens it";
                        case WORSE -> "makes it longer";
                        case EQUIVALENT -> "no difference";
                        case INCONCLUSIVE -> "not decided";
                    };
        };
    }

    /// The ways with their names, for a legend.
    public static List<String> titles(Warmed w) {
        return w.tried().stream()
                .map(t -> t.way().key() + ": " + t.way().title())
                .collect(Collectors.toList());
    }
}
