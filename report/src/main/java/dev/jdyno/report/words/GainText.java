package dev.jdyno.report.words;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.ChangeKind;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.Locale;
import java.util.Optional;

/// What a change should give: the lower end of its range, or, of a bound, its upper end, and what
/// that rests on.
public final class GainText {
    /// Ratio of the throughputs below which a change gains nothing.
    private static final double NOTHING = 1.03;

    /// Ratio from which a gain is a number of times and not a share.
    private static final double TIMES = 2;

    private GainText() {}

    /// `at least 52 % more requests/s: 115 -> 175/s, mean 43.4 -> 28.6 ms, at N=5; if its waits stay
    /// as they are`. A bound may turn out to be anything down to nothing: `0 to 58 % more requests/s:
    /// 115 -> up to 181/s`. Empty for a measurement, which gains nothing.
    ///
    /// @param now the round of the operating point; empty where there is none
    public static Optional<String> of(Recommendation r, Optional<Round> now) {
        if (r.isMeasurement()) {
            return Optional.empty();
        }
        if (r.expected().isPresent() && now.isPresent()) {
            return Optional.of(figures(r, r.expected().get(), now.get()));
        }
        return Optional.of(
                r.predictedQpsRatio()
                        .map(q -> r.atMost() || q < NOTHING ? upTo(q) : more(q))
                        .orElse("not predicted: " + r.formula()));
    }

    private static String figures(Recommendation r, Expected e, Round now) {
        String least = r.atMost() ? "down to " : "";
        if (r.isAboutResponseTime()) {
            return String.format(
                    Locale.ROOT,
                    "no more requests/s; mean response time %s%s ms at N=%d",
                    least,
                    Figures.number(e.rtMs()),
                    e.atConcurrency());
        }
        double lo = e.ci95().map(Interval::lo).orElse(e.qps());
        double hi = r.atMost() ? e.qps() : e.ci95().map(Interval::hi).orElse(e.qps());
        if (hi / now.qps() < NOTHING) {
            return line("no more requests/s", false, e.qps(), e, now);
        }
        boolean bound = lo / now.qps() < NOTHING;
        String gain = bound ? upTo(hi / now.qps()) : "at least " + more(lo / now.qps());
        return line(gain, bound, bound ? hi : lo, e, now) + "; " + assumes(r);
    }

    /// @param qps the end of the range that is shown; the response time there by Little's law
    private static String line(String gain, boolean bound, double qps, Expected e, Round now) {
        return String.format(
                Locale.ROOT,
                "%s: %s -> %s%s/s, mean %s -> %s%s ms, at N=%d",
                gain,
                Figures.number(now.qps()),
                bound ? "up to " : "",
                Figures.number(qps),
                Figures.number(now.rtMs().mean()),
                bound ? "down to " : "",
                Figures.number(e.rtMs() * e.qps() / qps),
                e.atConcurrency());
    }

    /// What the range rests on.
    private static String assumes(Recommendation r) {
        return switch (ChangeKind.of(r)) {
            case LESS_CPU -> "if its waits stay as they are";
            case MORE_CORES -> "if locks and memory follow";
            case LESS_LOGGING, LESS_GARBAGE, HEAP -> "if the rest of a request stays as it is";
            case SHORTER_HOLD, MORE_PLACES, SHORTER_WAIT, FASTER_PEER, OTHER ->
                    r.atMost()
                            ? "if nothing else limits first"
                            : "if a request takes as much CPU as now";
        };
    }

    /// `0 to 58 % more requests/s`; of a gain of several times its least is not known.
    private static String upTo(double ratio) {
        if (ratio < NOTHING) {
            return "no more requests/s";
        }
        return ratio < TIMES
                ? "0 to " + more(ratio)
                : "at most " + more(ratio) + ", the least is not known";
    }

    /// `58 % more requests/s`, `3.4 times the requests/s`.
    private static String more(double ratio) {
        return ratio < TIMES
                ? percent(ratio) + " % more requests/s"
                : times(ratio) + " times the requests/s";
    }

    private static String percent(double ratio) {
        return String.format(Locale.ROOT, "%.0f", (ratio - 1) * 100);
    }

    private static String times(double ratio) {
        return Figures.number(Figures.twoDigits(ratio));
    }
}
