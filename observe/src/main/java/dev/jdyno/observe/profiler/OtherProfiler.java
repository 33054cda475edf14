package dev.jdyno.observe.profiler;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.target.ProcFs;
import java.util.Optional;
import java.util.regex.Pattern;

/// A profiler that another tool has loaded into the target: async-profiler or a profiler that is
/// built from it.
///
/// Two copies of it in one JVM take each other's signals and hooks, and spoil the recording of the
/// first. No JVM can unload the library, so it counts whether it samples now or not: its tool may
/// start it at any time.
public final class OtherProfiler {
    // 7f5c…-7f5c… r-xp 00000000 08:01 1234      /opt/ap/lib/libasyncProfiler.so
    // also libasyncProfiler-3.0-linux-x64.so of ap-loader, libjavaProfiler.so of Datadog's agent,
    // and each after its file was deleted
    private static final Pattern MAPPED =
            Pattern.compile(
                    "(?m)^\\S+ \\S+ \\S+ \\S+ \\S+ +(/.*/lib(?:async|java)Profiler[^/\\n]*\\.so[^/\\n]*)$");

    /// The copy of a jdyno, which {@link ProfilerLibrary} uses again.
    private static final Pattern OURS =
            Pattern.compile("(?:/\\S*)?/tmp/jdyno-\\S+/libasyncProfiler\\.so(?: \\(deleted\\))?");

    private OtherProfiler() {}

    /// The library path of another profiler, as the target sees the path. Empty if no other
    /// profiler is loaded, or the target's memory map cannot be read. The JVM receives no command.
    public static Optional<String> in(ProcFs proc, long pid) {
        return MAPPED.matcher(proc.text(pid, "maps").orElse(""))
                .results()
                .map(mapped -> mapped.group(1))
                .filter(path -> !OURS.matcher(path).matches())
                .findFirst()
                .map(Printable::line);
    }
}
