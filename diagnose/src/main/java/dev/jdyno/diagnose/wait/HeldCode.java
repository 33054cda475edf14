package dev.jdyno.diagnose.wait;

import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The code that runs while a resource is held for which other threads wait.
///
/// @param by the method that takes the resource, and in which the others wait
/// @param in the nearest method called by `by` in which the holder was found
record HeldCode(String by, String in) {
    /// The part of a class name that Spring or Quarkus adds for the proxy of a transaction.
    private static final Pattern PROXY =
            Pattern.compile("(\\$\\$(Spring|Enhancer)[^.]*|_Subclass|_ClientProxy)(?=\\.[^.]+$)");

    /// The code of the holder. Empty if no dump showed the holder in a method other than `by`.
    static Optional<HeldCode> of(ThreadSamples.Busy waits) {
        return waits.place()
                .inFrame()
                .flatMap(by ->
                        called(waits.holderStack(), by)
                                .or(() -> waits.holder().flatMap(HeldCode::code))
                                .filter(in -> !in.equals(by))
                                .map(in -> new HeldCode(by, in)));
    }

    /// Returns the method that `by` calls in the holder's stack.
    private static Optional<String> called(List<SourceLine> stack, String by) {
        for (int i = 1; i < stack.size(); i++) {
            if (stack.get(i).method().equals(by)) {
                return Optional.of(stack.get(i - 1).method());
            }
        }
        return Optional.empty();
    }

    /// Returns the method that takes the resource, without the proxy that is generated around it.
    static Optional<String> taker(ThreadSamples.Busy waits) {
        return waits.place().inFrame().map(by -> PROXY.matcher(by).replaceFirst(""));
    }

    /// Returns the application's method in which a holder was found.
    static Optional<String> code(Holder holder) {
        return holder instanceof Holder.SeenThread(boolean _, Optional<Holder.Doing> doing)
                ? doing.flatMap(d -> d.frame().or(() -> d.place().inFrame()))
                : Optional.empty();
    }
}
