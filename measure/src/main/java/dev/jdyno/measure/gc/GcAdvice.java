package dev.jdyno.measure.gc;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import java.util.List;
import java.util.Optional;

/// One piece of advice against a fault of the collector, as values and in words: the same in `run`,
/// `diagnose` and `gc`.
///
/// @param id id of a recommendation's change; empty for advice that only a log's rule has
/// @param change flags as a user types them; empty if no flag makes the change
/// @param changes the change as values; empty if the advice is not a change
/// @param says what to do, as the beginning of a sentence
/// @param why the basis of the advice, as a clause; may be empty
public record GcAdvice(String id, String change, List<Change> changes, String says, String why) {
    public GcAdvice {
        changes = List.copyOf(changes);
    }

    /// A change that a user makes in the code or in another program.
    static GcAdvice byHand(KnownChange name, String says, String why) {
        return of(name, "", List.of(new Change.Code()), says, why);
    }

    /// Advice of one rule, in words only.
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

    /// The same advice with more reasons.
    public GcAdvice because(String more) {
        return new GcAdvice(id, change, changes, says, why.isEmpty() ? more : why + "; " + more);
    }

    /// True if a trial can show the effect of the advice. An example without a measurable effect is
    /// a flag that makes the JVM name a thread.
    public boolean isSetting() {
        return !change.isEmpty() && !id.equals(KnownChange.LATE_THREAD.id());
    }

    /// The advice and its reason, as a sentence without its full stop.
    public String sentence() {
        return why.isEmpty() ? says : says + ": " + why;
    }

    /// The advice in one line: the flags, or else the action, and the reason.
    public String line() {
        if (id.isEmpty()) {
            return says;
        }
        return change.isEmpty()
                ? Character.toLowerCase(says.charAt(0)) + sentence().substring(1)
                : change + ": " + (why.isEmpty() ? says : why);
    }

    /// Recommended heap size in bytes; empty if the advice contains none.
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
