package dev.jdyno.measure.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Notes on knee, demands and what-ifs.
///
/// @param knee why no knee was found, or why its interval is too wide
/// @param kneeLoads further loads, in requests in flight, that must be measured for the rounds to
///   show a knee; empty if no lower load would show it
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

    /// The same notes with more sentences at the end of `others`.
    public CapacityNotes plus(List<String> more) {
        List<String> all = new ArrayList<>(others);
        all.addAll(more);
        return new CapacityNotes(knee, kneeLoads, whatIf, all);
    }
}
