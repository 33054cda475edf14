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

/// A folder as an open descriptor. All actions in it use names relative to that descriptor, and a
/// symbolic link is never followed.
///
/// A name is one part of a path: `a/b` and `..` are refused.
public final class Folder implements AutoCloseable {
    /// Maximum number of entries that are listed.
    public static final int MAX_NAMES = 100_000;

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

    /// The effective user of this process.
    public static long ownUid() {
        return Calls.effectiveUid();
    }

    /// The name with which the folder was opened.
    public String name() {
        return name;
    }

    public Stat stat() throws IOException {
        return descriptor.stat(name);
    }

    /// Facts of a name in the folder. For a link, these are facts of the link. Empty if the name
    /// does not exist.
    public Optional<Stat> stat(String entry) throws IOException {
        requireName(entry);
        try {
            return Optional.of(descriptor.use(fd -> Calls.statAt(fd, entry)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /// A path to this folder that is valid while the handle is open. Some code accepts only paths,
    /// such as the address of a socket in the folder.
    public Path path() throws IOException {
        return descriptor.path();
    }

    /// Opens a folder inside this folder.
    ///
    /// @throws NotTrusted if the name is a link or not a folder
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

    /// Creates a folder inside this folder that only this user can access.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if the name already exists
    /// @throws NotTrusted if another user has already replaced the folder by another one
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

    /// Makes another user the owner of this folder.
    public void giveTo(long uid, long gid) throws IOException {
        // a descriptor opened only to identify a folder cannot change it
        try (Descriptor own =
                new Descriptor(descriptor.use(fd -> Calls.openAt(fd, ".", Calls.O_DIRECTORY, 0)))) {
            own.use(fd -> {
                Calls.giveTo(fd, uid, gid, name);
                return fd;
            });
        }
    }

    /// Another handle of the same folder.
    public Folder again() throws IOException {
        return new Folder(
                descriptor.use(fd -> Calls.openAt(fd, ".", Calls.O_PATH | Calls.O_DIRECTORY, 0)),
                name);
    }

    /// Creates a file in this folder that only this user can read.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if the name already exists, even as a link
    public void create(String entry, byte[] content) throws IOException {
        createdFile(entry, content).close();
    }

    /// Creates a file, writes its content, and then makes another user the owner.
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

    /// Opens a regular file in this folder that `trust` allows. No link is followed, and opening
    /// does not wait for a FIFO.
    ///
    /// @throws NotTrusted if it is something else
    /// @throws NoSuchFileException if the name does not exist
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

    /// Opens a regular file by its path, as a process with this root sees the path. Links and `..`
    /// do not lead out of the root.
    ///
    /// @throws NotTrusted if it is something else
    /// @throws NoSuchFileException if the path does not exist
    public Handle fileInRoot(String path, Trust trust) throws IOException {
        return checked(inRoot(path), path, trust);
    }

    /// Opens a folder by its path, as a process with this root sees the path.
    ///
    /// @throws NotTrusted if it is not a folder
    public Folder folderInRoot(String path) throws IOException {
        return requireFolder(new Folder(inRoot(path), path));
    }

    /// Facts of the file with a path, links followed; empty if the path does not exist.
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

    /// Opens a path inside this root without the kernel's call `openat2`.
    int walkInRoot(String path) throws IOException {
        return descriptor.use(fd -> new RootWalk(fd).open(path));
    }

    /// The names in the folder, sorted, at most {@link #MAX_NAMES}.
    public List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (var entries = Files.newDirectoryStream(path())) {
            for (Path entry : entries) {
                names.add(entry.getFileName().toString());
                if (names.size() == MAX_NAMES) {
                    break;
                }
            }
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        names.sort(Comparator.naturalOrder());
        return names;
    }

    /// Removes a name; for a link, only the link. Does nothing if the name does not exist.
    ///
    /// @return true if the name existed
    public boolean remove(String entry) throws IOException {
        return unlink(entry, false);
    }

    /// Removes an empty folder inside this folder. Does nothing if the name does not exist.
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
