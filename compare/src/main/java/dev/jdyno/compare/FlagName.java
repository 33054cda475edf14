package dev.jdyno.compare;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The name of the setting that a JVM flag changes. If two flags have one name, the JVM uses the
/// last one. Two spellings of one setting have one name. All flags that choose a collector have one
/// name, because a JVM does not start with two collectors.
public final class FlagName {
    private static final Pattern COLLECTOR =
            Pattern.compile(
                    "-XX:[+-]?Use(?:Serial|Parallel|ConcMarkSweep|G1|Z|Shenandoah|Epsilon)GC");

    private static final Pattern NAME =
            Pattern.compile("-XX:[+-]?(\\w+).*|(-X(?:m[xsn]|ss)).*|(-D[^=]+).*|(.*)");

    /// The name of all flags that choose a collector.
    private static final String OF_COLLECTOR = "collector";

    /// Short spellings of settings, by their long names. `-Xmn` is not among them, because it sets
    /// both `NewSize` and `MaxNewSize`.
    private static final Map<String, String> SHORT =
            Map.of("MaxHeapSize", "-Xmx", "InitialHeapSize", "-Xms", "ThreadStackSize", "-Xss");

    private FlagName() {}

    /// Returns the name: `ConcGCThreads` for `-XX:ConcGCThreads=2`, `-Xmx` for `-Xmx1g` and
    /// `-XX:MaxHeapSize=1g`, the same name for either sign, `-Da` for `-Da=b`, `collector` for
    /// `-XX:+UseG1GC`.
    public static String of(String flag) {
        String name = COLLECTOR.matcher(flag).matches() ? OF_COLLECTOR : spelled(flag);
        return SHORT.getOrDefault(name, name);
    }

    /// True if the JVM would use the collector of this flag: `-XX:+UseG1GC`, not `-XX:-UseG1GC` or
    /// `-XX:+UseMaximumCompactionOnSystemGC`.
    public static boolean choosesCollector(String flag) {
        return flag.startsWith("-XX:+") && COLLECTOR.matcher(flag).matches();
    }

    private static String spelled(String flag) {
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
