package dev.jdyno.report.words;

import dev.jdyno.compare.Metric;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.tune.BudgetPlan;
import dev.jdyno.tune.Candidate;
import dev.jdyno.tune.Costs;
import dev.jdyno.tune.Diagnosed;
import dev.jdyno.tune.Measured;
import dev.jdyno.tune.SearchEnd;
import dev.jdyno.tune.Step;
import dev.jdyno.tune.Tuned;
import dev.jdyno.tune.Tuned.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// A tuning in words.
public final class TuneText {
    private TuneText() {}

    /// The time of short measurements and comparisons, before the service has been measured.
    public static String budget(Costs c) {
        return String.format(
                Locale.ROOT,
                "tuning for at most %s: where the service is soon warm, a first look at a candidate"
                        + " takes about %s (less if several run at once), a comparison of three to"
                        + " five starts %s to %s; it ends as soon as nothing helps",
                Durations.format(c.budget()),
                CompareText.time(c.lookSeconds()),
                CompareText.time(3 * c.startSeconds()),
                CompareText.time(5 * c.startSeconds()));
    }

    /// A line of the plan of a budget; empty if the item does not occur.
    public static Optional<String> item(BudgetPlan.Item item) {
        String each = item.times() == 1 ? "" : ", " + CompareText.time(item.seconds()) + " each";
        return item.times() == 0
                ? Optional.empty()
                : Optional.of(
                        switch (item.what()) {
                            case SPENT -> "start, warm-up, first diagnosis";
                            case LOOK ->
                                    item.times()
                                            + (item.times() == 1 ? " look" : " looks")
                                            + " at candidates"
                                            + each;
                            case COMPARISON ->
                                    item.times()
                                            + (item.times() == 1 ? " comparison" : " comparisons")
                                            + " of three starts"
                                            + each;
                            case TOGETHER ->
                                    "comparison of the promising ones together, two starts";
                            case FURTHER -> "one more change, from diagnosis to confirmation";
                            case LEFT -> "left for further rounds";
                        });
    }

    /// The order in which candidates are tried.
    ///
    /// @param first maximum number of candidates that are measured briefly before the best ones are
    ///   compared
    public static String order(int candidates, int first) {
        return candidates <= first
                ? "All are looked at first; then the promising ones are compared, the best first."
                : "At most "
                        + first
                        + " of the "
                        + candidates
                        + " are looked at first; then the promising ones of them are compared, the"
                        + " best first. The others have their turn after that.";
    }

    /// The current step of the search.
    public static String step(Step step) {
        return switch (step) {
            case Step.Look(Candidate c) -> "trying " + name(c);
            case Step.LookAtOnce(List<Candidate> all) ->
                    "trying " + all.size() + " candidates beside one start of the service as it is";
            case Step.Prove(Candidate c) -> "comparing " + name(c);
            case Step.ProveTogether(List<Candidate> all) ->
                    "comparing "
                            + String.join(" + ", all.stream().map(TuneText::name).toList())
                            + ", and all without each";
            case Step.TakeOut(Change.Launch c) -> "taking out " + change(c);
            case Step.Confirm(List<Change.Launch> all) ->
                    "confirming "
                            + (all.size() == 1 ? "the change" : "all " + all.size() + " changes");
        };
    }

    /// The current start of a comparison.
    public static String start(Step step, int start, int min, int max) {
        return step(step)
                + ": start "
                + start
                + " of "
                + (min == max
                        ? String.valueOf(max)
                        : min + (max == min + 1 ? " or " : " to ") + max);
    }

    /// The interim result of a comparison.
    public static String soFar(Measured m) {
        return "after "
                + starts(m.starts())
                + ": "
                + m.ci95()
                        .map(ci -> gain(m) + " (" + interval(ci) + ")")
                        .orElse(m.gain().isPresent() ? gain(m) : "no interval yet");
    }

    private static String starts(int starts) {
        return starts + (starts == 1 ? " start" : " starts");
    }

    /// The shortest name of a candidate: its changes.
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
            return nothingHelps(t);
        }
        String changes = t.changes().size() == 1 ? "one change" : t.changes().size() + " changes";
        return t.confirmed()
                        .filter(m -> m.gain().isPresent())
                        .map(m -> confirmed(t, m, changes))
                        .orElse(
                                changes
                                        + " proved better one by one; all together were not confirmed")
                + ".";
    }

    private static String confirmed(Tuned t, Measured m, String changes) {
        String figure = m.by() == Metric.CPU ? "requests per CPU second" : t.improved().title();
        return figure
                + " "
                + gain(m)
                + " ("
                + m.ci95().map(TuneText::interval).orElse("no interval")
                + ")"
                + m.throughput().map(x -> ", throughput × " + ratio(x) + ",").orElse("")
                + " by "
                + changes
                + ", over "
                + m.starts()
                + " starts of each";
    }

    /// Which figure the gains are of, if it is not the improved one; empty if it is.
    public static Optional<String> by(Tuned t) {
        return Stream.concat(tried(t).flatMap(c -> c.best().stream()), t.confirmed().stream())
                        .anyMatch(m -> m.by() == Metric.CPU)
                ? Optional.of(
                        "Gains are of requests per CPU second where the CPU is the limit:"
                                + " throughput grows with it, and it varies less from start to"
                                + " start.")
                : Optional.empty();
    }

    private static String nothingHelps(Tuned t) {
        if (t.confirmed().isPresent()) {
            Measured m = t.confirmed().get();
            return "Nothing is proved to make the service better: what the comparisons took gave "
                    + gain(m)
                    + " ("
                    + m.ci95().map(TuneText::interval).orElse("no interval")
                    + ") in the confirmation, over "
                    + m.starts()
                    + " starts of each.";
        }
        long notCompared = tried(t).filter(c -> c.fate() == Fate.NOT_COMPARED).count();
        long better =
                tried(t).filter(c -> c.fate() == Fate.NOT_COMPARED)
                        .filter(c ->
                                c.best()
                                        .flatMap(Measured::ci95)
                                        .filter(i -> i.lo() > 1)
                                        .isPresent())
                        .count();
        long unknown =
                tried(t).filter(c ->
                                c.fate() == Fate.NOT_PROMISING || c.fate() == Fate.INCONCLUSIVE)
                        .count();
        if (tried(t).findAny().isEmpty()) {
            return "No setting was tried: "
                    + (t.searchEnd().isPresent()
                            ? "the budget has no time for one."
                            : "none is known that could help.");
        }
        if (notCompared + unknown == 0) {
            return "Nothing that was tried makes the service better.";
        }
        List<String> parts = new ArrayList<>();
        parts.add("Nothing is proved to make the service better");
        if (notCompared > 0) {
            parts.add(
                    candidates(notCompared)
                            + " looked at once and not compared ("
                            + (better > 0 ? better + " looked better; " : "")
                            + (t.partial() ? "it was cut short)" : "too little time)"));
        }
        if (unknown > 0) {
            parts.add(candidates(unknown) + " measured, with intervals too wide to tell");
        }
        return String.join("; ", parts) + ".";
    }

    private static Stream<Tuned.Tried> tried(Tuned t) {
        return t.rounds().stream().flatMap(r -> r.tried().stream());
    }

    private static String candidates(long n) {
        return n == 1 ? "1 candidate was" : n + " candidates were";
    }

    /// The load of all measurements of the tuning; empty if no load is known.
    public static Optional<String> load(Tuned t) {
        List<Measured> before =
                Stream.concat(
                                tried(t).flatMap(c -> c.best().stream()),
                                t.ablation().stream().map(Tuned.Ablated::measured))
                        .toList();
        return load(t, before)
                .map(load ->
                        "Load of looks (1 start) and comparisons (several): "
                                + load
                                + load(t, t.confirmed().stream().toList())
                                        .map(last -> "; of the confirmation: " + last)
                                        .map(last -> last + beforeAndAfter(t))
                                        .orElse(""));
    }

    private static Optional<String> load(Tuned t, List<Measured> all) {
        return t.improved() == Metric.QPS
                ? range(all.stream().flatMap(m -> m.inFlight().stream()).map(Double::valueOf))
                        .map(n -> n + " requests in flight")
                : range(all.stream().flatMap(m -> m.ratePerS().stream()))
                        .map(r -> r + " requests/s");
    }

    /// The figure before and after the changes, as the confirmation measured it.
    private static String beforeAndAfter(Tuned t) {
        return t.confirmed()
                .flatMap(m ->
                        m.a().flatMap(a ->
                                m.b().map(b ->
                                        ", "
                                                + Figures.number(a)
                                                + " and then "
                                                + Figures.number(b)
                                                + unit(m.by()))))
                .orElse("");
    }

    private static String unit(Metric metric) {
        return metric == Metric.CPU
                ? " ms of CPU per request"
                : metric.unit().isEmpty() ? "" : " " + metric.unit();
    }

    private static Optional<String> range(Stream<Double> values) {
        List<Double> sorted = values.sorted().toList();
        if (sorted.isEmpty()) {
            return Optional.empty();
        }
        String min = Figures.number(sorted.getFirst());
        String max = Figures.number(sorted.getLast());
        return Optional.of(min.equals(max) ? min : min + " to " + max);
    }

    /// Notes for the reader, including the work for which the budget did not suffice.
    public static List<String> notes(Tuned t) {
        return Stream.concat(
                        t.searchEnd().map(TuneText::searchEnd).stream(),
                        NoteText.of(t.notes()).stream())
                .toList();
    }

    private static String searchEnd(SearchEnd end) {
        List<String> left = new ArrayList<>();
        if (!end.unseen().isEmpty()) {
            left.add(candidates(end.unseen().size()) + " not looked at");
        }
        if (end.notCompared() > 0) {
            left.add(candidates(end.notCompared()) + " not compared");
        }
        if (end.anew()) {
            left.add("the service was not diagnosed again, with what was accepted last");
        }
        return "the search ended after "
                + Figures.seconds(end.spentSeconds())
                + " of the budget of "
                + Durations.format(end.budget())
                + ": "
                + String.join("; ", left)
                + next(end)
                + ". --budget "
                + budget(end)
                + " in all has time for all of that: up to about "
                + CompareText.time(end.remainingSeconds())
                + " more, "
                + CompareText.time(end.keptSeconds())
                + " of it for taking changes out again and the confirmation";
    }

    /// Empty if the next candidate needs all of the time, as the last one does.
    private static String next(SearchEnd end) {
        return end.next().compareTo(end.enough()) < 0
                ? ". --budget " + minutes(end.next()) + " in all has time for the next candidate"
                : "";
    }

    /// Heading of the recommendations that are not settings. They come from the newest diagnosis,
    /// which may be older than the last change.
    public static String beyondSettings(Tuned t) {
        return t.searchEnd().filter(SearchEnd::anew).isPresent()
                ? "Beyond settings, as diagnosed before the latest change"
                : "Beyond settings";
    }

    /// A recommendation that is not a setting, with its predicted gain in brackets.
    public static String advice(Diagnosed.Advice a) {
        Optional<String> gain =
                a.what().predictedQpsRatio().filter(r -> r > 1).isPresent()
                        ? GainText.of(a.what(), a.now())
                        : Optional.empty();
        return a.what().says().text() + gain.map(g -> " (" + g + ")").orElse("");
    }

    /// The budget that would suffice for the remaining work, as the option takes it.
    public static String budget(SearchEnd end) {
        return minutes(end.enough());
    }

    private static String minutes(Duration budget) {
        return budget.toMinutes() + "m";
    }

    /// The gain as a factor: `× 2.610`; `-` if it is unknown.
    public static String gain(Measured m) {
        return m.gain().map(g -> "× " + ratio(g)).orElse("-");
    }

    public static String interval(Interval ci) {
        return ratio(ci.lo()) + " to " + ratio(ci.hi());
    }

    public static String ratio(double value) {
        return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.3f", value);
    }

    /// The predicted gain; `<= 3.10` if it is a bound.
    public static String predicted(Candidate c) {
        return c.predictedQpsRatio()
                .map(p -> (c.atMost() ? "<= " : "") + String.format(Locale.ROOT, "%.2f", p))
                .orElse("-");
    }

    /// Number of candidates, time, and accuracy of the predictions.
    public static String how(Tuned t) {
        long tried = t.rounds().stream().mapToLong(r -> r.tried().size()).sum();
        return tried
                + (tried == 1 ? " candidate" : " candidates")
                + " in "
                + Figures.seconds(t.seconds())
                + predictions(t)
                + (t.resumed() ? "; gone on with after an interruption" : "");
    }

    /// The accuracy of the predictions that could be compared with a measurement; empty if none
    /// could.
    private static String predictions(Tuned t) {
        Tuned.Predictions p = t.predictions();
        if (p.judged() == 0) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        p.medianError()
                .ifPresent(e ->
                        parts.add(
                                p.errors()
                                        + (p.errors() == 1
                                                ? " with an error of "
                                                : " with a median error of ")
                                        + Figures.percent(e)));
        if (p.bounds() > 0) {
            parts.add(
                    p.held()
                            + " of "
                            + p.bounds()
                            + (p.bounds() == 1 ? " bound" : " bounds")
                            + " held"
                            + exceeding(t));
        }
        return "; "
                + p.judged()
                + " of "
                + p.all()
                + (p.all() == 1 ? " prediction" : " predictions")
                + " could be judged: "
                + String.join(", ", parts);
    }

    private static String exceeding(Tuned t) {
        List<String> names =
                t.exceeding().stream()
                        .map(c ->
                                name(c.candidate())
                                        + c.best().map(m -> " in " + starts(m.starts())).orElse(""))
                        .toList();
        return names.isEmpty() ? "" : " (more than it gained " + String.join(", ", names) + ")";
    }

    /// A change as it is typed on a command line or written in a file.
    public static String change(Change change) {
        return switch (change) {
            case Change.Launch c -> c.written();
            case Change.PoolSize c -> "size of " + c.name();
            case Change.SystemSetting c -> c.name();
            case Change.Concurrency c -> c.inFlight() + " in flight";
            case Change.Cores c -> Figures.number(c.to()) + " cores";
            case Change.Code _ -> "the code";
            case Change.CodeAt c -> c.method();
            case Change.Outside _ -> "outside the service";
        };
    }

    public static String changes(List<? extends Change> changes) {
        return String.join("; ", changes.stream().map(TuneText::change).toList());
    }

    /// The outcome of a candidate.
    public static String fate(Tuned.Tried t) {
        return switch (t.fate()) {
            case ACCEPTED -> "accepted";
            case REJECTED -> "rejected";
            case DOES_NOT_START -> "does not start";
            case INFEASIBLE -> "infeasible";
            case INCONCLUSIVE -> "inconclusive";
            case NOT_PROMISING -> "not promising";
            case NOT_COMPARED -> "not compared";
        };
    }

    /// The effect of taking out a change; empty if the change was not taken out.
    public static Optional<String> without(Tuned t, Change change) {
        return t.ablation().stream()
                .filter(a -> a.change().equals(change))
                .map(a -> "without it " + effect(a.measured()))
                .findFirst();
    }

    /// A ratio with its interval: `× 0.948 (0.901 to 0.997)`.
    public static String effect(Measured m) {
        return gain(m) + m.ci95().map(ci -> " (" + interval(ci) + ")").orElse("");
    }
}
