package dev.jdyno.measure.load;

import java.util.List;
import java.util.Optional;

/// What is known of the load beside its rounds.
///
/// @param addresses of the URL's host that took the load; empty where other hosts sent it, which
///   look the name up themselves
/// @param unanswered addresses of the same name that accepted no connection when the load began,
///   and got none of it
/// @param timeline the warm-up and the rounds in order; neighbours under one load are one point
///   where there would be too many
/// @param warmUp empty where there was none, and in results of earlier versions
/// @param driver the program of the user's that sent it; empty where the load was ours
/// @param traceUrl address of a trace in the user's viewer, as {@link ReplyRules} has it
public record LoadFacts(
        List<String> addresses,
        List<String> unanswered,
        List<LoadPoint> timeline,
        Optional<WarmUpFacts> warmUp,
        Optional<DriverFacts> driver,
        Optional<String> traceUrl) {
    public LoadFacts {
        addresses = List.copyOf(addresses);
        unanswered = List.copyOf(unanswered);
        timeline = List.copyOf(timeline);
    }

    /// Load of our own.
    public LoadFacts(
            List<String> addresses,
            List<String> unanswered,
            List<LoadPoint> timeline,
            Optional<WarmUpFacts> warmUp) {
        this(addresses, unanswered, timeline, warmUp, Optional.empty(), Optional.empty());
    }

    /// Whether the name has several addresses.
    public boolean isOneOfSeveral() {
        return addresses.size() + unanswered.size() > 1;
    }
}
