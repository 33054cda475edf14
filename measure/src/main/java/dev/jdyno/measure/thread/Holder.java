package dev.jdyno.measure.thread;

import dev.jdyno.measure.text.Sentence;
import java.util.Optional;

/// The thread or activity that holds the resource for which other threads wait.
public sealed interface Holder {
    /// The text of the holder, as it is stored and shown.
    default String text() {
        return PlaceText.of(this);
    }

    /// The text with the class and the methods that it names.
    default Sentence named() {
        return PlaceText.named(this);
    }

    /// Not a thread: an asynchronous client delivers the answers of these calls.
    record AsyncClient() implements Holder {}

    /// A thread.
    ///
    /// @param guess whether the thread was only found in the same code, because dumps do not name
    ///   the holder of a `java.util.concurrent` lock or of a pooled resource
    /// @param doing activity of the thread; empty if it has no request and keeps what it holds
    record SeenThread(boolean guess, Optional<Doing> doing) implements Holder {}

    /// @param place the place without addresses of objects
    /// @param frame the code; empty if the place already names it
    record Doing(Cause cause, Place place, Optional<String> frame) {}

    /// True if the holder is a thread found in `cause`.
    default boolean isIn(Cause cause) {
        return this instanceof SeenThread t
                && t.doing().filter(d -> d.cause() == cause).isPresent();
    }

    /// True if the holder is only probable.
    default boolean isGuess() {
        return this instanceof SeenThread t && t.guess();
    }
}
