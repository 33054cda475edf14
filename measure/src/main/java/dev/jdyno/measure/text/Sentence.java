package dev.jdyno.measure.text;

import java.util.ArrayList;
import java.util.Formattable;
import java.util.Formatter;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// A sentence with the positions of the classes and methods it names. Each form of a report can
/// shorten these names as its space allows: in full, without the package, or with the line in the
/// source file.
///
/// @param text the sentence with every name in full
/// @param names the classes and methods in it, in their order
public record Sentence(String text, List<Name> names) implements CharSequence {
    /// A class or a method in a text.
    ///
    /// @param name the full name: `com.acme.Page.get`
    /// @param at index in the text at which it begins
    public record Name(String name, int at) {
        private int end() {
            return at + name.length();
        }
    }

    public Sentence {
        names = List.copyOf(names);
        int from = 0;
        for (Name name : names) {
            if (name.at() < from || !text.startsWith(name.name(), name.at())) {
                throw new IllegalArgumentException(name + " is not in: " + text);
            }
            from = name.end();
        }
    }

    /// The same sentence, or a sentence without names for other texts.
    public static Sentence of(CharSequence text) {
        return text instanceof Sentence sentence
                ? sentence
                : new Sentence(text.toString(), List.of());
    }

    /// A sentence that is only the name of a class or a method.
    public static Sentence name(String name) {
        return name.isEmpty() ? of(name) : new Sentence(name, List.of(new Name(name, 0)));
    }

    /// Formats a sentence, as {@link String#format} does. If a value is a sentence, its names
    /// become names of the new sentence.
    public static Sentence format(String format, Object... values) {
        var text = new StringBuilder();
        List<Name> names = new ArrayList<>();
        Object[] shown = values.clone();
        for (int i = 0; i < shown.length; i++) {
            if (shown[i] instanceof Sentence part) {
                shown[i] = part.appendedTo(text, names);
            }
        }
        try (var formatter = new Formatter(text, Locale.ROOT)) {
            formatter.format(format, shown);
        }
        return new Sentence(text.toString(), names);
    }

    private Formattable appendedTo(StringBuilder whole, List<Name> all) {
        return (_, _, _, _) -> {
            names.forEach(n -> all.add(new Name(n.name(), whole.length() + n.at())));
            whole.append(text);
        };
    }

    public static Sentence join(String between, List<? extends CharSequence> parts) {
        return parts.isEmpty()
                ? of("")
                : format("%s" + "%s%s".repeat(parts.size() - 1), separated(between, parts));
    }

    private static Object[] separated(String between, List<? extends CharSequence> parts) {
        List<Object> all = new ArrayList<>();
        for (Iterator<? extends CharSequence> i = parts.iterator(); i.hasNext(); ) {
            all.add(i.next());
            if (i.hasNext()) {
                all.add(between);
            }
        }
        return all.toArray();
    }

    /// This sentence followed by `more`.
    public Sentence and(CharSequence more) {
        return format("%s%s", this, more);
    }

    /// Reads a stored sentence. A name that is no longer at its position in the text is dropped,
    /// because masking a secret may have moved it.
    public static Sentence stored(String text, List<Name> names) {
        List<Name> found = new ArrayList<>();
        int from = 0;
        for (Name name : names) {
            if (name.at() >= from && text.startsWith(name.name(), name.at())) {
                found.add(name);
                from = name.end();
            }
        }
        return new Sentence(text, found);
    }

    /// The text in which `wording` replaces every name.
    public String worded(UnaryOperator<String> wording) {
        var worded = new StringBuilder();
        int done = 0;
        for (Name name : names) {
            worded.append(text, done, name.at()).append(wording.apply(name.name()));
            done = name.end();
        }
        return worded.append(text, done, text.length()).toString();
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    /// The text with every name in full.
    @Override
    public String toString() {
        return text;
    }
}
