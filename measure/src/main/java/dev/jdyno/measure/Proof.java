package dev.jdyno.measure;

import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;

/// A test of a verdict: the resource that it names is changed.
///
/// @param says the answer in one sentence, with figures
/// @param tried the experiments
/// @param notTried experiments that were not made, each with its reason
public record Proof(Answer answer, String says, List<Tried> tried, List<String> notTried) {

    /// Whether the experiments confirm the verdict.
    public enum Answer {
        AGREED("agreed"),
        NOT_AGREED("not-agreed"),
        /// The figures varied too much between rounds without the change, or the outcome is close
        /// to the limit.
        UNCLEAR("unclear"),
        /// No experiment was possible.
        NOT_POSSIBLE("not-possible");

        private final String key;

        Answer(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }
    }

    /// One experiment with rounds before, during and after the change (A B A). It has no round
    /// after the change (A B) if a lasting effect keeps the target from its former state.
    ///
    /// @param id id of the {@link Intervention}
    /// @param change what was changed
    /// @param why what the verdict and the competing verdicts predict
    /// @param figure the figure of `ratio`: qps, rt, gcPauseShare
    /// @param predicted the ratio by the verdict
    /// @param agrees ratios that agree with the verdict
    /// @param ratio the figure during the change ÷ its mean before and after; ÷ the figure before
    ///   if there is no round after the change
    /// @param ratioRange lowest and highest ratio of the figure during the change to that before or
    ///   after it, with the intervals of their throughput
    /// @param after empty if `stays` gives the reason
    /// @param stays the effect of the change that remains
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

    /// A round before, during or after the change.
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
