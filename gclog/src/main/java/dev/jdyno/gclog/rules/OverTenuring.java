package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;

/// Survivors are copied repeatedly although very few of them die. The rule is JTune's: an age is
/// useless if at most 4 % of its bytes die in it.
final class OverTenuring implements GcRule {
    /// Minimum share of an age's bytes that survive to the next age for the age to be useless
    /// (JTune: 4 % die).
    static final double LIVE_ON = 0.96;

    /// Minimum number of successive useless ages, up to the last one with bytes. Fewer may be
    /// chance.
    static final int AGES = 3;

    /// Minimum share of an age's bytes in all survivors. Copying less costs almost nothing.
    static final double BYTES_SHARE = 0.01;

    /// Minimum share of the run in young pauses, in percent. Below it, less copying gains nothing.
    static final double PAUSES_PCT = 0.5;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Analysis.Ages ages = a.ages();
        if (ages.tables() < 10 || a.spanS() <= 0) {
            return notApplicable("fewer than 10 age tables (-Xlog:gc+age=trace)");
        }
        double all = ages.meanBytes().stream().mapToDouble(Double::doubleValue).sum();
        int last = ages.meanBytes().size();
        while (last > 0 && ages.meanBytes().get(last - 1) < BYTES_SHARE * all) {
            last--;
        }
        // survival.get(i) is the share of age i + 1 that reaches age i + 2
        int first = last;
        while (first > 1 && ages.survival().get(first - 2) >= LIVE_ON) {
            first--;
        }
        double share = 100 * YoungTooSmall.youngMs(a) / 1000 / a.spanS();
        if (last - first < AGES || share < PAUSES_PCT) {
            return clear();
        }
        double copied = 0;
        for (int age = first; age < last; age++) {
            copied += ages.meanBytes().get(age);
        }
        return found(
                Severity.INFO,
                GcRule.say(
                        "from age %d to %d at least %.0f %% of the survivors live on: copying"
                                + " them each time gains nothing",
                        first, last, 100 * LIVE_ON),
                "copying is most of a young pause (F14), and a pause is part of the RT of every"
                        + " request in flight",
                List.of(
                        GcRule.evidence(
                                "bytes copied in vain, of the mean survivors",
                                all > 0 ? copied / all : 0,
                                "",
                                0),
                        GcRule.evidence(
                                "share of the run in young pauses", share, "%", PAUSES_PCT)),
                List.of(
                        GcRule.say(
                                "-XX:MaxTenuringThreshold=%d (now %d): copies up to %s less in a"
                                        + " young collection; what is promoted earlier stays alive"
                                        + " in any case",
                                first, ages.maxThreshold(), GcRule.bytes(copied))),
                "young pauses get shorter, promotion barely grows: jdyno gc BEFORE AFTER");
    }
}
