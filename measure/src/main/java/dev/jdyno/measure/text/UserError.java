package dev.jdyno.measure.text;

import java.util.List;

/// An error for the user in three sentences: what happened, why, how to fix it. The command line
/// prints them and exits with {@link Kind#exitCode()}; it prints a stack trace only on request.
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The kind of the error, which decides the exit code.
    public enum Kind {
        /// The target or the network failed.
        TARGET(1),
        /// The target answers, but not as expected: other statuses, failed checks.
        ANSWER(1),
        /// Wrong usage or plan.
        USAGE(2),
        /// The run ended, but the result is not valid.
        INVALID(3);

        private final int exitCode;

        Kind(int exitCode) {
            this.exitCode = exitCode;
        }

        public int exitCode() {
            return exitCode;
        }
    }

    private final Kind kind;
    private final String what;
    private final String why;
    private final String fix;

    /// Secrets in the sentences are masked.
    public UserError(Kind kind, String what, String why, String fix) {
        this(kind, List.of(Secrets.text(what), Secrets.text(why), Secrets.text(fix)));
    }

    private UserError(Kind kind, List<String> masked) {
        super(masked.get(0) + ": " + masked.get(1));
        this.kind = kind;
        this.what = masked.get(0);
        this.why = masked.get(1);
        this.fix = masked.get(2);
    }

    /// An error whose sentences are already masked. Only the caller knows which parts may be
    /// secrets. For example, `plan.yaml:3 token: unknown key` looks like a token and its value.
    static UserError ofMasked(Kind kind, String what, String why, String fix) {
        return new UserError(kind, List.of(what, why, fix));
    }

    public static UserError usage(String what, String why, String fix) {
        return new UserError(Kind.USAGE, what, why, fix);
    }

    public static UserError target(String what, String why, String fix) {
        return new UserError(Kind.TARGET, what, why, fix);
    }

    /// Keeps the original failure for `--debug`.
    public UserError causedBy(Throwable cause) {
        initCause(cause);
        return this;
    }

    public Kind kind() {
        return kind;
    }

    public String what() {
        return what;
    }

    public String why() {
        return why;
    }

    public String fix() {
        return fix;
    }
}
