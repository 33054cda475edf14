package dev.jdyno.inside;

import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Signals;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What the flight recording says of the code that ran in a round.
///
/// @param signals how much of it was not compiled, and of which samples the shares are
/// @param work where the CPU went; empty where the recording has too few samples
public record RunningCode(Signals signals, List<Share> work) {
    public static final RunningCode UNKNOWN = new RunningCode(Signals.NONE, List.of());

    /// @param share of the CPU, 0…1; those of all places add up to 1
    public record Share(Place place, double share) {}

    public RunningCode {
        work = List.copyOf(work);
    }

    /// Shares of the CPU by place.
    public Map<Place, Double> shares() {
        return work.stream().collect(Collectors.toMap(Share::place, Share::share, Double::sum));
    }
}
