package dev.jdyno.report.words;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.Locale;
import java.util.Optional;

/// What a change should give, as a range whose lower bound comes first.
public final class GainText {
    /// Ratio of the throughputs below which a change gains nothing.
    private static final double NOTHING = 1.03;

    /// Ratio from which a gain is a number of times and not a share.
    private static final double TIMES = 2;

    private GainText() {}

    /// `0 to 58 % more requests/s: 115 -> up to 181/s, mean 43.4 -> down to 27.4 ms, at N=5`. A
    /// bound may turn out to be anything down to nothing; another prediction is as sure as the
    /// measurement that it is scaled from. Empty for a measurement, which gains nothing.
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
                        .map(q -> range(r.atMost() ? 1 : q, q))
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
        double ratio = e.qps() / now.qps();
        double lo = r.atMost() ? 1 : e.ci95().map(i -> i.lo() / now.qps()).orElse(ratio);
        double hi = r.atMost() ? ratio : e.ci95().map(i -> i.hi() / now.qps()).orElse(ratio);
        return String.format(
                Locale.ROOT,
                "%s: %s -> %s%s/s, mean %s -> %s%s ms, at N=%d",
                range(Math.max(1, lo), Math.max(1, hi)),
                Figures.number(now.qps()),
                r.atMost() ? "up to " : "",
                Figures.number(e.qps()),
                Figures.number(now.rtMs().mean()),
                least,
                Figures.number(e.rtMs()),
                e.atConcurrency());
    }

    /// `0 to 58 % more requests/s`, `1 to 3.4 times the requests/s`.
    private static String range(double lo, double hi) {
        if (hi < NOTHING) {
            return "no more requests/s";
        }
        return hi < TIMES
                ? span(percent(lo), percent(hi)) + " % more requests/s"
                : span(times(lo), times(hi)) + " times the requests/s";
    }

    private static String span(String lo, String hi) {
        return lo.equals(hi) ? lo : lo + " to " + hi;
    }

    private static String percent(double ratio) {
        return String.format(Locale.ROOT, "%.0f", (ratio - 1) * 100);
    }

    private static String times(double ratio) {
        return Figures.number(Figures.twoDigits(ratio));
    }
}
