package dev.jdyno.compare;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What a flag of the JVM sets: of two flags of one name the last one counts.
final class FlagName {
    private static final Pattern NAME =
            Pattern.compile("-XX:[+-]?(\\w+).*|(-X(?:m[xsn]|ss)).*|(-D[^=]+).*|(.*)");

    private FlagName() {}

    /// `ConcGCThreads` of `-XX:ConcGCThreads=2`, `-Xmx` of `-Xmx1g`, `UseG1GC` of either sign,
    /// `-Da` of `-Da=b`.
    static String of(String flag) {
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
