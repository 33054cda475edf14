package dev.jdyno.trial;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.target.LockHolder;
import dev.jdyno.target.Target;
import dev.jdyno.target.TargetLock;
import java.util.List;
import java.util.Optional;

/// Ensures that no other jdyno works on the target. `run` and `diagnose` each refuse to start while
/// the other runs, because they would measure each other. Closing this object frees the target.
///
/// @param warnings for the reader of the result: another jdyno works on the target, or it is
///   unknown whether one does
public record ExclusiveTarget(Optional<TargetLock> lock, List<Warning> warnings)
        implements AutoCloseable {
    public ExclusiveTarget {
        warnings = List.copyOf(warnings);
    }

    /// Returns a claim that locks nothing, for runs without a target.
    static ExclusiveTarget withoutTarget() {
        return new ExclusiveTarget(Optional.empty(), List.of());
    }

    /// @param force whether to go on although another jdyno works on the target
    /// @throws UserError if another jdyno works on the target and `force` is false
    public static ExclusiveTarget on(Target target, boolean force) {
        return switch (TargetLock.take(target)) {
            case TargetLock.Outcome.Held(TargetLock lock) ->
                    new ExclusiveTarget(Optional.of(lock), List.of());
            case TargetLock.Outcome.HeldBy(LockHolder other) -> {
                if (!force) {
                    throw UserError.target(
                            "another jdyno works on process " + target.pid(),
                            other.says() + " holds it; two at once would measure each other",
                            "wait until it ends, or add --force to measure beside it");
                }
                yield new ExclusiveTarget(
                        Optional.empty(),
                        List.of(
                                new Warning(
                                        DecidingWarning.BESIDE_ANOTHER.id(),
                                        "measured beside "
                                                + other.says()
                                                + ", which worked on the same target (--force):"
                                                + " both results contain the other's load",
                                        false)));
            }
            case TargetLock.Outcome.NotTried(String why) ->
                    new ExclusiveTarget(
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
