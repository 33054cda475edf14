package dev.jdyno.report.words;

import dev.jdyno.compare.Effect;
import dev.jdyno.guard.Bisected;
import dev.jdyno.repository.Revision;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The result of a search for a commit in words, for all forms of the report.
public final class BisectText {
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT).withZone(ZoneOffset.UTC);

    private BisectText() {}

    /// The verdict in one sentence.
    public static String verdict(Bisected b) {
        return switch (b.verdict()) {
            case NOT_WORSE ->
                    "not worse: no figure of "
                            + b.bad().shortHash()
                            + " is worse than that of "
                            + b.good().shortHash();
            case UNCLEAR ->
                    b.found()
                            .map(f ->
                                    "unclear: "
                                            + figure(b)
                                            + ", and no commit is certain yet; most probable is "
                                            + commits(f)
                                            + " ("
                                            + percent(f.probability())
                                            + ")")
                            .orElse(
                                    "unclear: it is not decided whether "
                                            + b.bad().shortHash()
                                            + " is worse than "
                                            + b.good().shortHash());
            case FOUND ->
                    b.found()
                            .map(f ->
                                    "found: "
                                            + figure(b)
                                            + " since "
                                            + commits(f)
                                            + " ("
                                            + percent(f.probability())
                                            + ")")
                            .orElse("found");
        };
    }

    private static String figure(Bisected b) {
        return b.figure().map(m -> m.title()).orElse("")
                + b.effect().map(e -> " × " + Figures.number(e.ratio()) + interval(e)).orElse("");
    }

    private static String interval(Effect e) {
        return " ("
                + CompareText.ratio(e.interval().lo())
                + " to "
                + CompareText.ratio(e.interval().hi())
                + ")";
    }

    private static String commits(Bisected.Found f) {
        Revision first = f.commits().getFirst();
        return f.commits().size() == 1
                ? first.shortHash()
                : "one of "
                        + f.commits().size()
                        + " commits from "
                        + first.shortHash()
                        + " to "
                        + f.commits().getLast().shortHash()
                        + ", between which nothing could be measured";
    }

    /// A probability in percent. One below 1 is never shown as 100 %, because a measurement is not
    /// certain.
    public static String percent(double probability) {
        return probability >= 0.995 && probability < 1
                ? String.format(Locale.ROOT, "%.2f %%", Math.min(99.99, probability * 100))
                : Figures.percent(probability);
    }

    /// A commit in a line: hash, author's day, subject.
    public static String line(Revision r) {
        return r.shortHash() + "  " + DAY.format(r.authored()) + "  " + r.subject();
    }

    /// Further notes for the reader, a sentence each.
    public static List<String> notes(Bisected b) {
        List<String> notes = new ArrayList<>();
        notes.add(
                b.commits()
                        + (b.commits() == 1 ? " commit" : " commits")
                        + ", "
                        + b.measured().size()
                        + (b.measured().size() == 1 ? " version" : " versions")
                        + " measured in "
                        + b.starts()
                        + " starts of each side, "
                        + Figures.seconds(b.seconds())
                        + (b.buildSeconds() >= 1
                                ? ", and " + Figures.seconds(b.buildSeconds()) + " of builds"
                                : ""));
        for (Bisected.Skipped s : b.skipped()) {
            notes.add(
                    s.commit().shortHash()
                            + (s.built() ? " does not run: " : " does not build: ")
                            + s.why());
        }
        if (b.verdict() == Bisected.Verdict.UNCLEAR && !b.partial()) {
            notes.add("the budget has ended; --resume with a larger --budget goes on");
        }
        notes.addAll(NoteText.of(b.notes()));
        return notes;
    }
}
