package dev.jdyno.diagnose.gain;

import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.verdict.MeasuredLoad;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The calibrated model's answer to a change. It includes the machine's cores, so no other ceiling
/// limits it, and it has its own response time of a request that is alone.
public final class ModelAnswer {
    private ModelAnswer() {}

    /// Returns the answer to a recommended change; empty if the model does not know it.
    public static Optional<WhatIf> to(Recommendation r, Situation s) {
        return of(s, change -> change.isMadeBy(r));
    }

    /// Returns the answer to a change by its text; empty if the model does not know it.
    static Optional<WhatIf> to(WrittenChange written, Situation s) {
        return of(s, change -> change.isWrittenAs(written));
    }

    private static Optional<WhatIf> of(Situation s, Predicate<StandardChange> made) {
        return s.whatIf().entrySet().stream()
                .filter(w -> made.test(w.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /// Returns the response time of a request that is alone, after the change; empty without an
    /// answer or a knee.
    public static Optional<Double> aloneMs(Optional<WhatIf> answer, MeasuredLoad now, Situation s) {
        return s.knee().flatMap(knee -> answer.map(w -> w.aloneMs(knee, now)));
    }
}
