package dev.jdyno.measure.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What must be known about knee, demands and what-ifs.
///
/// @param knee why there is none, or why the one found is not determinable
/// @param whatIf why the model predicts nothing
/// @param others how the figures were got and what they do not cover, a sentence each
public record CapacityNotes(Optional<String> knee, Optional<String> whatIf, List<String> others) {
    public static final CapacityNotes NONE =
            new CapacityNotes(Optional.empty(), Optional.empty(), List.of());

    public CapacityNotes {
        others = List.copyOf(others);
    }

    public CapacityNotes withWhatIf(String why) {
        return new CapacityNotes(knee, Optional.of(why), others);
    }

    /// The same with more sentences after the others.
    public CapacityNotes plus(List<String> more) {
        List<String> all = new ArrayList<>(others);
        all.addAll(more);
        return new CapacityNotes(knee, whatIf, all);
    }
}
