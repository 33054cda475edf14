package dev.jdyno.measure;

/// What a user must hear, as three sentences: what happened, why, how to fix it. The command line
/// prints them and exits with {@link Kind#exitCode()}; no stack trace unless asked for.
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Whose fault it is; decides the exit code of the contract.
    public enum Kind {
        /// The target or the network failed.
        TARGET(1),
        /// Wrong usage or plan.
        USAGE(2),
        /// It ran, but the result is not valid.
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

    public UserError(Kind kind, String what, String why, String fix) {
        super(what + ": " + why);
        this.kind = kind;
        this.what = what;
        this.why = why;
        this.fix = fix;
    }

    public static UserError usage(String what, String why, String fix) {
        return new UserError(Kind.USAGE, what, why, fix);
    }

    public static UserError target(String what, String why, String fix) {
        return new UserError(Kind.TARGET, what, why, fix);
    }

    /// Keeps the failure that led here for `--debug`.
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
