package dev.jdyno.diagnose;

import dev.jdyno.measure.Prescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Prescriptions in the order in which a rule book would name them.
final class Cures {
    private final List<Prescription> all = new ArrayList<>();

    /// Something to do in the code, the system or another service.
    Cures byHand(String id, String says, String change, String how, Gain gain) {
        return add(id, says, change, how, gain, false);
    }

    /// A flag or a setting: it can be tried without touching the code.
    Cures setting(String id, String says, String change, String how, Gain gain) {
        return add(id, says, change, how, gain, true);
    }

    Cures add(Prescription cure) {
        all.add(cure);
        return this;
    }

    private Cures add(
            String id, String says, String change, String how, Gain gain, boolean tryable) {
        all.add(
                new Prescription(
                        id,
                        says,
                        change,
                        how,
                        gain.qps(),
                        gain.rt(),
                        gain.atMost(),
                        gain.formula(),
                        tryable,
                        Optional.empty()));
        return this;
    }

    List<Prescription> list() {
        return List.copyOf(all);
    }
}
