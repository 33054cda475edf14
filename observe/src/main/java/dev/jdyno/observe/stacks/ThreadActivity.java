package dev.jdyno.observe.stacks;

import dev.jdyno.measure.Cause;
import dev.jdyno.observe.stacks.Frames.Kind;
import java.util.Optional;

/// What a thread does, or what it waits for.
///
/// @param how how the JDK waits; empty when it runs or could run
/// @param where lock, library, or place in the application
/// @param needsPeer whether `where` is to be completed by host and port
public record ThreadActivity(Cause cause, Optional<Kind> how, String where, boolean needsPeer) {
    public boolean runs() {
        return how.isEmpty();
    }
}
