package dev.jdyno.trial;

import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Intervention;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.UserError;
import java.util.Locale;
import java.util.Optional;

/// Whether an experiment on the target left it as it was: the round after it must be like the one
/// before it, not like the one with the change.
final class Aftermath {
    /// Two plain rounds that differ by more than this are not of the same service.
    static final double DRIFT_MOST = 0.25;

    /// The round after it counts as one with the change when it is this part of the way from the
    /// round before it, in logarithms.
    static final double MOST_OF_THE_WAY = 2.0 / 3;

    private Aftermath() {}

    /// What is said of a target that goes on as if nothing had been taken back.
    static Optional<UserError> of(
            Challenge challenge, String change, Round before, Round changed, Round after) {
        if (challenge.change() instanceof Intervention.InFlight) {
            // the load is the client's: there is nothing in the target to take back
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
        // further than the change itself is a drift of its own
        if (drift <= DRIFT_MOST || way < MOST_OF_THE_WAY || way > 2 - MOST_OF_THE_WAY) {
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
