package dev.jdyno.target;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

/// Identifies a launched command and all processes that it starts. The mark is a variable in their
/// environment. A process keeps it when it leaves the session, loses its parent or becomes a
/// daemon, and no other process has it. A process started with an empty environment (`env -i`) has
/// none.
///
/// @param id random id of this launch
record LaunchMark(String id) {
    /// Contains the marks of all launches around a process, the innermost last.
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

    /// True if a living process has the mark. Another user's environment cannot be read; such a
    /// process must not be ended by jdyno either.
    boolean isOn(ProcFs proc, long pid) {
        return proc.text(pid, "environ").map(text -> text.contains(id)).orElse(false);
    }
}
