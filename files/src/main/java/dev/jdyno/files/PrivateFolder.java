package dev.jdyno.files;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// A folder for results that no other user can put files into or exchange: made with mode 0700, or
/// found and checked. Run as root, jdyno would otherwise write where another user wants it to.
///
/// Checked are the folder and every folder above it, along links too: each belongs to a trusted
/// user ({@link Owners}), and where others may write, as in `/tmp`, the sticky bit keeps them from
/// renaming what is not theirs.
public final class PrivateFolder {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");

    private static final int MOST_LINKS = 40;
    private static final String FIX =
            "give --out DIR a folder that only you can write to; one that is missing is made";

    private final Path given;
    private int links;

    private PrivateFolder(Path given) {
        this.given = given;
    }

    /// Opens the folder, and makes it and those above it when they are missing. An empty one gets
    /// the mode 0700; one with files of ours keeps its mode.
    ///
    /// @throws UserError when another user could put files into it or exchange it
    /// @throws IOException when it cannot be made
    public static Path open(Path folder) throws IOException {
        if (!Owners.known()) {
            return Files.createDirectories(folder);
        }
        new PrivateFolder(folder).open();
        return folder;
    }

    /// Makes the folder, for its owner only, and those above it when they are missing.
    ///
    /// @throws FileAlreadyExistsException when something has this name, whatever it is
    /// @throws UserError when another user could exchange it
    /// @throws IOException when it cannot be made
    public static Path create(Path folder) throws IOException {
        if (Owners.known()) {
            new PrivateFolder(folder).create();
            return folder;
        }
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        return Files.createDirectory(folder);
    }

    /// Opens a folder inside the one that the results go to.
    ///
    /// @throws UserError when it cannot be made
    public static Path inside(Path results, String name) {
        Path own = results.resolve(name);
        try {
            return open(own);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot create the folder " + own,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }

    /// Trusts the user who called `sudo` like the one jdyno runs as: both are the same person.
    public static void trustCaller(long uid) {
        Owners.alsoTrust(Set.of(uid));
    }

    private void create() throws IOException {
        Path folder = resolved(given.toAbsolutePath().normalize());
        if (!make(folder)) {
            throw new FileAlreadyExistsException(folder.toString());
        }
    }

    /// Along the real paths of the folders above it, which are checked, or made.
    private Path resolved(Path whole) throws IOException {
        Path parent = whole.getParent();
        if (parent == null) {
            throw refused(whole, "is the root of the file system");
        }
        return checkedOrMade(parent).resolve(whole.getFileName());
    }

    private void open() throws IOException {
        Path whole = given.toAbsolutePath().normalize();
        if (Files.isSymbolicLink(whole)) {
            throw refused(whole, "is a symbolic link, which may point to any folder");
        }
        Path folder = resolved(whole);
        if (!make(folder)) {
            requireOwn(folder);
            if (isEmpty(folder) && !isOfTheSystem(folder)) {
                Files.setPosixFilePermissions(folder, OWNER_ONLY);
            } else if (Owners.othersWrite(folder)) {
                throw refused(folder, "holds files, and other users can write to it");
            }
        }
    }

    /// The real path of a folder on the way.
    private Path checkedOrMade(Path way) throws IOException {
        Path at = way.getRoot();
        requireSafe(at);
        for (Path name : way) {
            Path next = at.resolve(name);
            if (!Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
                make(next);
            }
            if (Files.isSymbolicLink(next)) {
                if (++links > MOST_LINKS) {
                    throw refused(next, "leads through too many symbolic links");
                }
                if (!Owners.current().trust(next)) {
                    throw refused(next, "is a symbolic link of another user");
                }
                next = checkedOrMade(next.toRealPath());
            }
            requireSafe(next);
            at = next;
        }
        return at;
    }

    /// @return whether it was not there before
    private static boolean make(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException there) {
            return false;
        }
        // a umask may have taken away what the owner needs
        Files.setPosixFilePermissions(folder, OWNER_ONLY);
        return true;
    }

    private void requireOwn(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new NotDirectoryException(folder + " is no folder");
        }
        if (!Owners.current().trust(folder)) {
            throw refused(
                    folder,
                    "belongs to another user ("
                            + Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS)
                            + ")");
        }
    }

    private void requireSafe(Path folder) throws IOException {
        requireOwn(folder);
        if (Owners.othersWrite(folder) && !Owners.isSticky(folder)) {
            throw refused(
                    folder, "can be written to by other users, who can exchange what lies in it");
        }
    }

    /// `/mnt` and `/dev/shm` may be empty and are ours when we are root; their modes are not.
    private static boolean isOfTheSystem(Path folder) throws IOException {
        return folder.getNameCount() == 1 || Owners.isSticky(folder);
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (var files = Files.newDirectoryStream(folder)) {
            return !files.iterator().hasNext();
        }
    }

    private UserError refused(Path part, String why) {
        return UserError.usage("cannot write results into " + given, part + " " + why, FIX);
    }
}
