package dev.jdyno.capacity;

import dev.jdyno.measure.verdict.CapacityNotes;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.List;
import java.util.Optional;

/// What the rounds say of the service's capacity.
///
/// @param whatIf predictions by F1 and F2; empty when there is no knee to start from
/// @param notes what must be known about them
public record CapacityAnswer(
        KneeFinding finding, List<Demand> demands, List<WhatIf> whatIf, CapacityNotes notes) {
    public CapacityAnswer {
        demands = List.copyOf(demands);
        whatIf = List.copyOf(whatIf);
    }

    public Optional<Knee> knee() {
        return switch (finding) {
            case KneeFinding.Found(Knee knee) -> Optional.of(knee);
            case KneeFinding.NotFound _ -> Optional.empty();
        };
    }
}
