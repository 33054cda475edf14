package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.Change;
import dev.jdyno.measure.Prescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Prescriptions in the order in which a rule book would name them.
public final class Cures {
    private final List<Prescription> all = new ArrayList<>();

    /// Something to do in the code.
    public Cures byHand(String id, String says, String change, String how, Gain gain) {
        return byHand(id, says, change, how, gain, List.of(new Change.Code()));
    }

    /// Something to do by hand, in the system or another service.
    public Cures byHand(
            String id, String says, String change, String how, Gain gain, List<Change> changes) {
        return add(id, says, change, how, gain, changes, false);
    }

    /// A flag or a setting: it can be tried without touching the code.
    public Cures setting(
            String id, String says, String change, String how, Gain gain, List<Change> changes) {
        return add(id, says, change, how, gain, changes, true);
    }

    public Cures setting(String id, String says, String change, String how, Gain gain, Change one) {
        return setting(id, says, change, how, gain, List.of(one));
    }

    public Cures add(Prescription cure) {
        all.add(cure);
        return this;
    }

    private Cures add(
            String id,
            String says,
            String change,
            String how,
            Gain gain,
            List<Change> changes,
            boolean tryable) {
        all.add(
                new Prescription(
                        id,
                        says,
                        change,
                        changes,
                        how,
                        gain.qps(),
                        gain.rt(),
                        gain.atMost(),
                        gain.formula(),
                        tryable,
                        Optional.empty()));
        return this;
    }

    public List<Prescription> list() {
        return List.copyOf(all);
    }
}
