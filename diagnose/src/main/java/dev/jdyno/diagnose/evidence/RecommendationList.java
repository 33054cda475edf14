package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import dev.jdyno.measure.verdict.SettingValue;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Recommendations in the order in which a rule gives them.
public final class RecommendationList {
    private final List<Recommendation> all = new ArrayList<>();

    /// Adds a change of the code that the sentence describes completely.
    public RecommendationList byHand(ChangeName name, CharSequence says, String how, Gain gain) {
        return byHand(name, says, WrittenChange.NOT, how, gain);
    }

    /// Adds a change of the code.
    public RecommendationList byHand(
            ChangeName name, CharSequence says, WrittenChange written, String how, Gain gain) {
        return byHand(name, says, written, how, gain, List.of(new Change.Code()));
    }

    /// Adds a manual change, of the system or another service, that the sentence describes
    /// completely.
    public RecommendationList byHand(
            ChangeName name, CharSequence says, String how, Gain gain, List<Change> values) {
        return byHand(name, says, WrittenChange.NOT, how, gain, values);
    }

    /// Adds a manual change of the system or another service.
    public RecommendationList byHand(
            ChangeName name,
            CharSequence says,
            WrittenChange written,
            String how,
            Gain gain,
            List<Change> values) {
        return add(new RecommendedChange.ByHand(name, values, written), says, how, gain);
    }

    /// Adds a flag or a setting, written as its values. It can be tried without a change of the
    /// code.
    public RecommendationList setting(
            ChangeName name, CharSequence says, String how, Gain gain, List<Change> values) {
        return setting(name, says, new WrittenChange.AsValues(), how, gain, values);
    }

    public RecommendationList setting(
            ChangeName name, CharSequence says, String how, Gain gain, Change one) {
        return setting(name, says, how, gain, List.of(one));
    }

    /// Adds a flag or a setting. It can be tried without a change of the code.
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

    /// Adds expected figures to the last recommendation. They are for another load than the
    /// reported one.
    public RecommendationList expecting(Expected figures) {
        all.add(all.removeLast().expecting(figures));
        return this;
    }

    /// Adds to the last recommendation the settings that it changes.
    public RecommendationList sets(SettingValue... settings) {
        all.add(all.removeLast().with(List.of(settings)));
        return this;
    }

    public List<Recommendation> list() {
        return List.copyOf(all);
    }
}
