package dev.jdyno.measure.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Notes on knee, demands and what-ifs.
///
/// @param knee why there is no knee, or why the one found is not determinable
/// @param whatIf why the model predicts nothing
/// @param others how the figures were obtained and what they do not cover, one sentence each
public record CapacityNotes(Optional<String> knee, Optional<String> whatIf, List<String> others) {
    public static final CapacityNotes NONE =
            new CapacityNotes(Optional.empty(), Optional.empty(), List.of());

    public CapacityNotes {
        others = List.copyOf(others);
    }

    public CapacityNotes withWhatIf(String why) {
        return new CapacityNotes(knee, Optional.of(why), others);
    }

    /// The same notes with more sentences after the others.
    public CapacityNotes plus(List<String> more) {
        List<String> all = new ArrayList<>(others);
        all.addAll(more);
        return new CapacityNotes(knee, whatIf, all);
    }
}
