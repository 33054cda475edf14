package dev.jdyno.report.words;

import dev.jdyno.measure.verdict.NextLimit;
import dev.jdyno.measure.verdict.Verdict;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Two limits of nearly the same height, in two sentences: the second limit with the figure that it
/// was computed from, and the gain without the first limit and without both.
public final class NextLimitText {
    /// Gain from which a factor is easier to read than a percentage.
    private static final double MANY_TIMES = 9;

    private NextLimitText() {}

    /// Empty if the verdict has no second limit.
    ///
    /// @param place renders the place of a limit
    public static Optional<String> of(Verdict verdict, UnaryOperator<String> place) {
        String first = verdict.bottleneck().key();
        return verdict.nextLimit()
                .map(n ->
                        say(
                                "Two limits of nearly the same height: %s, and %s%s (confidence"
                                        + " %.2f; %s). Lifting only the first one gives %s;"
                                        + " lifting both%s.",
                                first,
                                n.bottleneck().key(),
                                n.where().isBlank() ? "" : " at " + place.apply(n.where()),
                                n.confidence(),
                                figure(n),
                                gain(n.gainOfFirst()),
                                ofBoth(n)));
    }

    private static String figure(NextLimit n) {
        String allows = say("so it allows %s/s", Figures.number(n.limitPerS()));
        return switch (n.way()) {
            case UTILISATION -> say("%s in use, %s", Figures.percent(n.figure()), allows);
            case QUEUE ->
                    say(
                            "on average %s requests wait for it, %s",
                            Figures.number(Figures.twoDigits(n.figure())), allows);
            case PLACES -> say("%s threads, %s", Figures.number(n.figure()), allows);
            case SHARE ->
                    say("%s of what both use of the CPU or the time", Figures.percent(n.figure()));
        };
    }

    private static String ofBoth(NextLimit n) {
        return n.after()
                .map(a -> say(" %s, then %s limits", gain(a.gainOfBoth()), a.bottleneck().key()))
                .orElse(" is not predicted, because no further limit is known");
    }

    /// The upper end of a gain: `at most 12 % more`.
    private static String gain(double share) {
        return share >= MANY_TIMES
                ? say(
                        "at most %s times the throughput",
                        Figures.number(Figures.twoDigits(1 + share)))
                : say("at most %s more", Figures.percent(share));
    }

    private static String say(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }
}
