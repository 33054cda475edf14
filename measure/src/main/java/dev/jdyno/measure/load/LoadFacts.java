package dev.jdyno.measure.load;

import java.util.List;
import java.util.Optional;

/// Facts of the load, besides its rounds.
///
/// @param addresses addresses of the URL's host that received the load; empty if other hosts sent
///   the load, because they resolve the name themselves
/// @param unanswered addresses of the same name that accepted no connection when the load began,
///   and received no load
/// @param timeline the warm-up and the rounds in order. Adjacent stretches under one load are
///   merged if there would be too many points.
/// @param warmUp empty if there was none, and in results of earlier versions
/// @param driver the user's program that sent the load; empty if jdyno sent it
/// @param traceUrl address of a trace in the user's viewer, as in {@link ReplyRules}
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

    /// Facts of a load that jdyno sent.
    public LoadFacts(
            List<String> addresses,
            List<String> unanswered,
            List<LoadPoint> timeline,
            Optional<WarmUpFacts> warmUp) {
        this(addresses, unanswered, timeline, warmUp, Optional.empty(), Optional.empty());
    }

    /// True if the name of the URL's host has several addresses.
    public boolean isOneOfSeveral() {
        return addresses.size() + unanswered.size() > 1;
    }
}
