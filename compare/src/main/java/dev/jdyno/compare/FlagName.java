package dev.jdyno.compare;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What a flag of the JVM sets: of two flags of one name the last one counts. A JVM takes one
/// collector and does not start with two, so that all flags of collectors have one name.
public final class FlagName {
    private static final Pattern COLLECTOR =
            Pattern.compile("-XX:[+-]?Use(?:Serial|Parallel|G1|Z|Shenandoah|Epsilon)GC");

    private static final Pattern NAME =
            Pattern.compile("-XX:[+-]?(\\w+).*|(-X(?:m[xsn]|ss)).*|(-D[^=]+).*|(.*)");

    private FlagName() {}

    /// `ConcGCThreads` of `-XX:ConcGCThreads=2`, `-Xmx` of `-Xmx1g`, the same of either sign, `-Da`
    /// of `-Da=b`, `collector` of `-XX:+UseG1GC`.
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
