package dev.jdyno.report.words;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.tune.Candidate;
import dev.jdyno.tune.Measured;
import dev.jdyno.tune.TuneSettings;
import dev.jdyno.tune.Tuned;
import dev.jdyno.tune.Tuning;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A tuning in words.
public final class TuneText {
    private TuneText() {}

    /// What the budget buys, before it is spent.
    public static String budget(TuneSettings s) {
        return String.format(
                Locale.ROOT,
                "tuning for at most %s: a first look at a candidate takes about %s, a comparison of"
                        + " three to five starts %s to %s; it ends as soon as nothing helps",
                Durations.format(s.budget()),
                CompareText.time(s.lookSeconds()),
                CompareText.time(3 * s.startSeconds(1)),
                CompareText.time(5 * s.startSeconds(1)));
    }

    /// What goes on now.
    public static String step(Tuning.Step step) {
        return switch (step) {
            case Tuning.Step.Look(Candidate c) -> "trying " + name(c);
            case Tuning.Step.Prove(Candidate c) -> "comparing " + name(c);
            case Tuning.Step.TakeOut(Change c) -> "taking out " + change(c);
            case Tuning.Step.Confirm(List<Change> all) ->
                    "comparing "
                            + (all.size() == 1 ? "the change" : "all " + all.size() + " changes")
                            + " with none";
        };
    }

    /// What a candidate changes, as short as it can be said.
    public static String name(Candidate c) {
        boolean flags =
                c.changes().stream()
                        .allMatch(f ->
                                f instanceof Change.JvmFlag || f instanceof Change.SystemProperty);
        return flags && c.knobValue().isEmpty()
                ? String.join(" ", c.changes().stream().map(TuneText::change).toList())
                : c.says();
    }

    /// The result in a sentence.
    public static String verdict(Tuned t) {
        if (t.rounds().isEmpty() && t.partial()) {
            return "It ended before anything was tried.";
        }
        if (t.changes().isEmpty()) {
            long open =
                    t.rounds().stream()
                            .flatMap(r -> r.tried().stream())
                            .filter(TuneText::isNotCompared)
                            .map(c -> name(c.candidate()))
                            .distinct()
                            .count();
            return open == 0
                    ? "Nothing that was tried makes the service better."
                    : open
                            + (open == 1 ? " candidate looks" : " candidates look")
                            + " better and "
                            + (open == 1 ? "was" : "were")
                            + " not compared; nothing is proved to make the service better.";
        }
        String changes = t.changes().size() == 1 ? "one change" : t.changes().size() + " changes";
        return t.confirmed()
                        .filter(m -> m.gain().isPresent())
                        .map(m ->
                                t.improved().title()
                                        + " "
                                        + gain(m)
                                        + " ("
                                        + m.ci95().map(TuneText::interval).orElse("no interval")
                                        + ") by "
                                        + changes
                                        + ", over "
                                        + m.starts()
                                        + " starts of each")
                        .orElse(
                                changes
                                        + " proved better one by one; all together were not confirmed")
                + ".";
    }

    /// `× 2.61`; where less of the figure is better, `÷ 2.61`.
    public static String gain(Measured m) {
        return m.gain().map(g -> "× " + ratio(g)).orElse("-");
    }

    public static String interval(Interval ci) {
        return ratio(ci.lo()) + " to " + ratio(ci.hi());
    }

    public static String ratio(double value) {
        return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.3f", value);
    }

    /// `≤ 3.10` where it is a bound.
    public static String predicted(Candidate c) {
        return c.predictedQpsRatio()
                .map(p -> (c.atMost() ? "<= " : "") + String.format(Locale.ROOT, "%.2f", p))
                .orElse("-");
    }

    /// How it was done.
    public static String how(Tuned t) {
        long tried = t.rounds().stream().mapToLong(r -> r.tried().size()).sum();
        return tried
                + (tried == 1 ? " candidate" : " candidates")
                + " in "
                + Durations.format(Duration.ofSeconds(Math.round(t.seconds())))
                + predictions(t.predictions())
                + (t.resumed() ? "; gone on with after an interruption" : "");
    }

    private static String predictions(Tuned.Predictions p) {
        return p.medianError()
                        .map(e ->
                                String.format(
                                        Locale.ROOT,
                                        "; median error of the predictions %.0f %%",
                                        e * 100))
                        .orElse("")
                + (p.bounds() == 0
                        ? ""
                        : "; " + p.held() + " of " + p.bounds() + " predicted bounds held");
    }

    /// A change as one would type or write it.
    public static String change(Change change) {
        return switch (change) {
            case Change.JvmFlag c -> c.argument();
            case Change.WithoutJvmFlag c -> "without " + c.name();
            case Change.SystemProperty c -> "-D" + c.name() + "=" + c.value();
            case Change.EnvironmentVariable c -> c.name() + "=" + c.value();
            case Change.ProgramArgument c -> c.argument();
            case Change.FileValue c -> c.name() + "=" + c.value() + " in " + c.template();
            case Change.LoggingEdit c ->
                    "logging: no "
                            + c.part()
                            + c.file().map(f -> " (" + simple(f) + ")").orElse("");
            case Change.PoolSize c -> "size of " + c.pool();
            case Change.SystemSetting c -> c.name();
            case Change.Concurrency c -> c.inFlight() + " in flight";
            case Change.Cores c -> Figures.number(c.to()) + " cores";
            case Change.Code _ -> "the code";
            case Change.Outside _ -> "outside the service";
        };
    }

    private static String simple(String file) {
        return file.substring(file.lastIndexOf('/') + 1);
    }

    public static String changes(List<Change> changes) {
        return String.join("; ", changes.stream().map(TuneText::change).toList());
    }

    /// What became of a candidate.
    public static String fate(Tuned.Tried t) {
        return isNotCompared(t) ? "not compared" : t.fate().key();
    }

    /// Whether only one start of it was looked at, and looked better.
    private static boolean isNotCompared(Tuned.Tried t) {
        return t.fate() == Tuned.Fate.INCONCLUSIVE && t.measured().isEmpty();
    }

    /// What the ablation says of a change; empty where it was the only one.
    public static Optional<String> without(Tuned t, Change change) {
        return t.ablation().stream()
                .filter(a -> a.change().equals(change))
                .map(a ->
                        "without it "
                                + gain(a.measured())
                                + a.measured()
                                        .ci95()
                                        .map(ci -> " (" + interval(ci) + ")")
                                        .orElse(""))
                .findFirst();
    }
}
