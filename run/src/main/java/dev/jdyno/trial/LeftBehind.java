package dev.jdyno.trial;

import dev.jdyno.inside.Inside;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.Leftovers;
import dev.jdyno.target.PoolSizes;
import dev.jdyno.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The remains of an earlier jdyno in the target, which was killed: pools that it had enlarged for
/// a proof, recordings, logs, a profiler. A jdyno that may change the target undoes this before any
/// measurement. A jdyno that only watches reports it.
public final class LeftBehind {
    private LeftBehind() {}

    /// Undoes the changes of an earlier jdyno and ends its remains, for runs that may change the
    /// target.
    ///
    /// @return warnings about it for the reader of the result
    static List<Warning> cleanUp(TrialSetup trialSetup) throws InterruptedException {
        List<Warning> warnings = new ArrayList<>();
        for (String left : trialSetup.inside().map(Inside::leftovers).orElse(List.of())) {
            warnings.add(
                    new Warning(
                            "leftover-ended",
                            "an earlier jdyno was killed and had left something running in the"
                                    + " target: "
                                    + left,
                            false));
        }
        warnings.addAll(restoredPools(trialSetup.target()));
        return warnings;
    }

    /// Warnings about remains that still run in the target, each with the command that ends it.
    public static List<Warning> seen(Target target) throws InterruptedException {
        try {
            return Leftovers.in(target).stream()
                    .map(left ->
                            new Warning(
                                    DecidingWarning.LEFTOVER_RUNNING.id(),
                                    "an earlier jdyno was killed, and under what it left"
                                            + " running all of this was measured: "
                                            + left.what()
                                            + "; end it with: "
                                            + left.end(),
                                    false))
                    .toList();
        } catch (UserError unanswered) {
            return List.of(
                    new Warning(
                            "leftover-unknown",
                            "whether an earlier jdyno left something running is not known: "
                                    + unanswered.why(),
                            false));
        }
    }

    /// Warnings about things that this run could not end, because the target did not answer, each
    /// with the command that ends it. Empty for a launched target, which is ended as a whole.
    static List<Warning> ofThisRun(TrialSetup trialSetup) throws InterruptedException {
        if (trialSetup.inside().filter(Inside::attached).isEmpty()) {
            return List.of();
        }
        return trialSetup.inside().get().takeBack().stream()
                .map(left ->
                        new Warning(
                                DecidingWarning.LEFT_RUNNING.id(),
                                "the target did not answer at the end, and this run left running in"
                                        + " it: "
                                        + left.what()
                                        + "; end it with: "
                                        + left.end(),
                                false))
                .toList();
    }

    private static List<Warning> restoredPools(Optional<Target> target)
            throws InterruptedException {
        List<Warning> warnings = new ArrayList<>();
        if (target.isEmpty()) {
            return warnings;
        }
        try {
            for (String pool : PoolSizes.restoreLeft(target.get())) {
                warnings.add(
                        new Warning(
                                "pool-restored",
                                "an earlier jdyno was killed while it had changed a pool; restored: "
                                        + pool,
                                false));
            }
        } catch (UserError notRestored) {
            warnings.add(
                    new Warning(
                            DecidingWarning.POOL_NOT_RESTORED.id(),
                            notRestored.what()
                                    + ": "
                                    + notRestored.why()
                                    + "; "
                                    + notRestored.fix(),
                            false));
        }
        return warnings;
    }
}
