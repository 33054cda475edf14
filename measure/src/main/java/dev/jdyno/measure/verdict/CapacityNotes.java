package dev.jdyno.measure.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Notes on knee, demands and what-ifs.
///
/// @param knee why there is no knee, or why the one found is not determinable
/// @param kneeLoads requests in flight to measure as well, so that the rounds show a knee; empty if
///   no lower load would show it
/// @param whatIf why the model predicts nothing
/// @param others how the figures were obtained and what they do not cover, one sentence each
public record CapacityNotes(
        Optional<String> knee,
        List<Integer> kneeLoads,
        Optional<String> whatIf,
        List<String> others) {
    public static final CapacityNotes NONE =
            new CapacityNotes(Optional.empty(), List.of(), Optional.empty(), List.of());

    public CapacityNotes {
        kneeLoads = List.copyOf(kneeLoads);
        others = List.copyOf(others);
    }

    public CapacityNotes withWhatIf(String why) {
        return new CapacityNotes(knee, kneeLoads, Optional.of(why), others);
    }

    /// The same notes with more sentences after the others.
    public CapacityNotes plus(List<String> more) {
        List<String> all = new ArrayList<>(others);
        all.addAll(more);
        return new CapacityNotes(knee, kneeLoads, whatIf, all);
    }
}
