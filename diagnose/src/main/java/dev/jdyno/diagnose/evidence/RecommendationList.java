package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Recommendations in the order in which a rule book would name them.
public final class RecommendationList {
    private final List<Recommendation> all = new ArrayList<>();

    /// Something to do in the code.
    public RecommendationList byHand(
            String id, CharSequence says, String change, String how, Gain gain) {
        return byHand(id, says, change, how, gain, List.of(new Change.Code()));
    }

    /// Something to do by hand, in the system or another service.
    public RecommendationList byHand(
            String id,
            CharSequence says,
            String change,
            String how,
            Gain gain,
            List<Change> changes) {
        return add(id, says, change, how, gain, changes, false);
    }

    /// A flag or a setting: it can be tried without touching the code.
    public RecommendationList setting(
            String id,
            CharSequence says,
            String change,
            String how,
            Gain gain,
            List<Change> changes) {
        return add(id, says, change, how, gain, changes, true);
    }

    public RecommendationList setting(
            String id, CharSequence says, String change, String how, Gain gain, Change one) {
        return setting(id, says, change, how, gain, List.of(one));
    }

    public RecommendationList add(Recommendation recommendation) {
        all.add(recommendation);
        return this;
    }

    private RecommendationList add(
            String id,
            CharSequence says,
            String change,
            String how,
            Gain gain,
            List<Change> changes,
            boolean tryable) {
        all.add(
                new Recommendation(
                        id,
                        Sentence.of(says),
                        change,
                        changes,
                        how,
                        gain.qps(),
                        gain.rt(),
                        gain.atMost(),
                        gain.formula(),
                        tryable,
                        Optional.empty(),
                        Optional.empty()));
        return this;
    }

    /// With what the last one should give in figures, for another load than the reported one.
    public RecommendationList expecting(Expected figures) {
        all.add(all.removeLast().expecting(figures));
        return this;
    }

    public List<Recommendation> list() {
        return List.copyOf(all);
    }
}
