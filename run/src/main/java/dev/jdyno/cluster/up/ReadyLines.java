package dev.jdyno.cluster.up;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The two lines that an agent prints when it is ready, such as `its key is SHA256:…` and `agent
/// 127.0.0.1:4711 is ready`. Its starter reads them, in its output or its log.
public final class ReadyLines {
    /// End of the second line. No earlier line has it.
    public static final String READY_END = " is ready";

    private static final String KEY = "its key is ";
    private static final String AGENT = "agent ";

    private static final Pattern BOTH =
            Pattern.compile(
                    "^"
                            + KEY
                            + "(SHA256:[A-Za-z0-9+/]{43})$.*^"
                            + AGENT
                            + "\\S{1,99}"
                            + READY_END
                            + "$",
                    Pattern.MULTILINE | Pattern.DOTALL);

    private ReadyLines() {}

    /// The first line, for an agent with its own key.
    public static String key(String fingerprint) {
        return KEY + fingerprint;
    }

    /// @param address at which the agent listens
    public static String ready(String address) {
        return AGENT + address + READY_END;
    }

    /// The fingerprint that a ready agent has printed; empty if it is not ready.
    ///
    /// @param output of an agent, which is not trusted
    public static Optional<String> fingerprint(String output) {
        Matcher m = BOTH.matcher(output);
        return m.find() ? Optional.of(m.group(1)) : Optional.empty();
    }
}
