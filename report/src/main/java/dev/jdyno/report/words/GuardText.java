package dev.jdyno.report.words;

import dev.jdyno.compare.Note.NotInBudget;
import dev.jdyno.guard.FigureRow;
import dev.jdyno.guard.Guarded;
import dev.jdyno.guard.Verdict;
import dev.jdyno.history.Commit;
import dev.jdyno.measure.verdict.Bottleneck;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The result of a guarded run in words, for all forms of the report.
public final class GuardText {
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT).withZone(ZoneId.systemDefault());

    /// Minimum difference of the machine's speed that the text mentions.
    private static final double OTHER_MACHINE = 0.03;

    private GuardText() {}

    /// The verdict in one sentence.
    public static String verdict(Guarded g) {
        Optional<NotInBudget> left = withoutTime(g);
        if (g.partial()) {
            return left.isPresent()
                    ? "unclear: the budget has no time for "
                            + left.get().starts()
                            + " starts of each build"
                    : "unclear: it was stopped before there was anything to say";
        }
        List<FigureRow> worse = of(g, Verdict.WORSE);
        return switch (g.verdict()) {
            case OK -> "ok: " + better(g) + "no figure is worse than " + before(g);
            case UNCLEAR -> "unclear: " + (left.isPresent() ? unconfirmed(g) : undecided(g));
            case REGRESSION ->
                    "regression: "
                            + (worse.isEmpty()
                                    ? moved(g)
                                    : worse.stream()
                                            .map(GuardText::change)
                                            .collect(Collectors.joining(", ")));
        };
    }

    private static List<FigureRow> of(Guarded g, Verdict verdict) {
        return g.figures().stream().filter(r -> r.verdict() == verdict).toList();
    }

    /// The note on the step that the budget had no time for.
    private static Optional<NotInBudget> withoutTime(Guarded g) {
        return g.notes().stream()
                .filter(NotInBudget.class::isInstance)
                .map(NotInBudget.class::cast)
                .findFirst();
    }

    private static String unconfirmed(Guarded g) {
        List<FigureRow> suspects = of(g, Verdict.SUSPECT);
        return (suspects.isEmpty()
                        ? "something looks worse"
                        : suspects.stream().map(GuardText::change).collect(Collectors.joining(", "))
                                + (suspects.size() == 1 ? " looks worse" : " look worse"))
                + ", but the budget had no time to measure again";
    }

    private static String undecided(Guarded g) {
        if (g.mode() == Guarded.Mode.REFERENCE) {
            return "the figures vary too much to tell";
        }
        return g.days() < Guarded.MIN_DAYS
                ? g.days()
                        + " earlier days; "
                        + Guarded.MIN_DAYS
                        + " show how much the figures vary"
                : "the measurement was spoilt";
    }

    private static String better(Guarded g) {
        return of(g, Verdict.BETTER).stream()
                .map(r -> change(r) + " (better), ")
                .collect(Collectors.joining());
    }

    private static String before(Guarded g) {
        return g.mode() == Guarded.Mode.REFERENCE
                ? "that of the pinned build"
                : "on the " + g.days() + " days before";
    }

    /// Heading of the figures with which those of today are compared.
    public static String reference(Guarded g) {
        return g.mode() == Guarded.Mode.REFERENCE ? "pinned" : "before";
    }

    private static String moved(Guarded g) {
        return g.movedFrom()
                .map(m -> name(g) + " limits the service; on the days before it was " + m.key())
                .orElse("more requests fail");
    }

    private static String name(Guarded g) {
        return g.bottleneck().map(Bottleneck::key).orElse("");
    }

    private static String change(FigureRow r) {
        return r.metric().title() + " × " + CompareText.ratio(r.ratio().orElse(1.0)) + since(r);
    }

    /// The day and the commits since which the figure differs; empty if the day is unknown.
    public static String since(FigureRow r) {
        return r.since()
                .map(s -> {
                    String commits =
                            s.code()
                                    .map(to ->
                                            s.before()
                                                    .map(from ->
                                                            " (commits "
                                                                    + from.shortHash()
                                                                    + ".."
                                                                    + to.shortHash()
                                                                    + ")")
                                                    .orElse(" (commit " + to.shortHash() + ")"))
                                    .orElse("");
                    return " since " + DAY.format(s.day()) + commits;
                })
                .orElse("");
    }

    /// The commit of a stored run.
    public static String commit(Commit code) {
        return code.shortHash() + code.branch().map(b -> " on " + b).orElse("");
    }

    /// Further notes for the reader, a sentence each.
    public static List<String> notes(Guarded g) {
        List<String> notes = new ArrayList<>();
        boolean named = g.bottleneck().filter(b -> b != Bottleneck.UNKNOWN).isPresent();
        if (!g.partial() && named) {
            notes.add(
                    "limited by "
                            + name(g)
                            + g.movedFrom()
                                    .filter(m -> m != Bottleneck.UNKNOWN)
                                    .map(m -> "; " + reference(g) + ": " + m.key())
                                    .orElse(""));
        }
        g.machine()
                .filter(m -> Math.abs(m - 1) >= OTHER_MACHINE)
                .ifPresent(m ->
                        notes.add(
                                "a fixed loop takes "
                                        + Figures.percent(Math.abs(m - 1))
                                        + (m > 1 ? " more" : " less")
                                        + " CPU time on this machine than on the days before;"
                                        + " figures of time are adjusted by that"));
        boolean noticed = g.figures().stream().anyMatch(r -> r.verdict() == Verdict.NOTICE);
        boolean undecided =
                g.mode() == Guarded.Mode.REFERENCE
                        && g.figures().stream().anyMatch(r -> r.verdict() == Verdict.UNCLEAR);
        if (g.confirmed() && g.verdict() != Guarded.Overall.REGRESSION && undecided) {
            notes.add(
                    "something looked worse at first; what is unclear was not decided in the time that"
                            + " the two comparisons had: give them more with --budget");
        } else if (g.confirmed() && g.verdict() == Guarded.Overall.OK && !noticed) {
            notes.add("something looked worse at first; measured again, it was not");
        }
        g.figures().stream()
                .filter(r -> r.verdict() == Verdict.NOTICE)
                .map(r ->
                        "notice: "
                                + change(r)
                                + " today; it counts if the next day shows the same, for this"
                                + " figure varies much from day to day")
                .forEach(notes::add);
        notes.addAll(NoteText.of(g.notes()));
        return notes;
    }
}
