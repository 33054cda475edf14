package dev.jdyno.measure;

import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Interval;

/// An experiment that can refute a verdict: a change, and what the verdict says will come of it.
///
/// @param change what is changed for a while
/// @param concurrency requests in flight before and after it, and during it too unless they are the
///   change
/// @param figure what is watched
/// @param predicted the figure during the change ÷ the figure without it, by the verdict
/// @param agrees ratios that agree with the verdict; all others speak against it
/// @param why what the verdict and its rivals say, in one sentence
public record Challenge(
        Intervention change,
        int concurrency,
        Figure figure,
        double predicted,
        Interval agrees,
        String why) {

    /// What an experiment watches.
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

        /// Its value in a round; 0 where nobody saw the collector.
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
