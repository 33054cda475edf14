package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.WaitRule;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Another service is saturated. The service's threads wait for it, or no thread waits although
/// calls are open ({@link CalledByNoThread}).
public final class DownstreamRule implements WaitRule {
    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.DOWNSTREAM;
    }

    @Override
    public Cause cause() {
        return Cause.DOWNSTREAM;
    }

    @Override
    public String claim() {
        return "A downstream service is the bottleneck";
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Finding seen = WaitRule.super.evaluate(evidence);
        return seen instanceof Finding.Limits
                ? seen
                : CalledByNoThread.of(evidence, claim(), called -> !called.database()).orElse(seen);
    }

    @Override
    public List<EvidenceLine> lines(Evidence evidence, Found found) {
        return SiteLines.remote(evidence);
    }

    /// A limit on the streams of a connection has the same figures as a server that answers that
    /// many calls at a time.
    @Override
    public Optional<Sentence> notRuledOut(Evidence evidence, Function<Bottleneck, Finding> found) {
        return StreamPlaces.of(evidence)
                .map(p ->
                        Sentence.of(
                                say(
                                        "connection-pool is not ruled out: %.0f calls share %.0f"
                                                + " connections, and about %.0f are answered at"
                                                + " a time: this may be the server's limit of"
                                                + " streams",
                                        p.waiting(), Math.max(1, p.connections()), p.served())));
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return RemoteRecommendations.downstream(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.slowerDownstream();
        experiments.flatAtTwice();
        experiments.enoughCores();
    }
}
