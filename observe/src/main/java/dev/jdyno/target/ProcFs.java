package dev.jdyno.target;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Linux's `/proc`, or a recorded copy of it. A process may end between any two reads; the answer
/// is then empty.
///
/// @param root its mount point
public record ProcFs(Path root) {
    public static final ProcFs SYSTEM = new ProcFs(Path.of("/proc"));

    /// Maximum number of bytes read of a file of `/proc`: the process itself decides how long its
    /// command line, environment and memory map are.
    private static final int MAX_BYTES = 64 << 20;

    public Path of(long pid) {
        return root.resolve(Long.toString(pid));
    }

    public Path of(long pid, String file) {
        return of(pid).resolve(file);
    }

    /// The root folder of the process, as jdyno reaches it. If the process has the same mounts as
    /// jdyno, it is a normal path, which stays valid when the process ends. Otherwise it is a path
    /// through `/proc`.
    public Path rootOf(long pid) {
        Path byProc = of(pid, "root");
        try {
            Path own = Files.readSymbolicLink(byProc);
            boolean sameMounts =
                    Files.readSymbolicLink(of(pid, "ns/mnt"))
                            .equals(Files.readSymbolicLink(root.resolve("self/ns/mnt")));
            return sameMounts && Files.isSameFile(own, byProc) ? own : byProc;
        } catch (IOException notOurs) {
            return byProc;
        }
    }

    /// The network namespace of the process, as a name that other processes in it share; empty when
    /// it cannot be read.
    public Optional<String> networkOf(long pid) {
        return link(of(pid, "ns/net"));
    }

    /// The target of standard output: `pipe:[4711]`, `/dev/pts/0`, `/var/log/shop.log`.
    public Optional<String> standardOutputOf(long pid) {
        return link(of(pid, "fd/1"));
    }

    /// The network namespace of jdyno.
    public Optional<String> ownNetwork() {
        return link(root.resolve("self/ns/net"));
    }

    private static Optional<String> link(Path place) {
        try {
            return Files.isSymbolicLink(place)
                    ? Optional.of(Files.readSymbolicLink(place).toString())
                    : Optional.empty();
        } catch (IOException goneOrNotOurs) {
            return Optional.empty();
        }
    }

    public boolean exists(long pid) {
        return Files.isDirectory(of(pid));
    }

    /// The text of a file below the root; empty when it does not exist or cannot be read.
    public Optional<String> text(String file) {
        return text(root.resolve(file));
    }

    public Optional<String> text(long pid, String file) {
        return text(of(pid, file));
    }

    /// The text of a file that the kernel generates, in `/proc` or a control group; empty when it
    /// does not exist or cannot be read.
    public static Optional<String> text(Path file) {
        try (var in = new FileInputStream(file.toFile())) {
            return Optional.of(new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /// Reads the first bytes of a file with only open, read and close: for small files that are
    /// read by the hundred, such as one per thread.
    ///
    /// @return number of bytes; -1 when the file does not exist or cannot be read
    public static int read(String file, byte[] buffer) {
        try (var in = new FileInputStream(file)) {
            return in.read(buffer);
        } catch (IOException gone) {
            return -1;
        }
    }

    /// The value of `key:` in `/proc/PID/status`.
    public Optional<String> status(long pid, String key) {
        return text(pid, "status").flatMap(t -> afterKey(t, key + ":"));
    }

    /// The text after a key at the start of a line, trimmed. It creates no string for every line,
    /// because some of these files are read each second during the measurement.
    public static Optional<String> afterKey(String text, String key) {
        int at = text.startsWith(key) ? 0 : text.indexOf("\n" + key) + 1;
        if (!text.startsWith(key, at)) {
            return Optional.empty();
        }
        int end = text.indexOf('\n', at);
        return Optional.of(text.substring(at + key.length(), end < 0 ? text.length() : end).trim());
    }

    /// The fields of `/proc/PID/stat` after the name (which may contain blanks and brackets): index
    /// 0 is the state, 1 the parent, 2 the process group and 3 the session. 11 and 12 are user and
    /// system time in ticks, 17 is the number of threads, 19 is the start time.
    public Optional<String[]> stat(long pid) {
        return text(pid, "stat").map(t -> t.substring(t.lastIndexOf(')') + 2).split(" "));
    }

    /// Start time of the process, which distinguishes it from a later one with the same pid; empty
    /// if there is no such process.
    public Optional<String> startTicks(long pid) {
        return stat(pid).map(s -> s[19]);
    }

    /// Start time of the process; empty if it has ended. A process that was not waited for yet (a
    /// zombie) counts as ended.
    public Optional<String> startTicksAlive(long pid) {
        return stat(pid).filter(ProcFs::isAlive).map(s -> s[19]);
    }

    /// False for a zombie. The state is that of the first thread only: while other threads of the
    /// process are left, its files and ports are still open.
    ///
    /// @param stat fields as from {@link #stat}
    static boolean isAlive(String[] stat) {
        return !stat[0].equals("Z") || Integer.parseInt(stat[17]) > 1;
    }

    /// The pid that the process has in its own (innermost) namespace.
    public long innerPid(long pid) {
        return status(pid, "NSpid")
                .map(v -> v.split("\\s+"))
                .map(v -> Long.parseLong(v[v.length - 1]))
                .orElse(pid);
    }

    /// The effective user id of the process.
    public OptionalLong effectiveUid(long pid) {
        return effectiveId(pid, "Uid");
    }

    /// The effective group id of the process.
    public OptionalLong effectiveGid(long pid) {
        return effectiveId(pid, "Gid");
    }

    private OptionalLong effectiveId(long pid, String key) {
        Optional<String> ids = status(pid, key);
        return ids.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(ids.get().split("\\s+")[1]));
    }

    /// The user id of the process's root, in jdyno's namespace: not 0 in a container with its own
    /// user namespace.
    public long rootUidOf(long pid) {
        // 0 100000 65536: first id inside, first id outside, how many
        return text(pid, "uid_map")
                .flatMap(map ->
                        map.lines()
                                .map(line -> line.strip().split("\\s+"))
                                .filter(range -> range.length == 3 && range[0].equals("0"))
                                .map(range -> Long.parseLong(range[1]))
                                .findFirst())
                .orElse(0L);
    }

    /// All process ids.
    public List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        try (var entries = Files.newDirectoryStream(root, "[0-9]*")) {
            for (Path entry : entries) {
                pids.add(Long.parseLong(entry.getFileName().toString()));
            }
        } catch (IOException noProc) {
            return List.of();
        }
        return pids;
    }
}
