package dev.jdyno.cluster;

import dev.jdyno.measure.text.Explaining;
import dev.jdyno.measure.text.UserError;
import java.util.Locale;

/// The reason why a process does not do what it was asked: the three sentences of a {@link
/// UserError}.
record Refusal(UserError.Kind kind, String what, String why, String fix) {
    private static final int MAX_TEXT = 4000;

    Refusal {
        what = cut(what);
        why = cut(why);
        fix = cut(fix);
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }

    static Refusal of(Throwable failure) {
        UserError e = Explaining.failure("it did its part of the run", failure);
        return new Refusal(e.kind(), e.what(), e.why(), e.fix());
    }

    /// @param name of the process that refused
    UserError by(String name) {
        return new UserError(
                kind, String.format(Locale.ROOT, "agent %s: %s", name, what), why, fix);
    }
}
