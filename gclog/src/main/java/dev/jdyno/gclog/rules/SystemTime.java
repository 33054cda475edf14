package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Sightings;
import java.util.List;

/// The kernel took longer than the collector.
final class SystemTime implements GcRule {

    /// Minimum share of such pauses in the time of all pauses.
    static final double SHARE = 0.1;

    /// Share up to which a few such pauses are only info. If there is little to collect, the first
    /// touch of fresh memory takes most of the pause time.
    static final double ALL = 1;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Sightings s = a.cpu().systemHeavy();
        return OddPauses.judge(this, a, s, SHARE, evidence -> ruling(a, s, evidence));
    }

    private Ruling ruling(Analysis a, Sightings s, List<Evidence> evidence) {
        return found(
                OddPauses.severity(a, s, ALL),
                GcRule.say(
                        "%d %s more kernel than user time",
                        s.count(), s.count() == 1 ? "pause spent" : "pauses spent"),
                "a collector only touches memory: kernel time is page faults, huge pages being"
                        + " assembled, or swapping",
                evidence,
                List.of(
                        "-XX:+AlwaysPreTouch with -Xms equal to -Xmx, so that pages are not first"
                                + " touched in a pause; transparent huge pages to madvise"),
                "sys well below user in the next log");
    }
}
