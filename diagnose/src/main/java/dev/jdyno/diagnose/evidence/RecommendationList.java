package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Recommendations in the order in which a rule book would name them.
public final class RecommendationList {
    private final List<Recommendation> all = new ArrayList<>();

    /// Something to do in the code, of which the sentence says everything.
    public RecommendationList byHand(ChangeName name, CharSequence says, String how, Gain gain) {
        return byHand(name, says, WrittenChange.NOT, how, gain);
    }

    /// Something to do in the code.
    public RecommendationList byHand(
            ChangeName name, CharSequence says, WrittenChange written, String how, Gain gain) {
        return byHand(name, says, written, how, gain, List.of(new Change.Code()));
    }

    /// Something to do by hand, in the system or another service, of which the sentence says
    /// everything.
    public RecommendationList byHand(
            ChangeName name, CharSequence says, String how, Gain gain, List<Change> values) {
        return byHand(name, says, WrittenChange.NOT, how, gain, values);
    }

    /// Something to do by hand, in the system or another service.
    public RecommendationList byHand(
            ChangeName name,
            CharSequence says,
            WrittenChange written,
            String how,
            Gain gain,
            List<Change> values) {
        return add(new RecommendedChange.ByHand(name, values, written), says, how, gain);
    }

    /// A flag or a setting, written as its values: it can be tried without touching the code.
    public RecommendationList setting(
            ChangeName name, CharSequence says, String how, Gain gain, List<Change> values) {
        return setting(name, says, new WrittenChange.AsValues(), how, gain, values);
    }

    public RecommendationList setting(
            ChangeName name, CharSequence says, String how, Gain gain, Change one) {
        return setting(name, says, how, gain, List.of(one));
    }

    /// A flag or a setting: it can be tried without touching the code.
    public RecommendationList setting(
            ChangeName name,
            CharSequence says,
            WrittenChange written,
            String how,
            Gain gain,
            List<Change> values) {
        return add(new RecommendedChange.Setting(name, values, written), says, how, gain);
    }

    public RecommendationList setting(
            ChangeName name,
            CharSequence says,
            WrittenChange written,
            String how,
            Gain gain,
            Change one) {
        return setting(name, says, written, how, gain, List.of(one));
    }

    public RecommendationList add(Recommendation recommendation) {
        all.add(recommendation);
        return this;
    }

    private RecommendationList add(
            RecommendedChange change, CharSequence says, String how, Gain gain) {
        return add(
                new Recommendation(
                        change,
                        Sentence.of(says),
                        how,
                        gain.qps(),
                        gain.rt(),
                        gain.atMost(),
                        gain.formula(),
                        Optional.empty(),
                        Optional.empty()));
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
