package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.measure.Attempt;
import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Challenge.Figure;
import dev.jdyno.measure.Proof;
import dev.jdyno.measure.Proof.Answer;
import dev.jdyno.measure.Proof.Point;
import dev.jdyno.measure.Proof.Tried;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Judges the results of the experiments that test a verdict.
public final class Proofs {
    /// Maximum difference of two equal rounds, as a share. If they differ more, a comparison with a
    /// changed round proves nothing.
    static final double MAX_DRIFT = 0.25;

    private Proofs() {}

    /// @param none reasons why some experiments were not possible
    public static Proof of(Verdict verdict, List<Attempt> attempts, List<String> none) {
        List<Tried> tried = new ArrayList<>();
        List<String> notTried = new ArrayList<>();
        for (Attempt attempt : attempts) {
            switch (attempt) {
                case Attempt.Made made -> tried.add(tried(made));
                case Attempt.NotMade(Challenge challenge, String reason) ->
                        notTried.add(challenge.change().says() + ": " + reason);
            }
        }
        notTried.addAll(none);
        Answer answer = answer(tried);
        return new Proof(answer, says(verdict, answer, tried, notTried), tried, notTried);
    }

    /// One experiment that disagrees refutes the verdict. Without such an experiment, one that
    /// agrees confirms it.
    static Answer answer(List<Tried> tried) {
        if (tried.isEmpty()) {
            return Answer.NOT_POSSIBLE;
        }
        List<Answer> all = tried.stream().map(Tried::answer).toList();
        if (all.contains(Answer.NOT_AGREED)) {
            return Answer.NOT_AGREED;
        }
        return all.contains(Answer.AGREED) ? Answer.AGREED : Answer.UNCLEAR;
    }

    static Tried tried(Attempt.Made made) {
        Challenge challenge = made.challenge();
        Figure figure = challenge.figure();
        double before = figure.of(made.before());
        double after = made.after().map(figure::of).orElse(before);
        double ratio = ratio(figure.of(made.changed()), (before + after) / 2);
        Interval range = range(figure, made);
        return new Tried(
                challenge.change().id(),
                made.change(),
                challenge.why(),
                figure.key(),
                challenge.predicted(),
                challenge.agrees(),
                ratio,
                range,
                judged(challenge.agrees(), ratio, range, drift(before, after)),
                Point.of(made.before()),
                Point.of(made.changed()),
                made.after().map(Point::of),
                made.stays());
    }

    private static Answer judged(Interval agrees, double ratio, Interval range, double drift) {
        if (drift > MAX_DRIFT) {
            return Answer.UNCLEAR;
        }
        if (agrees.contains(ratio)) {
            return Answer.AGREED;
        }
        boolean apart = range.hi() < agrees.lo() || range.lo() > agrees.hi();
        return apart ? Answer.NOT_AGREED : Answer.UNCLEAR;
    }

    private static double drift(double before, double after) {
        double larger = Math.max(before, after);
        return larger <= 0 ? 1 : (larger - Math.min(before, after)) / larger;
    }

    private static double ratio(double changed, double plain) {
        return plain <= 0 ? 0 : changed / plain;
    }

    private static Interval range(Figure figure, Attempt.Made made) {
        Interval before = interval(figure, made.before());
        Interval changed = interval(figure, made.changed());
        Interval after = made.after().map(a -> interval(figure, a)).orElse(before);
        double min = Math.min(before.lo(), after.lo());
        return new Interval(
                ratio(changed.lo(), Math.max(before.hi(), after.hi())),
                min <= 0 ? Double.POSITIVE_INFINITY : changed.hi() / min);
    }

    private static Interval interval(Figure figure, Round round) {
        return figure == Figure.QPS ? round.qpsCi95() : Interval.exactly(figure.of(round));
    }

    private static String says(
            Verdict verdict, Answer answer, List<Tried> tried, List<String> notTried) {
        String name = verdict.bottleneck().key();
        String figures = tried.stream().map(Proofs::figures).collect(Collectors.joining("; "));
        return switch (answer) {
            case AGREED -> name + " confirmed: " + figures;
            case NOT_AGREED -> name + " not confirmed: " + figures;
            case UNCLEAR -> name + " neither confirmed nor refuted: " + figures;
            case NOT_POSSIBLE -> name + " not put to the test: " + String.join("; ", notTried);
        };
    }

    private static String figures(Tried t) {
        return say(
                "%s: %s × %.2f (predicted × %.2f, agrees from %.2f to %.2f)%s%s",
                t.change(),
                t.figure(),
                t.ratio(),
                t.predicted(),
                t.agrees().lo(),
                t.agrees().hi(),
                switch (t.answer()) {
                    case AGREED -> "";
                    case NOT_AGREED -> ", disagrees";
                    case UNCLEAR, NOT_POSSIBLE -> ", unclear";
                },
                t.stays().map(s -> ", beside the round before it alone, for " + s).orElse(""));
    }
}
