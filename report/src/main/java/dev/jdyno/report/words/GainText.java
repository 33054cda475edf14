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
    /// 181/s`. An assumption comes first: `if half of the work under the lock moves out of it
    /// (assumed): …`. If the gain is only the assumed factor, no figure is given. Empty for a
    /// measurement, which has no gain.
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

    /// The end of a predicted range.
    public enum End {
        /// The lower end is a gain.
        LOWER("at least ", ""),
        /// The lower end is no gain or is not known. For a change of the response time alone: the
        /// figure is a bound.
        UPPER("up to ", "down to "),
        /// The whole range is no gain in requests/s.
        NO_GAIN("", "");

        private final String beforeQps;
        private final String beforeRt;

        End(String beforeQps, String beforeRt) {
            this.beforeQps = beforeQps;
            this.beforeRt = beforeRt;
        }

        /// Text before the requests/s of this end: `at least `, `up to `, or nothing.
        public String beforeQps() {
            return beforeQps;
        }

        /// Text before the response time of this end: `down to `, or nothing.
        public String beforeRt() {
            return beforeRt;
        }
    }

    /// The figures that a report shows of the predicted range.
    ///
    /// @param end the end of the range that is shown
    /// @param qps requests/s at that end
    /// @param rtMs mean response time at that throughput, by Little's law
    public record Shown(End end, double qps, double rtMs) {}

    /// The figures that the first screen and the tables show; empty if nothing is predicted.
    ///
    /// @param now the round of the operating point
    public static Optional<Shown> shown(Recommendation r, Round now) {
        return r.expected().map(e -> shown(r, e, now));
    }

    private static Shown shown(Recommendation r, Expected e, Round now) {
        if (r.isAboutResponseTime()) {
            return new Shown(r.atMost() ? End.UPPER : End.NO_GAIN, e.qps(), e.rtMs());
        }
        double least = e.ci95().map(Interval::lo).orElse(e.qps());
        double most = most(r, e);
        if (most / now.qps() < NOTHING) {
            return new Shown(End.NO_GAIN, e.qps(), e.rtMs());
        }
        End end = least / now.qps() < NOTHING ? End.UPPER : End.LOWER;
        double qps = end == End.UPPER ? most : least;
        return new Shown(end, qps, e.rtMs() * e.qps() / qps);
    }

    private static double most(Recommendation r, Expected e) {
        return r.atMost() ? e.qps() : e.ci95().map(Interval::hi).orElse(e.qps());
    }

    private static String figures(Recommendation r, Expected e, Round now) {
        Shown shown = shown(r, e, now);
        if (r.isAboutResponseTime()) {
            return String.format(
                    Locale.ROOT,
                    "no more requests/s; mean response time %s%s ms at N=%d",
                    shown.end().beforeRt(),
                    Figures.number(shown.rtMs()),
                    e.atConcurrency());
        }
        double ratio = shown.qps() / now.qps();
        double most = most(r, e) / now.qps();
        return switch (shown.end()) {
            case NO_GAIN -> line("no more requests/s", shown, e, now);
            case UPPER ->
                    line(upTo(ratio), shown, e, now)
                            + capped(r, most)
                            + ceiling(r, ratio, now).orElseGet(() -> restsOn(r));
            case LOWER ->
                    line("at least " + more(down(ratio)), shown, e, now)
                            + capped(r, most)
                            + restsOn(r);
        };
    }

    private static String capped(Recommendation r, double ratio) {
        return isCapped(r, ratio) ? " (more in flight may gain more), " : ", ";
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

    /// If the change needs more requests in flight, both loads are given. Only a bound has words
    /// before its figure, because the text of the gain already says "at least".
    private static String line(String gain, Shown shown, Expected e, Round now) {
        String upTo = shown.end() == End.UPPER ? End.UPPER.beforeQps() : "";
        String qps = Figures.number(shown.qps());
        String rtMs = Figures.number(shown.rtMs());
        if (e.atConcurrency() != now.concurrency()) {
            return String.format(
                    Locale.ROOT,
                    "%s: %s/s at N=%d -> %s%s/s, mean %s ms, at N=%d",
                    gain,
                    Figures.number(now.qps()),
                    now.concurrency(),
                    upTo,
                    qps,
                    rtMs,
                    e.atConcurrency());
        }
        return String.format(
                Locale.ROOT,
                "%s: %s -> %s%s/s, mean %s -> %s ms, at N=%d",
                gain,
                Figures.number(now.qps()),
                upTo,
                qps,
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
