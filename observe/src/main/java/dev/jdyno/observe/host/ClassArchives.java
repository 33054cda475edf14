package dev.jdyno.observe.host;

import dev.jdyno.target.ProcFs;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Class archives (CDS, AOT cache) of a JVM. A JVM ignores an archive that does not fit its JDK,
/// class path or collector, and reports this only in its log.
public final class ClassArchives {
    private static final Pattern NAMED = Pattern.compile("-XX:(?:AOTCache|SharedArchiveFile)=(.+)");

    /// A JVM that writes an archive does not read it.
    private static final Pattern NOT_READ =
            Pattern.compile("-XX:AOTMode=(?:off|record|create)|-Xshare:(?:off|dump)");

    private ClassArchives() {}

    /// The archives that the flags name and that are not in the memory map; empty if the map cannot
    /// be read.
    ///
    /// @param flags flags of the JVM
    public static List<Path> unmapped(ProcFs proc, long pid, List<String> flags) {
        Optional<String> maps = proc.text(pid, "maps").filter(m -> !m.isEmpty());
        if (maps.isEmpty() || flags.stream().anyMatch(f -> NOT_READ.matcher(f).matches())) {
            return List.of();
        }
        return flags.stream()
                .map(NAMED::matcher)
                .filter(Matcher::matches)
                // a dynamic archive follows its base: base.jsa:app.jsa
                .flatMap(m -> Arrays.stream(m.group(1).split(":")))
                .map(Path::of)
                .filter(f -> !isMapped(maps.get(), f))
                .toList();
    }

    // 7f2c8a600000-7f2c8b9c1000 r--p 00223000 08:01 131 /srv/shop/app.aot
    private static boolean isMapped(String maps, Path file) {
        Path name = file.getFileName();
        return name != null
                && maps.lines()
                        .map(l -> l.endsWith(" (deleted)") ? l.substring(0, l.length() - 10) : l)
                        .anyMatch(l -> l.endsWith("/" + name));
    }
}
