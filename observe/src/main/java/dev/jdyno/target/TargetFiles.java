package dev.jdyno.target;

import dev.jdyno.files.Folder;
import dev.jdyno.files.Handle;
import dev.jdyno.files.Stat;
import dev.jdyno.files.Trust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Files by the paths that a process uses: below its own root, or its working folder if the path is
/// relative. The owner of the process can put anything there. So no link leads out of that root,
/// only regular files are read, and each only up to a limit.
public final class TargetFiles {
    private final Path root;
    private final Path workingFolder;

    private TargetFiles(Path root, Path workingFolder) {
        this.root = root;
        this.workingFolder = workingFolder;
    }

    /// The files of a process. If it has the same mounts as jdyno, they remain accessible when it
    /// has ended.
    public static TargetFiles of(ProcFs proc, long pid) {
        return new TargetFiles(proc.rootOf(pid), workingFolder(proc, pid));
    }

    /// The files below a folder, as a process sees them with this folder as its root and
    /// `workingFolder` as its working folder.
    public static TargetFiles below(Path root, Path workingFolder) {
        return new TargetFiles(root, workingFolder);
    }

    /// The working folder of the process, relative to its own root. The kernel gives the path
    /// relative to jdyno's root. If the process has the same mounts and another root (chroot), that
    /// root is removed from the path.
    private static Path workingFolder(ProcFs proc, long pid) {
        try {
            Path its = Files.readSymbolicLink(proc.of(pid, "cwd"));
            Path top = Files.readSymbolicLink(proc.of(pid, "root"));
            return its.startsWith(top) ? Path.of("/").resolve(top.relativize(its)) : its;
        } catch (IOException gone) {
            return Path.of("/");
        }
    }

    /// The file at a path, with links followed; empty if there is none.
    ///
    /// @throws IOException if there may be one that cannot be accessed
    public Optional<Stat> stat(String path) throws IOException {
        try (Folder top = Folder.open(root)) {
            return top.statInRoot(absolute(path));
        } catch (NoSuchFileException noName) {
            return Optional.empty();
        }
    }

    /// True if there is a regular file, readable or not.
    ///
    /// @throws IOException as {@link #stat}
    public boolean isFile(String path) throws IOException {
        return stat(path).filter(s -> s.kind() == Stat.Kind.FILE).isPresent();
    }

    /// A regular file of any owner.
    ///
    /// @throws dev.jdyno.files.NotTrusted if it is something else or too large
    public Handle open(String path, long atMostBytes) throws IOException {
        try (Folder top = Folder.open(root)) {
            return top.fileInRoot(absolute(path), Trust.anyOwner(atMostBytes));
        }
    }

    /// The whole content of a text file, at most {@link Trust#TEXT_BYTES}.
    ///
    /// @throws dev.jdyno.files.NotTrusted if it is not a regular file or is larger
    public byte[] text(String path) throws IOException {
        try (Handle file = open(path, Trust.TEXT_BYTES)) {
            return file.bytes();
        }
    }

    /// A folder, as an open handle.
    public Folder folder(String path) throws IOException {
        try (Folder top = Folder.open(root)) {
            return top.folderInRoot(absolute(path));
        }
    }

    /// The names in a folder, sorted; empty if there is no such folder.
    ///
    /// @throws IOException if it cannot be listed
    public List<String> names(String path) throws IOException {
        try (Folder listed = folder(path)) {
            return listed.names();
        } catch (NoSuchFileException none) {
            return List.of();
        }
    }

    /// The nearest existing folder on the way to a path, as an open handle.
    public Folder nearestFolder(String path) throws IOException {
        String there = absolute(path);
        while (true) {
            try {
                return folder(there);
            } catch (NoSuchFileException notYet) {
                int slash = there.lastIndexOf('/');
                if (there.equals("/")) {
                    throw notYet;
                }
                there = slash == 0 ? "/" : there.substring(0, slash);
            }
        }
    }

    private String absolute(String path) throws NoSuchFileException {
        if (path.indexOf('\0') >= 0) {
            throw new NoSuchFileException(path.replace('\0', '?'));
        }
        return path.startsWith("/") ? path : workingFolder + "/" + path;
    }
}
