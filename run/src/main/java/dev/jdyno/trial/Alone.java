package dev.jdyno.trial;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.target.LockHolder;
import dev.jdyno.target.Target;
import dev.jdyno.target.TargetLock;
import java.util.List;
import java.util.Optional;

/// That no other jdyno works on the target: `run` and `diagnose` each refuse beside the other, for
/// they would measure each other. Closing it lets the next one in.
///
/// @param warnings what the reader of the result must know where that is not so, or not known
public record Alone(Optional<TargetLock> lock, List<Warning> warnings) implements AutoCloseable {
    public Alone {
        warnings = List.copyOf(warnings);
    }

    /// Without a target there is nothing to share.
    static Alone withoutTarget() {
        return new Alone(Optional.empty(), List.of());
    }

    /// @param force whether to go on beside another one all the same
    /// @throws UserError when another one works on it and `force` is not given
    public static Alone on(Target target, boolean force) {
        return switch (TargetLock.take(target)) {
            case TargetLock.Outcome.Held(TargetLock lock) ->
                    new Alone(Optional.of(lock), List.of());
            case TargetLock.Outcome.HeldBy(LockHolder other) -> {
                if (!force) {
                    throw UserError.target(
                            "another jdyno works on process " + target.pid(),
                            other.says() + " holds it; two at once would measure each other",
                            "wait until it ends, or add --force to measure beside it");
                }
                yield new Alone(
                        Optional.empty(),
                        List.of(
                                new Warning(
                                        "beside-another",
                                        "measured beside "
                                                + other.says()
                                                + ", which worked on the same target (--force):"
                                                + " both results contain the other's load",
                                        false)));
            }
            case TargetLock.Outcome.NotTried(String why) ->
                    new Alone(
                            Optional.empty(),
                            List.of(
                                    new Warning(
                                            "alone-unknown",
                                            "whether another jdyno works on the target is not"
                                                    + " known: "
                                                    + why,
                                            false)));
        };
    }

    @Override
    public void close() {
        lock.ifPresent(TargetLock::close);
    }
}
