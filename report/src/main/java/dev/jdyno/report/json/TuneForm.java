package dev.jdyno.report.json;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.jdyno.compare.Metric;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.report.words.TuneText;
import dev.jdyno.tune.Candidate;
import dev.jdyno.tune.Diagnosed;
import dev.jdyno.tune.Measured;
import dev.jdyno.tune.SearchEnd;
import dev.jdyno.tune.Tuned;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `jdyno/tune/1`: its components are the keys of the contract, in their order.
public record TuneForm(
        String schema,
        Metric improved,
        Diagnosed baseline,
        List<Round> rounds,
        Result result,
        List<Ablated> ablation,
        List<Diagnosed.Advice> next,
        Optional<Double> predictionError,
        long bounds,
        long boundsHeld,
        long predictions,
        long predictionsJudged,
        Optional<Left> searchEnd,
        double seconds,
        boolean resumed,
        boolean partial,
        List<String> notes) {
    public static TuneForm of(Tuned t) {
        return new TuneForm(
                "jdyno/tune/1",
                t.improved(),
                t.baseline(),
                t.rounds().stream().map(Round::of).toList(),
                Result.of(t),
                t.ablation().stream().map(Ablated::of).toList(),
                t.next(),
                t.predictions().medianError(),
                t.predictions().bounds(),
                t.predictions().held(),
                t.predictions().all(),
                t.predictions().judged(),
                t.searchEnd().map(Left::of),
                t.seconds(),
                t.resumed(),
                t.partial(),
                TuneText.notes(t));
    }

    /// What was left when the budget ended the search.
    ///
    /// @param unseenCandidates those at which it has not looked
    /// @param enoughSeconds a budget that has time for it, roughly
    public record Left(
            double budgetSeconds,
            double spentSeconds,
            double keptSeconds,
            int unseen,
            int notCompared,
            boolean diagnosisLeft,
            double enoughSeconds,
            List<Candidate> unseenCandidates) {
        private static Left of(SearchEnd end) {
            return new Left(
                    Durations.seconds(end.budget()),
                    end.spentSeconds(),
                    end.keptSeconds(),
                    end.unseen().size(),
                    end.notCompared(),
                    end.anew(),
                    Durations.seconds(end.enough()),
                    end.unseen());
        }
    }


    /// A diagnosis and what was tried because of it.
    public record Round(@JsonUnwrapped Diagnosed diagnosed, List<Tried> tried) {
        private static Round of(Tuned.Round round) {
            return new Round(
                    round.diagnosed(), round.tried().stream().map(Tried::of).toList());
        }
    }

    /// What a comparison came to.
    ///
    /// @param ratio gain: more than 1 is better
    public record Gain(
            Optional<Double> ratio,
            Optional<Interval> ci95,
            int starts,
            Optional<Integer> inFlight,
            Optional<Double> ratePerS) {
        private static Gain of(Optional<Measured> m) {
            return new Gain(
                    m.flatMap(Measured::gain),
                    m.flatMap(Measured::ci95),
                    m.map(Measured::starts).orElse(0),
                    m.flatMap(Measured::inFlight),
                    m.flatMap(Measured::ratePerS));
        }
    }

    /// A candidate and what became of it.
    public record Tried(
            String id,
            String says,
            List<ChangeForm> changes,
            Optional<Double> predictedQpsRatio,
            boolean predictedAtMost,
            @JsonUnwrapped Gain gain,
            Tuned.Fate outcome,
            boolean compared,
            String why) {
        private static Tried of(Tuned.Tried t) {
            return new Tried(
                    t.candidate().id(),
                    t.candidate().says(),
                    ChangeForm.of(t.candidate().changes()),
                    t.candidate().predictedQpsRatio(),
                    t.candidate().atMost(),
                    Gain.of(t.best()),
                    t.fate(),
                    t.compared(),
                    t.why());
        }
    }

    /// The final set with and without one change.
    public record Ablated(
            ChangeForm change,
            Optional<ChangeForm> instead,
            @JsonUnwrapped Gain gain,
            boolean kept) {
        private static Ablated of(Tuned.Ablated a) {
            return new Ablated(
                    ChangeForm.of(a.change()),
                    a.instead().map(ChangeForm::of),
                    Gain.of(Optional.of(a.measured())),
                    a.kept());
        }
    }

    /// The smallest set of changes that was found.
    ///
    /// @param before the improved figure
    public record Result(
            List<ChangeForm> changes,
            @JsonUnwrapped Gain gain,
            Optional<Double> before,
            Optional<Double> after,
            String command,
            Map<String, String> environment,
            List<Tuned.ChangedFile> files) {
        private static Result of(Tuned t) {
            Map<String, String> environment = new LinkedHashMap<>();
            for (Change change : t.changes()) {
                if (change instanceof Change.EnvironmentVariable v) {
                    environment.put(v.name(), v.value());
                }
            }
            return new Result(
                    ChangeForm.of(t.changes()),
                    Gain.of(t.confirmed()),
                    t.confirmed().flatMap(Measured::a),
                    t.confirmed().flatMap(Measured::b),
                    t.command(),
                    environment,
                    t.files());
        }
    }
}
