package dev.jdyno.target;

import dev.jdyno.files.Folder;
import dev.jdyno.files.Handle;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.Stat;
import dev.jdyno.files.Trust;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A folder in the target's `/tmp` through which jdyno and the target exchange files: settings that
/// the target reads; recordings, logs and dumps that it writes. Only this class puts a file there.
///
/// Two kinds of users may interfere. *Any local user* can create names in `/tmp`. So the name is
/// random, the folder must be newly created, and its mode is 0700. *The target's own user* owns the
/// folder, because its JVM writes there, and can put links, FIFOs or other files into it at any
/// time. So all access is by name relative to the folder's handle, no link is followed, and no
/// existing file is written. A file that is read must be a regular file with one name, of the
/// target's user or jdyno's, and not above a maximum size.
///
/// The handle also keeps the folder accessible when the target has ended and its container is gone.
public final class SharedFolder implements AutoCloseable {
    /// The purpose of a folder, which determines how long it is needed.
    public enum Purpose {
        /// Files exchanged in one run; removed with the run.
        RUN,
        /// The profiler's library, which a JVM maps until it ends.
        PROFILER,
        /// Original sizes of pools, until they are restored.
        POOLS;

        String inName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final long ROOT = 0;
    private static final int RANDOM_BITS = 80;
    private static final int TRIES = 10;

    // jdyno-1234t5678-run-4711t8899-2k3j8f0q9w1e5r7t: the tool, the purpose, the target, random
    private static final Pattern NAME =
            Pattern.compile(
                    "jdyno-("
                            + ToolMark.PATTERN
                            + ")-(run|profiler|pools)-("
                            + ToolMark.PATTERN
                            + ")-[0-9a-z]{16}");

    private final Folder tmp;
    private final Folder folder;
    private final String name;
    private final Owner owner;

    /// The target's user, who owns the folder.
    record Owner(long uid, long gid) {
        static Owner of(ProcFs proc, long pid) throws IOException {
            OptionalLong uid = proc.effectiveUid(pid);
            OptionalLong gid = proc.effectiveGid(pid);
            if (uid.isEmpty() || gid.isEmpty()) {
                throw new IOException("its user cannot be read: it has ended");
            }
            return new Owner(uid.getAsLong(), gid.getAsLong());
        }

        /// The users who may have created the files in its folder.
        Set<Long> makers() {
            return Set.copyOf(List.of(uid, Folder.ownUid()));
        }
    }

    private SharedFolder(Folder tmp, Folder folder, String name, Owner owner) {
        this.tmp = tmp;
        this.folder = folder;
        this.name = name;
        this.owner = owner;
    }

    /// The parts of a folder's name.
    ///
    /// @param tool the jdyno process that created it
    /// @param target the process for which it was created, with its id in jdyno's namespace
    public record Label(ToolMark tool, Purpose purpose, ToolMark target) {
        static Optional<Label> parse(String name) {
            Matcher parts = NAME.matcher(name);
            return parts.matches()
                    ? Optional.of(
                            new Label(
                                    ToolMark.parse(parts.group(1)),
                                    Purpose.valueOf(parts.group(2).toUpperCase(Locale.ROOT)),
                                    ToolMark.parse(parts.group(3))))
                    : Optional.empty();
        }
    }

    /// Creates a folder.
    ///
    /// @throws NotTrusted if the target's `/tmp` is a link, belongs to a user who could replace the
    ///   folder, or allows every user to do so
    /// @throws IOException if none can be created there
    public static SharedFolder make(ProcFs proc, long pid, Purpose purpose) throws IOException {
        return make(proc, pid, purpose, new SecureRandom());
    }

    static SharedFolder make(ProcFs proc, long pid, Purpose purpose, RandomGenerator random)
            throws IOException {
        Owner owner = Owner.of(proc, pid);
        Folder tmp = tmp(proc, pid);
        try {
            for (int i = 0; i < TRIES; i++) {
                String name =
                        "jdyno-"
                                + ToolMark.own()
                                + "-"
                                + purpose.inName()
                                + "-"
                                + new ToolMark(pid, proc.startTicks(pid))
                                + "-"
                                + letters(random);
                try {
                    return new SharedFolder(tmp, made(tmp, name, owner), name, owner);
                } catch (FileAlreadyExistsException taken) {
                    // 80 random bits do not collide by accident, but another name costs nothing
                }
            }
            throw new IOException("every name that was tried for a folder of ours is taken");
        } catch (IOException | RuntimeException notMade) {
            tmp.close();
            throw notMade;
        }
    }

    /// Opens an existing folder.
    ///
    /// @return empty if there is none with that name, or it belongs to another user
    public static Optional<SharedFolder> open(ProcFs proc, long pid, String name)
            throws IOException {
        Owner owner = Owner.of(proc, pid);
        Folder tmp = tmp(proc, pid);
        try {
            Optional<Folder> folder =
                    Label.parse(name).isPresent() ? found(tmp, name, owner) : Optional.empty();
            if (folder.isPresent()) {
                return Optional.of(new SharedFolder(tmp, folder.get(), name, owner));
            }
        } catch (IOException | RuntimeException refused) {
            tmp.close();
            throw refused;
        }
        tmp.close();
        return Optional.empty();
    }

    private static Optional<Folder> found(Folder tmp, String name, Owner owner) throws IOException {
        Folder folder;
        try {
            folder = tmp.folder(name);
        } catch (NoSuchFileException | NotTrusted none) {
            return Optional.empty();
        }
        Stat its = folder.stat();
        if (owner.makers().contains(its.uid()) && !its.isWritableByOthers()) {
            return Optional.of(folder);
        }
        folder.close();
        return Optional.empty();
    }

    /// Folders in the target's `/tmp` from jdyno processes that no longer run, the last one first.
    /// They may be for this target or others of its user.
    static List<SharedFolder> left(ProcFs proc, long pid) throws IOException {
        List<String> names;
        try (Folder tmp = tmp(proc, pid)) {
            names =
                    tmp.names().stream()
                            .filter(n ->
                                    Label.parse(n).filter(l -> !l.tool().lives(proc)).isPresent())
                            .toList();
        }
        List<SharedFolder> left = new ArrayList<>();
        for (String name : names) {
            open(proc, pid, name).ifPresent(left::add);
        }
        return left;
    }

    private static Folder made(Folder tmp, String name, Owner owner) throws IOException {
        Folder folder = tmp.make(name);
        try {
            if (owner.uid() != Folder.ownUid()) {
                folder.giveTo(owner.uid(), owner.gid());
            }
            return folder;
        } catch (IOException notOurs) {
            folder.close();
            tmp.removeFolder(name);
            throw new IOException(
                    "it runs as uid "
                            + owner.uid()
                            + " and we as uid "
                            + Folder.ownUid()
                            + ", who may give it no folder",
                    notOurs);
        }
    }

    private static String letters(RandomGenerator random) {
        var letters = new StringBuilder();
        for (int bits = 0; bits < RANDOM_BITS; bits += 5) {
            letters.append(Character.forDigit(random.nextInt(32), 32));
        }
        return letters.toString();
    }

    /// The target's `/tmp`, as an open handle.
    ///
    /// @throws NotTrusted if every user can remove foreign names in it, or its owner is not root,
    ///   the target's user or jdyno's
    static Folder tmp(ProcFs proc, long pid) throws IOException {
        Folder tmp = tmpToRead(proc, pid);
        try {
            check(tmp.stat(), proc, pid);
            return tmp;
        } catch (IOException notTrusted) {
            tmp.close();
            throw notTrusted;
        }
    }

    /// The target's `/tmp`, as an open handle for reading only. It does not matter which users may
    /// write to the folder.
    ///
    /// @throws NotTrusted if it is a link
    static Folder tmpToRead(ProcFs proc, long pid) throws IOException {
        try (Folder root = Folder.open(proc.rootOf(pid))) {
            return root.folder("tmp");
        } catch (NotTrusted link) {
            throw new NotTrusted("/tmp", link.why() + ": it must be a folder of its own");
        }
    }

    private static void check(Stat tmp, ProcFs proc, long pid) throws IOException {
        Set<Long> trusted =
                Set.copyOf(
                        List.of(
                                ROOT,
                                Folder.ownUid(),
                                Owner.of(proc, pid).uid(),
                                proc.rootUidOf(pid)));
        if (!trusted.contains(tmp.uid())) {
            throw new NotTrusted(
                    "/tmp",
                    "belongs to uid "
                            + tmp.uid()
                            + ", who could put another folder in the place of ours; it should be"
                            + " root's: chown root /tmp");
        }
        if (tmp.isWritableByOthers() && !tmp.isSticky()) {
            throw new NotTrusted(
                    "/tmp",
                    "lets every user replace what is in it, for it has no sticky bit: chmod +t"
                            + " /tmp");
        }
    }

    Label label() {
        return Label.parse(name).orElseThrow();
    }

    /// The names of its files, sorted.
    List<String> files() throws IOException {
        return folder.names();
    }

    /// The target's path of a file in it, which need not exist yet.
    public String seenByTarget(String file) {
        return "/tmp/" + name + "/" + file;
    }

    /// The path to this folder, by which the free space of its disk can be read.
    public Path disk() throws IOException {
        return folder.path();
    }

    /// Creates a file that the target may read.
    ///
    /// @throws NotTrusted if the name already exists, even as a link
    public void write(String file, byte[] content) throws IOException {
        try {
            folder.create(file, content, owner.uid(), owner.gid());
        } catch (FileAlreadyExistsException planted) {
            throw new NotTrusted(file, "is there already: uid " + owner.uid() + " put it there");
        }
    }

    /// True if the name exists.
    public boolean exists(String file) throws IOException {
        return folder.stat(file).isPresent();
    }

    /// A file that the target wrote.
    ///
    /// @throws NotTrusted if it is not a regular file of the target's user or jdyno's, has further
    ///   names or is larger
    /// @throws java.nio.file.NoSuchFileException if it does not exist
    public Handle read(String file, long atMostBytes) throws IOException {
        return folder.file(file, Trust.madeBy(owner.makers(), atMostBytes));
    }

    /// Removes a file, if it exists; of a link only the link.
    public void remove(String file) throws IOException {
        folder.remove(file);
    }

    /// Closes the folder's handle without removing it: the target needs the folder for longer.
    public void leave() throws IOException {
        folder.close();
        tmp.close();
    }

    /// Removes the folder with its content.
    ///
    /// @throws IOException if something remains, such as a folder that the target's user created in
    ///   it
    @Override
    public void close() throws IOException {
        try (tmp;
                folder) {
            remove(tmp, folder, name);
        }
    }

    /// Removes the names in a folder and then the folder itself. It removes neither the target of a
    /// link nor a folder in it, because jdyno creates none.
    static void remove(Folder tmp, Folder folder, String name) throws IOException {
        for (String entry : folder.names()) {
            folder.remove(entry);
        }
        tmp.removeFolder(name);
    }
}
