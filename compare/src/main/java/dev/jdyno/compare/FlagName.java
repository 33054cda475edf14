package dev.jdyno.compare;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The setting that a JVM flag changes: of two flags with one name the last one counts. All flags
/// that choose a collector have one name, because a JVM does not start with two collectors.
public final class FlagName {
    private static final Pattern COLLECTOR =
            Pattern.compile("-XX:[+-]?Use(?:Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC");

    private static final Pattern NAME =
            Pattern.compile("-XX:[+-]?(\\w+).*|(-X(?:m[xsn]|ss)).*|(-D[^=]+).*|(.*)");

    private FlagName() {}

    /// Returns the name: `ConcGCThreads` for `-XX:ConcGCThreads=2`, `-Xmx` for `-Xmx1g`, the same
    /// name for either sign, `-Da` for `-Da=b`, `collector` for `-XX:+UseG1GC`.
    public static String of(String flag) {
        if (COLLECTOR.matcher(flag).matches()) {
            return "collector";
        }
        Matcher m = NAME.matcher(flag);
        return m.matches()
                ? Stream.of(1, 2, 3, 4)
                        .map(m::group)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(flag)
                : flag;
    }
}
