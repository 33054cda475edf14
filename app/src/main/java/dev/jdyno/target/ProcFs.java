package dev.jdyno.target;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Linux's `/proc`, or a recorded copy of it. A process may end between any two reads: then the
/// answer is empty.
///
/// @param root where it is mounted
public record ProcFs(Path root) {
    public static final ProcFs SYSTEM = new ProcFs(Path.of("/proc"));

    /// As many links as Linux follows on one path.
    private static final int MOST_LINKS = 40;

    public Path of(long pid) {
        return root.resolve(Long.toString(pid));
    }

    public Path of(long pid, String file) {
        return of(pid).resolve(file);
    }

    /// The root folder of the process, as we reach it: by a path of our own where it has the same
    /// mounts as we, which stays good when the process ends; else by way of `/proc`.
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

    /// The network that the process is in, by a name that others in it have, too; empty when that
    /// may not be seen.
    public Optional<String> networkOf(long pid) {
        return link(of(pid, "ns/net"));
    }

    /// The one that we are in.
    public Optional<String> ownNetwork() {
        return link(root.resolve("self/ns/net"));
    }

    /// A path that the process sees, as we reach it: below its own root, or its working folder when
    /// it is relative. The kernel would follow an absolute link on the way from our root; here it
    /// leads from the root of the process.
    public Path seenBy(long pid, String path) {
        if (!path.startsWith("/")) {
            return of(pid, "cwd").resolve(path);
        }
        Path top = rootOf(pid);
        Deque<String> ahead = new ArrayDeque<>(List.of(path.split("/+")));
        Path at = top;
        int links = 0;
        while (!ahead.isEmpty()) {
            String name = ahead.pop();
            if (name.equals("..")) {
                at = at.equals(top) ? top : at.resolve("..").normalize();
            } else if (!name.isEmpty() && !name.equals(".")) {
                Optional<String> link =
                        links < MOST_LINKS ? link(at.resolve(name)) : Optional.empty();
                if (link.isEmpty()) {
                    at = at.resolve(name);
                    continue;
                }
                links++;
                List.of(link.get().split("/+")).reversed().forEach(ahead::push);
                at = link.get().startsWith("/") ? top : at;
            }
        }
        return at;
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

    /// The text of a file below the root; empty when it is gone or may not be read.
    public Optional<String> text(String file) {
        return text(root.resolve(file));
    }

    public Optional<String> text(long pid, String file) {
        return text(of(pid, file));
    }

    /// The text of any small file; empty when it is gone or may not be read.
    public static Optional<String> text(Path file) {
        try {
            return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /// Reads the first bytes of a file with nothing but open, read and close: for small files that
    /// are read by the hundred, such as one for every thread.
    ///
    /// @return how many bytes; -1 when it is gone or may not be read
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

    /// What follows a key at the start of a line, trimmed. Without making a string of every line:
    /// some of these files are read each second beside what is measured.
    public static Optional<String> afterKey(String text, String key) {
        int at = text.startsWith(key) ? 0 : text.indexOf("\n" + key) + 1;
        if (!text.startsWith(key, at)) {
            return Optional.empty();
        }
        int end = text.indexOf('\n', at);
        return Optional.of(text.substring(at + key.length(), end < 0 ? text.length() : end).trim());
    }

    /// The fields of `/proc/PID/stat` after the name (which may hold blanks and brackets): index 0
    /// is the state, 1 the parent, 2 the process group, 3 the session, 11 and 12 user and system
    /// time in ticks, 19 the start time.
    public Optional<String[]> stat(long pid) {
        return text(pid, "stat").map(t -> t.substring(t.lastIndexOf(')') + 2).split(" "));
    }

    /// When the process started, which tells it from another one with its pid later; empty when
    /// there is none.
    public Optional<String> startTicks(long pid) {
        return stat(pid).map(s -> s[19]);
    }

    /// The same of a process that has not ended: one that nobody has waited for yet (a zombie)
    /// counts as ended.
    public Optional<String> startTicksAlive(long pid) {
        return stat(pid).filter(s -> !s[0].equals("Z")).map(s -> s[19]);
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
        Optional<String> uids = status(pid, "Uid");
        return uids.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(uids.get().split("\\s+")[1]));
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
