package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Sightings;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Judges pauses with unusual CPU times by their share of all pauses' time.
final class OddPauses {
    private OddPauses() {}

    /// Minimum share of all pauses' time for which these pauses explain what users notice.
    private static final double MIN_SHARE = 0.5;

    /// Minimum number of pauses for which this is neither chance nor only fresh memory touched for
    /// the first time.
    private static final long RECURRING = 3;

    /// The severity. It is critical if most of the pauses' time is of this kind and a pause is long
    /// enough to matter. It is info only if it happened once or twice, cost the run little, and no
    /// pause is long.
    ///
    /// @param hintShare maximum share of the pauses' time for info
    static Severity severity(Analysis a, Sightings odd, double hintShare) {
        if (odd.count() < RECURRING
                && odd.totalMs() <= hintShare * a.pauses().total()
                && odd.totalMs() / 10 < GcOverhead.WARNING_PCT * a.spanS()
                && a.pauses().max() < LongPause.WARNING_MS) {
            return Severity.INFO;
        }
        return odd.totalMs() >= MIN_SHARE * a.pauses().total()
                        && a.pauses().max() >= LongPause.CRITICAL_MS
                ? Severity.CRITICAL
                : Severity.WARNING;
    }

    /// The diagnosis that explains the pause at this line by the machine; empty if the pause is not
    /// among the first sightings of such pauses.
    static Optional<String> machine(Analysis a, long line) {
        return isOne(a, a.cpu().starved(), CpuStarved.SHARE, line)
                ? Optional.of("see the diagnosis cpu-starved: the collector waited for a CPU")
                : isOne(a, a.cpu().systemHeavy(), SystemTime.SHARE, line)
                        ? Optional.of("see the diagnosis system-time: the kernel took the time")
                        : Optional.empty();
    }

    private static boolean isOne(Analysis a, Sightings odd, double shareFrom, long line) {
        // only the first sightings have lines
        boolean isMost =
                line == a.pauses().maxLine() && odd.totalMs() >= MIN_SHARE * a.pauses().total();
        return odd.any()
                && odd.totalMs() >= shareFrom * a.pauses().total()
                && (isMost || odd.lines().contains(line));
    }

    /// @param shareFrom minimum share of the pauses' time for a finding
    /// @param found makes the finding from its evidence
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
