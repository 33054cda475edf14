package dev.jdyno.foreign;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/// Reports that untrusted data does not have the expected form.
///
/// The message contains the line and the kind of mistake, and never quotes the data: the user may
/// have given the wrong file, and a line of it may be a secret. {@link #detail()} may quote it, and
/// is for files that the user gave.
public final class Malformed extends IOException {
    private static final long serialVersionUID = 1L;

    private final String kind;
    private final int line;
    private final String detail;

    private Malformed(String kind, int line, String detail) {
        super(line > 0 ? "line " + line + ": " + kind : kind);
        this.kind = kind;
        this.line = line;
        this.detail = detail;
    }

    /// @param kind kind of mistake, without a word of the data
    public static Malformed of(String kind) {
        return new Malformed(kind, 0, kind);
    }

    /// @param line number of the line, from 1
    public static Malformed at(int line, String kind) {
        return new Malformed(kind, line, kind);
    }

    /// @param detail the parser's own words
    static Malformed at(OptionalInt line, String kind, Optional<String> detail, Throwable cause) {
        var malformed = new Malformed(kind, line.orElse(0), detail.orElse(kind));
        malformed.initCause(cause);
        return malformed;
    }

    /// The kind of mistake, without the line.
    public String kind() {
        return kind;
    }

    /// The line of the mistake, from 1; empty when it is unknown.
    public OptionalInt line() {
        return line > 0 ? OptionalInt.of(line) : OptionalInt.empty();
    }

    /// The reason in the words of the parser, which may quote the data. {@link #kind()} is the
    /// reason without data.
    public String detail() {
        return detail;
    }
}
