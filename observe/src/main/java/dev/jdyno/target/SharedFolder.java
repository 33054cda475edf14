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

/// A folder in the target's `/tmp` through which we and the target hand files to each other:
/// settings that it reads, recordings, logs and dumps that it writes. The only class that puts a
/// file there.
///
/// Two users may interfere. *Any local user* can create names in `/tmp`: so the name is random, the
/// folder is made where nothing of that name is, and its mode is 0700. *The target's own user* owns
/// the folder, for its JVM writes there, and can put links, FIFOs or other files into it at any
/// time: so everything is done by name relative to the folder's handle, no link is followed,
/// nothing is written to a file that exists already, and what is read must be a regular file with
/// one name, of the target's user or ours, not above a size.
///
/// The handle also keeps the folder within reach when the target has ended and its container is
/// gone.
public final class SharedFolder implements AutoCloseable {
    /// What a folder is for, which says how long it is needed.
    public enum Purpose {
        /// What one run exchanges; gone with the run.
        RUN,
        /// The profiler's library, which a JVM maps until it ends.
        PROFILER,
        /// Sizes of pools as they were, until they are restored.
        POOLS;

        String inName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final long ROOT = 0;
    private static final int RANDOM_BITS = 80;
    private static final int TRIES = 10;

    // jdyno-1234t5678-run-4711t8899-2k3j8f0q9w1e5r7t: the tool, what for, the target, random
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

    /// The target's user, to whom the folder belongs.
    record Owner(long uid, long gid) {
        static Owner of(ProcFs proc, long pid) throws IOException {
            OptionalLong uid = proc.effectiveUid(pid);
            OptionalLong gid = proc.effectiveGid(pid);
            if (uid.isEmpty() || gid.isEmpty()) {
                throw new IOException("its user cannot be read: it has ended");
            }
            return new Owner(uid.getAsLong(), gid.getAsLong());
        }

        /// Those who may have made what lies in its folder.
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

    /// What the name of a folder says.
    ///
    /// @param tool the jdyno that made it
    /// @param target the process that it was made for, as we see its id
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

    /// Makes one.
    ///
    /// @throws NotTrusted where the target's `/tmp` is a link, belongs to a user who could replace
    ///   the folder, or lets everybody do so
    /// @throws IOException where none can be made there
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
                    // a guess of 80 bits is no accident, but another name costs nothing
                }
            }
            throw new IOException("every name that was tried for a folder of ours is taken");
        } catch (IOException | RuntimeException notMade) {
            tmp.close();
            throw notMade;
        }
    }

    /// One that is there already.
    ///
    /// @return empty where there is none of that name, or it belongs to another user
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

    /// Those in the target's `/tmp` that jdynos made which live no more, the last one first; for
    /// this target or others of its user.
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

    /// The target's `/tmp`, held by its handle.
    ///
    /// @throws NotTrusted unless only its owner can remove a name of another user there, and that
    ///   owner is root, the target's user or ours
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

    /// The same for what is only read there, whoever may write to it.
    ///
    /// @throws NotTrusted where it is a link
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

    /// The names of what is in it, sorted.
    List<String> files() throws IOException {
        return folder.names();
    }

    /// How the target names a file in it, which may not exist yet.
    public String seenByTarget(String file) {
        return "/tmp/" + name + "/" + file;
    }

    /// A path of the folder for asking how much room its disk has.
    public Path disk() throws IOException {
        return folder.path();
    }

    /// Puts a file there that the target may read.
    ///
    /// @throws NotTrusted where there is something of that name already, be it a link
    public void write(String file, byte[] content) throws IOException {
        try {
            folder.create(file, content, owner.uid(), owner.gid());
        } catch (FileAlreadyExistsException planted) {
            throw new NotTrusted(file, "is there already: uid " + owner.uid() + " put it there");
        }
    }

    /// Whether there is anything of that name.
    public boolean exists(String file) throws IOException {
        return folder.stat(file).isPresent();
    }

    /// A file that the target wrote.
    ///
    /// @throws NotTrusted where it is no regular file of its own or ours, has further names or is
    ///   larger
    /// @throws java.nio.file.NoSuchFileException where there is none
    public Handle read(String file, long atMostBytes) throws IOException {
        return folder.file(file, Trust.madeBy(owner.makers(), atMostBytes));
    }

    /// Removes a file, if there is one; of a link only the link.
    public void remove(String file) throws IOException {
        folder.remove(file);
    }

    /// Lets go of the folder and leaves it where it is: the target needs it for longer than we do.
    public void leave() throws IOException {
        folder.close();
        tmp.close();
    }

    /// Removes the folder with what is in it.
    ///
    /// @throws IOException where something stays, such as a folder that the target's user put there
    @Override
    public void close() throws IOException {
        try (tmp;
                folder) {
            remove(tmp, folder, name);
        }
    }

    /// Removes the names in a folder and then itself; never what a link in it leads to, and no
    /// folder in it: we make none.
    static void remove(Folder tmp, Folder folder, String name) throws IOException {
        for (String entry : folder.names()) {
            folder.remove(entry);
        }
        tmp.removeFolder(name);
    }
}
