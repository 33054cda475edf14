package dev.jdyno.observe.stacks;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.observe.stacks.Frames.Kind;
import java.util.Optional;

/// The activity of a thread, or what it waits for.
///
/// @param how how the JDK waits; empty when it runs or could run
/// @param place lock, library, or code; for a call without its address
public record ThreadActivity(Cause cause, Optional<Kind> how, Place place) {
    public boolean runs() {
        return how.isEmpty();
    }

    /// The call it waits for, whose address is not in the stack; empty when it does something else.
    public Optional<Place.Peer> call() {
        return place instanceof Place.Peer p && p.addresses().isEmpty()
                ? Optional.of(p)
                : Optional.empty();
    }
}
