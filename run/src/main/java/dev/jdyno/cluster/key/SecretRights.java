package dev.jdyno.cluster.key;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Checks which users can read or replace a file with a token or a private key.
///
/// A file for its owner alone (0600, 0400) is accepted. A file that a group may read, too, is
/// accepted in the form in which a container platform mounts a secret. Kubernetes mounts it as
/// 0440, owned by root and by the pod's `fsGroup`, to which the reader belongs, behind two links.
/// Then only root and the reader may be able to change the file, a link or a folder on the way to
/// it.
public final class SecretRights {
    private static final int OWNER = 0700;
    private static final int GROUP_READS = 0040;
    private static final int OTHERS_WRITE = 0022;
    private static final int STICKY = 01000;
    private static final int TYPE = 0170000;
    private static final int FOLDER = 0040000;

    /// Maximum number of links that are followed, as in the kernel. More links count as a loop.
    private static final int MAX_LINKS = 40;

    private SecretRights() {}

    /// The process that reads the file.
    ///
    /// @param uid effective user of the process
    /// @param groups effective and supplementary groups of the process
    public record Reader(int uid, Set<Integer> groups) {
        public Reader {
            groups = Set.copyOf(groups);
        }

        /// Facts of this process.
        public static Reader self() throws IOException {
            return of(Files.readString(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1));
        }

        /// @param status text of `/proc/PID/status`
        public static Reader of(String status) throws IOException {
            Set<Integer> groups =
                    Stream.concat(
                                    Stream.of(words(status, "Gid:")[1]),
                                    Arrays.stream(words(status, "Groups:")))
                            .map(SecretRights::id)
                            .collect(Collectors.toSet());
            return new Reader(id(words(status, "Uid:")[1]), groups);
        }

        private static String[] words(String status, String name) throws IOException {
            String line =
                    status.lines()
                            .filter(l -> l.startsWith(name))
                            .findFirst()
                            .orElseThrow(() -> new IOException("no " + name + " in the status"))
                            .substring(name.length())
                            .strip();
            return line.isEmpty() ? new String[0] : line.split("\\s+", -1);
        }

        private boolean trusts(int owner) {
            return owner == 0 || owner == uid;
        }
    }

    private record Rights(int uid, int gid, int mode) {
        private static Rights of(Path file, LinkOption... how) throws IOException {
            Map<String, Object> all = Files.readAttributes(file, "unix:uid,gid,mode", how);
            return new Rights(number(all, "uid"), number(all, "gid"), number(all, "mode"));
        }

        private static int number(Map<String, Object> all, String name) {
            return (Integer) Objects.requireNonNull(all.get(name), name);
        }

        private boolean is(int type) {
            return (mode & TYPE) == type;
        }

        /// True if others can replace a file here. In a sticky folder they can create files, but
        /// cannot replace any.
        private boolean isReplaceable() {
            return is(FOLDER) && (mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0;
        }
    }

    /// The reason why the file is refused; empty if it is accepted.
    ///
    /// @throws IOException if it cannot be examined
    public static Optional<String> mistake(Path file, Reader reader) throws IOException {
        Rights rights = Rights.of(file);
        int others = rights.mode() & 0777 & ~OWNER;
        if (others == 0) {
            return Optional.empty();
        }
        if (others != GROUP_READS) {
            return Optional.of("other users can read or write it");
        }
        if (rights.uid() != 0) {
            // the owner can remove the group's permission, because the group may have other users
            return Optional.of("its group " + rights.gid() + " can read it, and it is not root's");
        }
        if (!reader.groups().contains(rights.gid())) {
            return Optional.of(
                    "its group " + rights.gid() + " can read it, and this process is not in it");
        }
        return onTheWay(file, reader);
    }

    /// Like `mistake`, but also refuses a file that the reader owns and its group can read.
    ///
    /// @throws IOException if it cannot be examined
    public static Optional<String> mistakeOfMounted(Path file, Reader reader) throws IOException {
        return Rights.of(file).uid() == reader.uid()
                ? Optional.of("other users can read or write it")
                : mistake(file, reader);
    }

    /// Looks on the way to the file for users, other than root and the reader, that can replace it.
    private static Optional<String> onTheWay(Path file, Reader reader) throws IOException {
        Deque<Path> ahead = new ArrayDeque<>();
        Path given = file.toAbsolutePath();
        Path at = given.getRoot();
        given.forEach(ahead::addLast);
        int links = 0;
        Optional<String> mistake = mistakeAt(at, reader);
        while (mistake.isEmpty() && !ahead.isEmpty()) {
            Path name = ahead.removeFirst();
            // the folder above was checked on the way down; the one above the root is the root
            Path next = at.resolve(name).normalize();
            mistake = mistakeAt(next, reader);
            if (!Files.isSymbolicLink(next)) {
                at = next;
                continue;
            }
            links++;
            if (links > MAX_LINKS) {
                return Optional.of("too many links lead to it");
            }
            Path target = Files.readSymbolicLink(next);
            at = target.isAbsolute() ? target.getRoot() : at;
            for (int i = target.getNameCount() - 1; i >= 0; i--) {
                ahead.addFirst(target.getName(i));
            }
        }
        return mistake;
    }

    private static Optional<String> mistakeAt(Path step, Reader reader) throws IOException {
        Rights rights = Rights.of(step, LinkOption.NOFOLLOW_LINKS);
        if (!reader.trusts(rights.uid())) {
            return Optional.of(
                    "its group can read it, and " + step + " belongs to user " + rights.uid());
        }
        return rights.isReplaceable()
                ? Optional.of("its group can read it, and others can write to " + step)
                : Optional.empty();
    }

    private static int id(String number) {
        return Integer.parseUnsignedInt(number);
    }
}
