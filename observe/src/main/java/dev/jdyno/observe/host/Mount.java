package dev.jdyno.observe.host;

import java.util.List;
import java.util.Optional;

/// A file system where a process has it, from its `/proc/PID/mountinfo`.
///
/// @param device `major:minor`; 0 is the major of file systems without a device of their own
/// @param type of the file system
/// @param source the device by its path, or what the file system calls it
/// @param upper the folder that an overlay writes to, as the host sees it
public record Mount(
        String id,
        String device,
        String point,
        String type,
        String source,
        Optional<String> upper) {
    /// `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`
    static Optional<Mount> parse(String line) {
        int dash = line.indexOf(" - ");
        String[] f = line.split(" ");
        String[] fs = dash < 0 ? new String[0] : line.substring(dash + 3).split(" ");
        if (f.length < 5 || fs.length < 2) {
            return Optional.empty();
        }
        Optional<String> upper =
                fs.length < 3
                        ? Optional.empty()
                        : List.of(fs[2].split(",")).stream()
                                .filter(o -> o.startsWith("upperdir="))
                                .map(o -> o.substring("upperdir=".length()))
                                .findFirst();
        return Optional.of(new Mount(f[0], f[2], unescaped(f[4]), fs[0], unescaped(fs[1]), upper));
    }

    /// Blanks are written as `\040`.
    private static String unescaped(String path) {
        return path.replace("\\040", " ");
    }

    boolean holds(String path) {
        return path.equals(point) || path.startsWith(point.endsWith("/") ? point : point + "/");
    }

    /// @param mountinfo of a process
    public static List<Mount> all(Optional<String> mountinfo) {
        return mountinfo.orElse("").lines().flatMap(l -> parse(l).stream()).toList();
    }

    /// The last one of equal length: what is mounted over another hides it.
    public static Optional<Mount> holding(String path, List<Mount> mounts) {
        return mounts.stream()
                .filter(m -> m.holds(path))
                .reduce((a, b) -> b.point().length() >= a.point().length() ? b : a);
    }
}
