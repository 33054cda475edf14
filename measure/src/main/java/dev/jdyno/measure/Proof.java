package dev.jdyno.measure;

import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;

/// A verdict put to the test by changing the resource it names.
///
/// @param says the answer in one sentence, with figures
/// @param notTried what was not tried, each with its reason
public record Proof(Answer answer, String says, List<Tried> tried, List<String> notTried) {

    /// What the experiments say of the verdict.
    public enum Answer {
        AGREED("agreed"),
        NOT_AGREED("not-agreed"),
        /// The figures moved too much by themselves, or the outcome lies at the border.
        UNCLEAR("unclear"),
        /// No experiment could be made.
        NOT_POSSIBLE("not-possible");

        private final String key;

        Answer(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }
    }

    /// One experiment, A B A: before, during and after the change; A B where what is left of the
    /// change keeps the target from being as it was.
    ///
    /// @param id of the {@link Intervention}
    /// @param change what was changed
    /// @param why what the verdict and its rivals say of it
    /// @param figure which figure `ratio` is of: qps, rt, gcPauseShare
    /// @param predicted the ratio by the verdict
    /// @param agrees ratios that agree with the verdict
    /// @param ratio changed ÷ mean of before and after, or ÷ before alone
    /// @param ratioRange changed ÷ each of the two, with the intervals of their throughput
    /// @param after empty where `stays` says why
    public record Tried(
            String id,
            String change,
            String why,
            String figure,
            double predicted,
            Interval agrees,
            double ratio,
            Interval ratioRange,
            Answer answer,
            Point before,
            Point changed,
            Optional<Point> after,
            Optional<String> stays) {}

    /// One of the three rounds.
    public record Point(int concurrency, double qps, double rtMs, Optional<Double> processCores) {
        public static Point of(Round round) {
            return new Point(
                    round.concurrency(),
                    round.qps(),
                    round.rtMs().mean(),
                    round.cpu().map(CpuUse::processCores));
        }
    }

    public Proof {
        tried = List.copyOf(tried);
        notTried = List.copyOf(notTried);
    }
}
