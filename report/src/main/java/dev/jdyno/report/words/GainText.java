package dev.jdyno.report.words;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.ChangeKind;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// The predicted gain of a change, and the condition for it. The text shows the lower end of the
/// predicted range, or the upper end of a bound.
public final class GainText {
    /// Ratio of the throughputs below which a change has no gain.
    private static final double NOTHING = 1.03;

    /// Ratio from which a gain is given as a factor and not as a percentage.
    private static final double TIMES = 2;

    /// Tolerance of rounding: a ratio of 1.4 may be computed as 1.3999999.
    private static final double ROUNDING = 1e-6;

    /// Ratio of the gain at any load to that at the load of the report from which the latter is
    /// limited by its requests in flight.
    private static final double CAPPED = 1.1;

    /// Share of the machine's cores from which none is free.
    private static final double ALL_CORES = 0.97;

    private GainText() {}

    /// The gain: `at least 52 % more: 115 -> 175/s, mean 43.4 -> 28.6 ms, at N=5, if its waits
    /// stay`. The gain of a bound may be anything down to zero: `0 to 58 % more: 115 -> up to
    /// 181/s`. An assumption comes first: `if the lock is held half as long (assumed): …`. If the
    /// gain is only the assumed factor, no figure is given. Empty for a measurement, which has no
    /// gain.
    ///
    /// @param now the round of the operating point; empty if there is none
    public static Optional<String> of(Recommendation r, Optional<Round> now) {
        if (r.isMeasurement()) {
            return Optional.empty();
        }
        Optional<Assumed> assumed = Assumed.of(r, now);
        String onlyIf = assumed.map(a -> "if " + a.says() + " (assumed): ").orElse("");
        if (assumed.filter(Assumed::repeats).isPresent()) {
            return Optional.of(onlyIf + assumed.get().twice(r, now));
        }
        if (r.expected().isPresent() && now.isPresent()) {
            return Optional.of(onlyIf + figures(r, r.expected().get(), now.get()));
        }
        return Optional.of(
                r.predictedQpsRatio()
                        .map(q -> onlyIf + (r.atMost() || q < NOTHING ? upTo(q) : more(q)))
                        .orElse("not predicted: " + r.formula()));
    }

    /// The gain at the load of the report. For a change that ends a collapse under more load, the
    /// gain at that higher load comes first: `at N=40 7 times: 25 -> 174/s, if it falls no more;
    /// …`.
    public static Optional<String> of(Recommendation r, RunResult result) {
        Optional<Round> now = result.operatingPoint().map(OperatingPoint::round);
        return of(r, now).map(gain -> now.flatMap(n -> fall(r, n, result)).orElse("") + gain);
    }

    private static Optional<String> fall(Recommendation r, Round now, RunResult result) {
        boolean collapses =
                result.verdict().evidence().stream()
                        .anyMatch(line -> line.id().equals(VerdictText.THROUGHPUT_LEFT));
        if (!collapses || r.change().name() != KnownChange.EXECUTOR_OWN) {
            return Optional.empty();
        }
        return result.rounds().stream()
                .filter(x -> x.ratePerS().isEmpty())
                .filter(x -> x.concurrency() > now.concurrency() && x.qps() < now.qps())
                .min(Comparator.comparingDouble(Round::qps))
                .map(x ->
                        String.format(
                                Locale.ROOT,
                                "at N=%d %s times: %s -> %s/s, if it falls no more; ",
                                x.concurrency(),
                                times(now.qps() / x.qps()),
                                Figures.number(x.qps()),
                                Figures.number(now.qps())));
    }

    /// The end of the predicted range that a report shows.
    ///
    /// @param bound true for the upper end, because the lower end is no gain or is not known; false
    ///   for the lower end
    /// @param qps requests/s at that end
    /// @param rtMs mean response time at that throughput, by Little's law
    public record Shown(boolean bound, double qps, double rtMs) {}

    /// The figures that tables show; empty if nothing is predicted.
    ///
    /// @param now the round of the operating point
    public static Optional<Shown> shown(Recommendation r, Round now) {
        return r.expected()
                .map(e -> {
                    double hi = most(r, e);
                    if (r.isAboutResponseTime() || hi / now.qps() < NOTHING) {
                        return new Shown(r.atMost(), e.qps(), e.rtMs());
                    }
                    boolean bound = isBound(e, now);
                    double qps = bound ? hi : least(e);
                    return new Shown(bound, qps, e.rtMs() * e.qps() / qps);
                });
    }

    private static double least(Expected e) {
        return e.ci95().map(Interval::lo).orElse(e.qps());
    }

    private static double most(Recommendation r, Expected e) {
        return r.atMost() ? e.qps() : e.ci95().map(Interval::hi).orElse(e.qps());
    }

    private static boolean isBound(Expected e, Round now) {
        return least(e) / now.qps() < NOTHING;
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
        double lo = least(e);
        double hi = most(r, e);
        if (hi / now.qps() < NOTHING) {
            return line("no more requests/s", "", e.qps(), e, now);
        }
        boolean bound = isBound(e, now);
        return (bound
                        ? line(upTo(hi / now.qps()), "up to ", hi, e, now)
                        : line("at least " + more(down(lo / now.qps())), "", lo, e, now))
                + (isCapped(r, hi / now.qps()) ? " (more in flight may gain more)" : "")
                + ", "
                + (bound ? ceiling(r, hi / now.qps(), now) : Optional.<String>empty())
                        .orElseGet(() -> restsOn(r));
    }

    /// True if the requests in flight at the load of the report are too few for the whole gain.
    private static boolean isCapped(Recommendation r, double ratio) {
        return r.predictedQpsRatio().filter(most -> most > CAPPED * ratio).isPresent();
    }

    /// That the upper end takes all cores of the machine; empty where it does not, or where the
    /// change takes an unknown part of the CPU away.
    private static Optional<String> ceiling(Recommendation r, double ratio, Round now) {
        return now.cpu()
                .filter(c -> ChangeKind.of(r).keepsCpu() && c.machinePct() > 0)
                .filter(c ->
                        (c.processCores() + c.clientCores()) * ratio + c.otherCores()
                                >= ALL_CORES * cores(c))
                .map(c ->
                        String.format(
                                Locale.ROOT,
                                "which would take all %d cores of the machine",
                                cores(c)));
    }

    /// Number of cores of the machine: the cores in use divided by the machine's utilisation.
    private static long cores(CpuUse c) {
        double used = c.processCores() + c.clientCores() + c.otherCores();
        return Math.max(1, Math.round(used / (c.machinePct() / 100)));
    }

    /// If the change needs more requests in flight, both loads are given.
    ///
    /// @param qps the shown end of the range; the response time at this throughput follows by
    ///   Little's law
    private static String line(String gain, String upTo, double qps, Expected e, Round now) {
        String rtMs = Figures.number(e.rtMs() * e.qps() / qps);
        if (e.atConcurrency() != now.concurrency()) {
            return String.format(
                    Locale.ROOT,
                    "%s: %s/s at N=%d -> %s%s/s, mean %s ms, at N=%d",
                    gain,
                    Figures.number(now.qps()),
                    now.concurrency(),
                    upTo,
                    Figures.number(qps),
                    rtMs,
                    e.atConcurrency());
        }
        return String.format(
                Locale.ROOT,
                "%s: %s -> %s%s/s, mean %s -> %s ms, at N=%d",
                gain,
                Figures.number(now.qps()),
                upTo,
                Figures.number(qps),
                Figures.number(now.rtMs().mean()),
                rtMs,
                e.atConcurrency());
    }

    /// The condition under which the predicted range holds.
    private static String restsOn(Recommendation r) {
        return switch (ChangeKind.of(r)) {
            case LESS_CPU -> "if its waits stay";
            case MORE_CORES -> "if locks and memory follow";
            case LESS_LOGGING -> "if the CPU of its lines goes, too";
            case LESS_GARBAGE, HEAP -> "if all else stays";
            case SHORTER_HOLD -> r.atMost() ? "if nothing else limits" : "if all else stays";
            case MORE_PLACES, SHORTER_WAIT, FASTER_PEER, OTHER ->
                    r.atMost() ? "if nothing else limits" : "if CPU per request stays";
        };
    }

    /// `0 to 58 % more`, `at most 3.4 times`: the lower end is unknown.
    private static String upTo(double ratio) {
        if (ratio < NOTHING) {
            return "no more requests/s";
        }
        return ratio < TIMES ? "0 to " + more(ratio) : "at most " + more(ratio);
    }

    /// `58 % more`, `3.4 times`.
    private static String more(double ratio) {
        return ratio < TIMES ? percent(ratio) + " % more" : times(ratio) + " times";
    }

    /// A lower bound, rounded down to the digits that are shown.
    private static double down(double ratio) {
        double shown = ratio < TIMES ? 100 : 10;
        return Math.floor(shown * ratio + ROUNDING) / shown;
    }

    private static String percent(double ratio) {
        return String.format(Locale.ROOT, "%.0f", (ratio - 1) * 100);
    }

    private static String times(double ratio) {
        return Figures.number(Figures.twoDigits(ratio));
    }
}
