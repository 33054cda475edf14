package dev.jdyno.measure.gc;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import java.util.List;
import java.util.Optional;

/// One thing to do against a fault of the collector, as values and in words: the same in `run`,
/// `diagnose` and `gc`.
///
/// @param id of a recommendation's change; empty for advice that only a log's rule has
/// @param change flags as they are typed; empty where no flag does it
/// @param changes the same as values; empty where it is no change
/// @param says what to do, as the begin of a sentence
/// @param why what it rests on, as a clause; may be empty
public record GcAdvice(String id, String change, List<Change> changes, String says, String why) {
    public GcAdvice {
        changes = List.copyOf(changes);
    }

    /// What a user does in the code or in another program.
    static GcAdvice byHand(KnownChange name, String says, String why) {
        return of(name, "", List.of(new Change.Code()), says, why);
    }

    /// Advice of one rule, in words alone.
    public static GcAdvice words(String says) {
        return new GcAdvice("", "", List.of(), says, "");
    }

    static GcAdvice of(
            KnownChange name, String change, List<Change> changes, String says, String why) {
        return new GcAdvice(name.id(), change, changes, says, why);
    }

    static GcAdvice flag(KnownChange name, Change.JvmFlag flag, String says, String why) {
        return of(name, flag.argument(), List.of(flag), says, why);
    }

    /// The same with more of what it rests on.
    public GcAdvice because(String more) {
        return new GcAdvice(id, change, changes, says, why.isEmpty() ? more : why + "; " + more);
    }

    /// True if a trial can show what it gives: a flag that names a thread gives nothing.
    public boolean isSetting() {
        return !change.isEmpty() && !id.equals(KnownChange.LATE_THREAD.id());
    }

    /// What to do and what it rests on, as a sentence without its full stop.
    public String sentence() {
        return why.isEmpty() ? says : says + ": " + why;
    }

    /// One line: the flags, or else what to do, and what it rests on.
    public String line() {
        if (id.isEmpty()) {
            return says;
        }
        return change.isEmpty()
                ? Character.toLowerCase(says.charAt(0)) + sentence().substring(1)
                : change + ": " + (why.isEmpty() ? says : why);
    }

    /// Size of the heap that it asks for, in bytes; empty where it asks for none.
    public Optional<Double> heapBytes() {
        return id.equals(KnownChange.HEAP_DOUBLE.id())
                ? changes.stream()
                        .flatMap(c ->
                                c instanceof Change.JvmFlag(String name, Optional<String> value)
                                                && name.startsWith("-Xm")
                                        ? value.stream()
                                        : Optional.<String>empty().stream())
                        .map(v -> (double) Bytes.parse(v).value())
                        .findFirst()
                : Optional.empty();
    }
}
