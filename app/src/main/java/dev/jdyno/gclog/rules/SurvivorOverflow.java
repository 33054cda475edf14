package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.Diagnosis.Severity;
import dev.jdyno.gclog.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A survivor space was full after a collection: what else survived went to old at any age (F6).
final class SurvivorOverflow implements Rule {

    /// Share of collections from which it is no accident.
    static final double SHARE = 0.1;

    @Override
    public String id() {
        return "survivor-overflow";
    }

    @Override
    public Finding evaluate(Analysis a, Given given) {
        Analysis.Ages ages = a.ages();
        if (ages.tables() == 0) {
            return notApplicable(
                    "the log has no age tables (-Xlog:gc+age=trace or"
                            + " -XX:+PrintTenuringDistribution)");
        }
        double share = (double) ages.overflowed().count() / ages.tables();
        if (share < SHARE || a.promotedBytes() <= 0) {
            return clear();
        }
        // at the default TargetSurvivorRatio of 50 %
        double survivor = 2 * ages.desiredBytes();
        List<String> advice = new ArrayList<>();
        advice.add(
                String.format(
                        Locale.ROOT,
                        "what requests in flight hold must fit %s: fewer at a time, or release it"
                                + " before a wait (F6, E20)",
                        Rule.bytes(survivor)));
        if (a.collector().hasContiguousGenerations()) {
            advice.add(
                    String.format(
                            Locale.ROOT,
                            "or survivors of twice the size (-XX:SurvivorRatio, now %s each), with as"
                                    + " much more -Xmn",
                            Rule.bytes(survivor)));
        }
        return found(
                Severity.WARNING,
                String.format(
                        Locale.ROOT,
                        "survivor spaces were full in %.0f %% of collections",
                        100 * share),
                "what does not fit goes to old however young it is, and dies there: only an old"
                        + " collection frees it",
                List.of(
                        Rule.evidence(
                                "collections with a full survivor space",
                                share,
                                "",
                                SHARE,
                                ages.overflowed().lines())),
                advice,
                "gc+age in the next log: the ages add up to less than a survivor space");
    }
}
