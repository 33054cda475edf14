package dev.jdyno.inside;

import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Signals;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The code that ran in a round, according to the flight recording.
///
/// @param signals share of that code that ran uncompiled, and which samples the shares refer to
/// @param work where the CPU time went; empty if the recording has too few samples
public record RunningCode(Signals signals, List<Share> work) {
    public static final RunningCode UNKNOWN = new RunningCode(Signals.NONE, List.of());

    /// @param share part of the CPU time, 0…1; the shares of all places add up to 1
    public record Share(Place place, double share) {}

    public RunningCode {
        work = List.copyOf(work);
    }

    /// Share of the CPU time that each place in the code used.
    public Map<Place, Double> shares() {
        return work.stream().collect(Collectors.toMap(Share::place, Share::share, Double::sum));
    }
}
