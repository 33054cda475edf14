package dev.jdyno.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A folder held by a descriptor. What is done in it is done by name relative to that descriptor,
/// and no name that is a symbolic link is ever followed.
///
/// A name is one part of a path: `a/b` and `..` are refused.
public final class Folder implements AutoCloseable {
    /// A folder with more entries than this is not listed to its end.
    public static final int MOST_NAMES = 100_000;

    private static final int HANDLE = Calls.O_PATH | Calls.O_NOFOLLOW;

    private final Descriptor descriptor;
    private final String name;

    private Folder(int fd, String name) {
        this.descriptor = new Descriptor(fd);
        this.name = name;
    }

    /// Opens a folder by a path that no other user can choose; links in it are followed.
    public static Folder open(Path path) throws IOException {
        return new Folder(
                Calls.open(path.toString(), Calls.O_PATH | Calls.O_DIRECTORY), path.toString());
    }

    /// The user that this process acts as.
    public static long ownUid() {
        return Calls.effectiveUid();
    }

    /// How it was called when it was opened.
    public String name() {
        return name;
    }

    public Stat stat() throws IOException {
        return descriptor.stat(name);
    }

    /// What a name in it names, a link itself; empty where there is nothing of that name.
    public Optional<Stat> stat(String entry) throws IOException {
        requireName(entry);
        try {
            return Optional.of(descriptor.use(fd -> Calls.statAt(fd, entry)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /// A path that leads to this very folder while the handle is open: for what takes nothing but
    /// paths, such as the address of a socket in it.
    public Path path() throws IOException {
        return descriptor.path();
    }

    /// A folder in it.
    ///
    /// @throws NotTrusted where the name is a link or no folder
    public Folder folder(String entry) throws IOException {
        requireName(entry);
        int fd = descriptor.use(here -> Calls.openAt(here, entry, HANDLE, 0));
        return requireFolder(new Folder(fd, entry));
    }

    private static Folder requireFolder(Folder found) throws IOException {
        try {
            Stat its = found.stat();
            if (its.kind() != Stat.Kind.FOLDER) {
                throw new NotTrusted(found.name, "is " + its.kind().words() + ", not a folder");
            }
            return found;
        } catch (IOException refused) {
            found.close();
            throw refused;
        }
    }

    /// A new folder in it that only we can use.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException where there is something of that name
    /// @throws NotTrusted where another user has already put another folder in its place
    public Folder make(String entry) throws IOException {
        requireName(entry);
        descriptor.use(here -> {
            Calls.makeFolder(here, entry, 0700);
            return here;
        });
        Folder made = folder(entry);
        try {
            Stat its = made.stat();
            if (its.uid() != ownUid() || its.isWritableByOthers()) {
                throw new NotTrusted(entry, "is not the folder that was just made");
            }
            return made;
        } catch (IOException refused) {
            made.close();
            throw refused;
        }
    }

    /// Gives this folder to another user.
    public void giveTo(long uid, long gid) throws IOException {
        // a descriptor that only names a folder may not change it
        try (Descriptor own =
                new Descriptor(descriptor.use(fd -> Calls.openAt(fd, ".", Calls.O_DIRECTORY, 0)))) {
            own.use(fd -> {
                Calls.giveTo(fd, uid, gid, name);
                return fd;
            });
        }
    }

    /// Another handle of it.
    public Folder again() throws IOException {
        return new Folder(
                descriptor.use(fd -> Calls.openAt(fd, ".", Calls.O_PATH | Calls.O_DIRECTORY, 0)),
                name);
    }

    /// A new file of ours in it that only we can read.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException where there is something of that name, be
    ///   it a link
    public void create(String entry, byte[] content) throws IOException {
        createdFile(entry, content).close();
    }

    /// The same of another user, once its content is written.
    public void create(String entry, byte[] content, long uid, long gid) throws IOException {
        try (Descriptor file = createdFile(entry, content)) {
            file.use(fd -> {
                Calls.giveTo(fd, uid, gid, entry);
                return fd;
            });
        }
    }

    private Descriptor createdFile(String entry, byte[] content) throws IOException {
        requireName(entry);
        int flags = Calls.O_WRONLY | Calls.O_CREAT | Calls.O_EXCL | Calls.O_NOFOLLOW;
        var file = new Descriptor(descriptor.use(here -> Calls.openAt(here, entry, flags, 0600)));
        try (FileChannel out = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                out.write(left);
            }
            return file;
        } catch (IOException notWritten) {
            file.close();
            remove(entry);
            throw notWritten;
        }
    }

    /// A regular file in it that `trust` allows; no link is followed and no FIFO is waited for.
    ///
    /// @throws NotTrusted where it is something else
    /// @throws NoSuchFileException where there is nothing
    public Handle file(String entry, Trust trust) throws IOException {
        requireName(entry);
        return checked(descriptor.use(here -> Calls.openAt(here, entry, HANDLE, 0)), entry, trust);
    }

    private static Handle checked(int fd, String name, Trust trust) throws IOException {
        var found = new Descriptor(fd);
        try {
            trust.check(found.stat(name), name);
            return new Handle(found, name, trust.atMostBytes());
        } catch (IOException refused) {
            found.close();
            throw refused;
        }
    }

    /// A regular file by its path as a process sees it whose root this folder is: links and `..`
    /// lead nowhere else.
    ///
    /// @throws NotTrusted where it is something else
    /// @throws NoSuchFileException where there is nothing
    public Handle fileInRoot(String path, Trust trust) throws IOException {
        return checked(inRoot(path), path, trust);
    }

    /// The same of a folder.
    ///
    /// @throws NotTrusted where it is none
    public Folder folderInRoot(String path) throws IOException {
        return requireFolder(new Folder(inRoot(path), path));
    }

    /// What a path names, links followed; empty where there is nothing.
    public Optional<Stat> statInRoot(String path) throws IOException {
        try (var found = new Descriptor(inRoot(path))) {
            return Optional.of(found.stat(path));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    private int inRoot(String path) throws IOException {
        return descriptor.use(fd -> {
            Optional<Integer> found = Calls.openInRoot(fd, path, Calls.O_PATH);
            return found.isPresent() ? found.get() : new RootWalk(fd).open(path);
        });
    }

    /// The same without the kernel's own call for it.
    int walkInRoot(String path) throws IOException {
        return descriptor.use(fd -> new RootWalk(fd).open(path));
    }

    /// The names in it, sorted, at most {@link #MOST_NAMES}.
    public List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (var entries = Files.newDirectoryStream(path())) {
            for (Path entry : entries) {
                names.add(entry.getFileName().toString());
                if (names.size() == MOST_NAMES) {
                    break;
                }
            }
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        names.sort(Comparator.naturalOrder());
        return names;
    }

    /// Removes a name; of a link the link itself. Nothing happens where there is none.
    ///
    /// @return whether there was one
    public boolean remove(String entry) throws IOException {
        return unlink(entry, false);
    }

    /// Removes an empty folder in it. Nothing happens where there is none.
    public boolean removeFolder(String entry) throws IOException {
        return unlink(entry, true);
    }

    private boolean unlink(String entry, boolean isFolder) throws IOException {
        requireName(entry);
        try {
            descriptor.use(fd -> {
                Calls.unlink(fd, entry, isFolder);
                return fd;
            });
            return true;
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    private static void requireName(String entry) throws NotTrusted {
        if (entry.isEmpty() || entry.equals(".") || entry.equals("..") || entry.contains("/")) {
            throw new NotTrusted(entry, "is not the name of one file");
        }
    }

    @Override
    public void close() throws IOException {
        descriptor.close();
    }
}
