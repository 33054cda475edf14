package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Sightings;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Pauses that their CPU times show to be of an odd kind, judged by their share of all pauses'
/// time.
final class OddPauses {
    private OddPauses() {}

    /// Share of all pauses' time from which these explain what users feel.
    private static final double MOST = 0.5;

    /// Pauses from which it is no chance, and not only fresh memory touched for the first time.
    private static final long RECURRING = 3;

    /// Critical when most of the pauses' time is of that kind and a pause is long enough to hurt;
    /// no more than a hint when it was once or twice, cost the run little and no pause is long.
    ///
    /// @param hintShare share of the pauses' time up to which that is so
    static Severity severity(Analysis a, Sightings odd, double hintShare) {
        if (odd.count() < RECURRING
                && odd.totalMs() <= hintShare * a.pauses().total()
                && odd.totalMs() / 10 < GcOverhead.WARNING_PCT * a.spanS()
                && a.pauses().max() < LongPause.WARNING_MS) {
            return Severity.INFO;
        }
        return odd.totalMs() >= MOST * a.pauses().total()
                        && a.pauses().max() >= LongPause.CRITICAL_MS
                ? Severity.CRITICAL
                : Severity.WARNING;
    }

    /// Whether the machine made the pause at this line long, as far as the first sightings tell,
    /// and which diagnosis says so.
    static Optional<String> machine(Analysis a, long line) {
        return isOne(a, a.cpu().starved(), CpuStarved.SHARE, line)
                ? Optional.of("see the diagnosis cpu-starved: the collector waited for a CPU")
                : isOne(a, a.cpu().systemHeavy(), SystemTime.SHARE, line)
                        ? Optional.of("see the diagnosis system-time: the kernel took the time")
                        : Optional.empty();
    }

    private static boolean isOne(Analysis a, Sightings odd, double shareFrom, long line) {
        // only the first sightings have lines
        boolean isMost = line == a.pauses().maxLine() && odd.totalMs() >= MOST * a.pauses().total();
        return odd.any()
                && odd.totalMs() >= shareFrom * a.pauses().total()
                && (isMost || odd.lines().contains(line));
    }

    /// @param shareFrom share of the pauses' time from which they are a finding
    /// @param found the finding, from its evidence
    static Ruling judge(
            GcRule rule,
            Analysis a,
            Sightings odd,
            double shareFrom,
            Function<List<Evidence>, Ruling> found) {
        if (a.cpu().pauses() == 0) {
            return rule.notApplicable("the log has no CPU times");
        }
        if (!odd.any() || odd.totalMs() < shareFrom * a.pauses().total()) {
            return rule.clear();
        }
        return found.apply(
                List.of(
                        GcRule.evidence(
                                "share of pause time",
                                odd.totalMs() / a.pauses().total(),
                                "",
                                shareFrom,
                                odd.lines())));
    }
}
