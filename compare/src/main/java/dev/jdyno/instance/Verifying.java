package dev.jdyno.instance;

import dev.jdyno.instance.SizeTest.Why;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import java.util.List;
import java.util.Optional;

/// Tests a size on a fresh start of the service.
interface Verifying {
    /// @param flags JVM flags that are added
    /// @param pools values of knobs that set the sizes of pools
    /// @return empty if it was stopped before it was decided
    /// @throws UserError if nothing can be tested here, or the service does not even start at full
    ///   size
    Optional<SizeTest> verify(
            InstanceSize size, Why why, List<String> flags, List<Change.Launch> pools)
            throws InterruptedException;

    /// The reason why no other test can follow the last one, whose result counts all the same;
    /// empty if one can.
    default Optional<UserError> blocked() {
        return Optional.empty();
    }
}
