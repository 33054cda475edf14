package dev.jdyno.observe.host;

import java.util.List;
import java.util.Optional;

/// A file system as mounted in a process's namespace, from its `/proc/PID/mountinfo`.
///
/// @param device `major:minor`; major 0 is for file systems without a device of their own
/// @param type type of the file system
/// @param source path of the device, or the name that the file system gives to its source
/// @param upper folder to which an overlay writes, by its path on the host; empty for other file
///   systems
public record Mount(
        String id,
        String device,
        String point,
        String type,
        String source,
        Optional<String> upper) {
    /// Parses a line such as `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw`.
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

    /// Replaces `\040`, which stands for a blank.
    private static String unescaped(String path) {
        return path.replace("\\040", " ");
    }

    boolean holds(String path) {
        return path.equals(point) || path.startsWith(point.endsWith("/") ? point : point + "/");
    }

    /// @param mountinfo content of a process's `mountinfo`
    public static List<Mount> all(Optional<String> mountinfo) {
        return mountinfo.orElse("").lines().flatMap(l -> parse(l).stream()).toList();
    }

    /// The mount that holds a path: the one with the longest mount point. Of equal lengths it is
    /// the last one, because a later mount hides an earlier one.
    public static Optional<Mount> holding(String path, List<Mount> mounts) {
        return mounts.stream()
                .filter(m -> m.holds(path))
                .reduce((a, b) -> b.point().length() >= a.point().length() ? b : a);
    }
}
