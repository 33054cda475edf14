package dev.jdyno.trial;

import dev.jdyno.measure.UserError;
import dev.jdyno.measure.Validity.Warning;
import dev.jdyno.target.PoolSizes;
import dev.jdyno.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Pools of the target that an earlier jdyno had enlarged for a proof when it was killed: they get
/// their size back before anything is measured.
final class LeftPools {
    private LeftPools() {}

    /// @return what the reader of the result must know of it
    static List<Warning> restore(Optional<Target> target) throws InterruptedException {
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
                            "pool-not-restored",
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
