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

    /// No thread holds the resource: an asynchronous client delivers the answers of these calls.
    record AsyncClient() implements Holder {}

    /// A thread.
    ///
    /// @param guess whether the thread was only found in the same code, because dumps do not name
    ///   the holder of a `java.util.concurrent` lock or of a pooled resource
    /// @param doing activity of the thread; empty if it works on no request and keeps the resource
    record SeenThread(boolean guess, Optional<Doing> doing) implements Holder {}

    /// @param place the place without addresses of objects
    /// @param frame the frame of the application; empty if the place already names it
    record Doing(Cause cause, Place place, Optional<String> frame) {}

    /// True if the holder is a thread in the state `cause`.
    default boolean isIn(Cause cause) {
        return this instanceof SeenThread t
                && t.doing().filter(d -> d.cause() == cause).isPresent();
    }

    /// True if the holder is a guess: a thread that was found in the same code.
    default boolean isGuess() {
        return this instanceof SeenThread t && t.guess();
    }
}
