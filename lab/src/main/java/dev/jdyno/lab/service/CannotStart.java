package dev.jdyno.lab.service;

/// A service could not start. The message has what happened, why, and the fix.
public final class CannotStart extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CannotStart(String what, String why, String fix) {
        super("%s%nwhy: %s%nfix: %s".formatted(what, why, fix));
    }

    /// Returns the error for an address that could not be bound.
    public static CannotStart listening(String bind, int port, String why) {
        return new CannotStart(
                "cannot listen on %s:%d".formatted(bind, port),
                why,
                "give another --port, or --port 0 for any free one");
    }
}
