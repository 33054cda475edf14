package dev.jdyno.trial;

import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Intervention;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.UserError;
import java.util.Locale;
import java.util.Optional;

/// Checks that an experiment left the target as it was. The figures of the round after the
/// experiment must be like those before it, not like those with the change.
final class Aftermath {
    /// Maximum relative difference between the two plain rounds, before and after the change, for
    /// which they count as rounds of the same service.
    static final double MAX_DRIFT = 0.25;

    /// Position of the round after the experiment, on a logarithmic scale: 0 is the round before
    /// it, 1 the round with the change. From this position on, the change counts as still in place.
    static final double SHARE_OF_THE_WAY = 2.0 / 3;

    private Aftermath() {}

    /// Returns an error if the target behaves as if the change had not been taken back; else empty.
    static Optional<UserError> of(
            Challenge challenge, String change, Round before, Round changed, Round after) {
        if (challenge.change() instanceof Intervention.InFlight) {
            // the experiment changed only the client's load, so there is nothing in the target to
            // take back
            return Optional.empty();
        }
        double first = challenge.figure().of(before);
        double with = challenge.figure().of(changed);
        double last = challenge.figure().of(after);
        if (first <= 0 || with <= 0 || last <= 0) {
            return Optional.empty();
        }
        double drift = 1 - Math.min(first, last) / Math.max(first, last);
        double way = Math.log(last / first) / Math.log(with / first);
        // a round that went further than the change itself has drifted for another reason
        if (drift <= MAX_DRIFT || way < SHARE_OF_THE_WAY || way > 2 - SHARE_OF_THE_WAY) {
            return Optional.empty();
        }
        return Optional.of(
                UserError.target(
                        "the target is not as it was before the experiment",
                        String.format(
                                Locale.ROOT,
                                "%s: %s %s before, %s with it and %s after it was taken back",
                                change,
                                challenge.figure().key(),
                                figure(first),
                                figure(with),
                                figure(last)),
                        "look whether the change is still there, or restart the target"));
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.3g", value);
    }
}
