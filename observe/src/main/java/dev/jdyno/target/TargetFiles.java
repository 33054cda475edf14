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

/// Files by the paths by which a process knows them: below its own root, or its working folder
/// where the path is relative. No link leads out of that root, only regular files are read, and
/// each only up to a limit, for whoever owns the process can put anything there.
public final class TargetFiles {
    private final Path root;
    private final Path workingFolder;

    private TargetFiles(Path root, Path workingFolder) {
        this.root = root;
        this.workingFolder = workingFolder;
    }

    /// The files of a process, which may end: where it has the same mounts as we have they are
    /// still found then.
    public static TargetFiles of(ProcFs proc, long pid) {
        return new TargetFiles(proc.rootOf(pid), workingFolder(proc, pid));
    }

    /// The files below a folder, as a process sees them that has it as its root and works in
    /// `workingFolder`.
    public static TargetFiles below(Path root, Path workingFolder) {
        return new TargetFiles(root, workingFolder);
    }

    /// Where the process works, by its own root. The kernel says it by ours: the root itself is cut
    /// off where the process has the same mounts and another root (chroot).
    private static Path workingFolder(ProcFs proc, long pid) {
        try {
            Path its = Files.readSymbolicLink(proc.of(pid, "cwd"));
            Path top = Files.readSymbolicLink(proc.of(pid, "root"));
            return its.startsWith(top) ? Path.of("/").resolve(top.relativize(its)) : its;
        } catch (IOException gone) {
            return Path.of("/");
        }
    }

    /// What a path names, links followed; empty where there is nothing.
    ///
    /// @throws IOException where there may be something that cannot be looked at
    public Optional<Stat> stat(String path) throws IOException {
        try (Folder top = Folder.open(root)) {
            return top.statInRoot(absolute(path));
        } catch (NoSuchFileException noName) {
            return Optional.empty();
        }
    }

    /// Whether there is a regular file, readable or not.
    ///
    /// @throws IOException as {@link #stat}
    public boolean isFile(String path) throws IOException {
        return stat(path).filter(s -> s.kind() == Stat.Kind.FILE).isPresent();
    }

    /// A regular file of whatever owner.
    ///
    /// @throws dev.jdyno.files.NotTrusted where it is something else or too large
    public Handle open(String path, long atMostBytes) throws IOException {
        try (Folder top = Folder.open(root)) {
            return top.fileInRoot(absolute(path), Trust.anyOwner(atMostBytes));
        }
    }

    /// A file that people write: its whole content, at most {@link Trust#TEXT_BYTES}.
    ///
    /// @throws dev.jdyno.files.NotTrusted where it is no regular file or larger
    public byte[] text(String path) throws IOException {
        try (Handle file = open(path, Trust.TEXT_BYTES)) {
            return file.bytes();
        }
    }

    /// A folder, held by its handle.
    public Folder folder(String path) throws IOException {
        try (Folder top = Folder.open(root)) {
            return top.folderInRoot(absolute(path));
        }
    }

    /// The names in a folder, sorted; none where there is no such folder.
    ///
    /// @throws IOException where it may not be listed
    public List<String> names(String path) throws IOException {
        try (Folder listed = folder(path)) {
            return listed.names();
        } catch (NoSuchFileException none) {
            return List.of();
        }
    }

    /// The nearest folder on the way to a path that there is already, held by its handle.
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
