package dev.jdyno.tune;

import dev.jdyno.measure.verdict.Change;
import dev.jdyno.tune.Tuned.Ablated;
import java.util.List;
import java.util.Optional;

/// The comparison that proved changes.
///
/// @param from the changes before
/// @param to the changes that it proved, with those before
/// @param measured `from`, and then `to`; empty if the service did not run with exactly `to`
/// @param first whether no other comparison was made before, so that it is no choice among several
/// @param needed for each change that was also taken out: the comparison without it
record Proof(
        List<Change.Launch> from,
        List<Change.Launch> to,
        Optional<Measured> measured,
        boolean first,
        List<Ablated> needed) {
    /// Share of the smallest effect that an interval must exclude, for a comparison to be its own
    /// confirmation.
    private static final double CLEAR = 1.0 / 3;

    Proof {
        from = List.copyOf(from);
        to = List.copyOf(to);
        needed = List.copyOf(needed);
    }

    /// True if the comparison is its own confirmation: it compared the unchanged service, it is no
    /// choice among several, and its interval is clearly above 1.
    boolean confirms(TuneSettings settings) {
        return first
                && from.isEmpty()
                && measured.flatMap(Measured::ci95)
                        .filter(i -> i.lo() >= 1 + CLEAR * settings.minEffect())
                        .isPresent();
    }
}
