package dev.jdyno.measure;

import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Interval;

/// An experiment that can refute a verdict: a change, and the effect that the verdict predicts.
///
/// @param change temporary change of the target or its load
/// @param concurrency requests in flight before and after the change; also during it, unless the
///   change is another concurrency
/// @param figure the figure that is compared
/// @param predicted the ratio that the verdict predicts: the figure during the change ÷ the figure
///   without it
/// @param agrees range of ratios that agree with the verdict; every other ratio contradicts it
/// @param why what the verdict and the competing verdicts predict, in one sentence
public record Challenge(
        Intervention change,
        int concurrency,
        Figure figure,
        double predicted,
        Interval agrees,
        String why) {

    /// The figure that an experiment compares.
    public enum Figure {
        QPS("qps"),
        RT("rt"),
        /// Share of the time that the collector stops the application.
        PAUSE_SHARE("gcPauseShare");

        private final String key;

        Figure(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }

        /// The figure's value in a round. The pause share is 0 if the collector was not observed.
        public double of(Round round) {
            return switch (this) {
                case QPS -> round.qps();
                case RT -> round.rtMs().mean();
                case PAUSE_SHARE -> round.gc().map(GcActivity::pauseShare).orElse(0.0);
            };
        }
    }

    public Challenge {
        if (!agrees.contains(predicted)) {
            throw new IllegalArgumentException("the prediction itself must agree");
        }
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be ≥ 1: " + concurrency);
        }
    }
}
