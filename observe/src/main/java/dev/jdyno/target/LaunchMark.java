package dev.jdyno.target;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

/// What a launched command and all that it starts have in common: a variable in their environment.
/// A process keeps it when it leaves the session, loses its parent or becomes a daemon, and no
/// other process has it. One that starts with an empty environment (`env -i`) has none.
///
/// @param id drawn for this launch
record LaunchMark(String id) {
    /// Holds the marks of all launches around a process, the innermost last.
    static final String VARIABLE = "JDYNO_LAUNCHED";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 12;

    static LaunchMark draw() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new LaunchMark(HexFormat.of().formatHex(bytes));
    }

    /// @param environment of the process to be started; changed
    void put(Map<String, String> environment) {
        environment.merge(VARIABLE, id, (around, own) -> around + "," + own);
    }

    /// Whether a living process has it. Its environment may be another user's, and is then not to
    /// be read: such a process is not ours to end either.
    boolean isOn(ProcFs proc, long pid) {
        return proc.text(pid, "environ").map(text -> text.contains(id)).orElse(false);
    }
}
