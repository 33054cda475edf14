package dev.jdyno.capacity;

import dev.jdyno.measure.verdict.CapacityNotes;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The capacity of the service, from its rounds.
///
/// @param whatIf predictions by the laws of the knee (F1) and of throughput at saturation (F2), in
///   the order of the changes; empty without a knee
/// @param notes limitations of these figures
public record CapacityAnswer(
        KneeFinding finding,
        List<Demand> demands,
        Map<StandardChange, WhatIf> whatIf,
        CapacityNotes notes) {
    public CapacityAnswer {
        demands = List.copyOf(demands);
        Map<StandardChange, WhatIf> inOrder = new EnumMap<>(StandardChange.class);
        inOrder.putAll(whatIf);
        whatIf = Collections.unmodifiableMap(inOrder);
    }

    public Optional<Knee> knee() {
        return switch (finding) {
            case KneeFinding.Found(Knee knee) -> Optional.of(knee);
            case KneeFinding.NotFound _ -> Optional.empty();
        };
    }
}
