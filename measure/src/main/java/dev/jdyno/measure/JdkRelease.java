package dev.jdyno.measure;

import java.util.Optional;

/// The feature release of a JDK, as JEP 223 counts releases.
public final class JdkRelease {
    /// The first release with virtual threads (JEP 444).
    public static final int VIRTUAL_THREADS = 21;

    /// The first release in which a virtual thread that waits for a monitor releases its carrier
    /// (JEP 491).
    public static final int MONITORS_PIN_NO_CARRIER = 24;

    /// Before JEP 223 the second number was the release: `1.8.0_402` is release 8.
    private static final String BEFORE_JEP_223 = "1";

    private JdkRelease() {}

    /// @param version such as `21.0.8`, `25+36`, `1.8.0_402`
    /// @return 21, 25, 8; empty if the version does not begin with a number
    public static Optional<Integer> of(String version) {
        String[] parts = version.split("[^0-9]", 3);
        String first = parts.length > 1 && parts[0].equals(BEFORE_JEP_223) ? parts[1] : parts[0];
        return first.isEmpty() ? Optional.empty() : Optional.of(Integer.valueOf(first));
    }
}
