package dev.jdyno.diagnose.wait;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.WaitRule;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;

/// A database is saturated. The service's threads wait for it, or no thread waits although queries
/// are open ({@link CalledByNoThread}).
public final class DatabaseRule implements WaitRule {
    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.DATABASE;
    }

    @Override
    public Cause cause() {
        return Cause.DATABASE;
    }

    @Override
    public String claim() {
        return "The database is the bottleneck";
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Finding seen = WaitRule.super.evaluate(evidence);
        return seen instanceof Finding.Limits
                ? seen
                : CalledByNoThread.of(evidence, claim(), called -> called.database()).orElse(seen);
    }

    @Override
    public List<EvidenceLine> lines(Evidence evidence, Found found) {
        return SiteLines.remote(evidence);
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return RemoteRecommendations.database(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.slowerDownstream();
        experiments.flatAtTwice();
        experiments.enoughCores();
    }
}
