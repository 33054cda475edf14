package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.Diagnosis.Evidence;
import dev.jdyno.gclog.Finding;
import dev.jdyno.gclog.Sightings;
import java.util.List;
import java.util.function.Function;

/// Pauses that their CPU times show to be of an odd kind, judged by their share of all pauses'
/// time.
final class OddPauses {
    private OddPauses() {}

    /// @param shareFrom share of the pauses' time from which they are a finding
    /// @param found the finding, from its evidence
    static Finding judge(
            Rule rule,
            Analysis a,
            Sightings odd,
            double shareFrom,
            Function<List<Evidence>, Finding> found) {
        if (a.cpu().pauses() == 0) {
            return rule.notApplicable("the log has no CPU times");
        }
        if (!odd.any() || odd.totalMs() < shareFrom * a.pauses().total()) {
            return rule.clear();
        }
        return found.apply(
                List.of(
                        Rule.evidence(
                                "share of pause time",
                                odd.totalMs() / a.pauses().total(),
                                "",
                                shareFrom,
                                odd.lines())));
    }
}
