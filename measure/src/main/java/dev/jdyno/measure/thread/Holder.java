package dev.jdyno.measure.thread;

import dev.jdyno.measure.text.Sentence;
import java.util.Optional;

/// Who has what other threads wait for.
public sealed interface Holder {
    /// The holder as it is stored and shown.
    default String text() {
        return PlaceText.of(this);
    }

    /// The same with the class and the methods that it names.
    default Sentence named() {
        return PlaceText.named(this);
    }

    /// No thread: another one brings the answers of these calls.
    record AsyncClient() implements Holder {}

    /// A thread.
    ///
    /// @param guess whether it was only found in the same code: dumps do not name who holds a
    ///   `java.util.concurrent` lock or something out of a pool
    /// @param doing what it did; empty where it has no request and keeps what it holds
    record SeenThread(boolean guess, Optional<Doing> doing) implements Holder {}

    /// @param place without addresses of objects
    /// @param frame the code, where the place alone does not say it
    record Doing(Cause cause, Place place, Optional<String> frame) {}

    /// Whether it is a thread found in `cause`.
    default boolean isIn(Cause cause) {
        return this instanceof SeenThread t
                && t.doing().filter(d -> d.cause() == cause).isPresent();
    }

    /// Whether it is not more than likely.
    default boolean isGuess() {
        return this instanceof SeenThread t && t.guess();
    }
}
