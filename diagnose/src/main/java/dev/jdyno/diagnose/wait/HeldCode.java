package dev.jdyno.diagnose.wait;

import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Optional;

/// The code in which what others wait for is held.
///
/// @param by the method in which it is taken, where the others wait
/// @param in what that method calls and where the holder was found, as near to it as was seen
record HeldCode(String by, String in) {
    /// Empty where no dump showed the holder in a method of its own.
    static Optional<HeldCode> of(ThreadSamples.Busy waits) {
        return waits.place()
                .inFrame()
                .flatMap(by ->
                        called(waits.holderStack(), by)
                                .or(() -> waits.holder().flatMap(HeldCode::code))
                                .filter(in -> !in.equals(by))
                                .map(in -> new HeldCode(by, in)));
    }

    /// What the method calls in the holder's stack.
    private static Optional<String> called(List<SourceLine> stack, String by) {
        for (int i = 1; i < stack.size(); i++) {
            if (stack.get(i).method().equals(by)) {
                return Optional.of(stack.get(i - 1).method());
            }
        }
        return Optional.empty();
    }

    /// The application's method that a holder was found in.
    static Optional<String> code(Holder holder) {
        return holder instanceof Holder.SeenThread(boolean _, Optional<Holder.Doing> doing)
                ? doing.flatMap(d -> d.frame().or(() -> d.place().inFrame()))
                : Optional.empty();
    }
}
