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

/// A folder for results in which no other user can create or replace files: created with mode 0700,
/// or existing and checked. Otherwise jdyno, run as root, would write to a place that another user
/// chooses.
///
/// The folder and every folder above it are checked, also along links. Each must belong to a
/// trusted user ({@link Owners}). If others may write to it, as in `/tmp`, the sticky bit must
/// prevent them from renaming files of other users.
public final class PrivateFolder {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");

    private static final int MAX_LINKS = 40;
    private static final String FIX =
            "give --out DIR a folder that only you can write to; one that is missing is made";

    private final Path given;
    private int links;

    private PrivateFolder(Path given) {
        this.given = given;
    }

    /// Opens the folder. Creates the folder and its parents if they are missing. An empty folder
    /// gets the mode 0700; a folder with this user's files keeps its mode.
    ///
    /// @throws UserError if another user could replace the folder or create files in the folder
    /// @throws IOException when it cannot be created
    public static Path open(Path folder) throws IOException {
        if (!Owners.known()) {
            return Files.createDirectories(folder);
        }
        new PrivateFolder(folder).open();
        return folder;
    }

    /// Creates the folder, for its owner only, and missing parent folders.
    ///
    /// @throws FileAlreadyExistsException if the name exists, even as a file or link
    /// @throws UserError when another user could replace it
    /// @throws IOException when it cannot be created
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

    /// Opens a folder inside the folder of the results.
    ///
    /// @throws UserError when it cannot be created
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

    /// Trusts the user who called `sudo` like the effective user: both are the same person.
    public static void trustCaller(long uid) {
        Owners.alsoTrust(Set.of(uid));
    }

    private void create() throws IOException {
        Path folder = resolved(given.toAbsolutePath().normalize());
        if (!make(folder)) {
            throw new FileAlreadyExistsException(folder.toString());
        }
    }

    /// The path with the real paths of the folders above it, which are checked or created.
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

    /// Returns the real path of a parent folder. Missing folders are created, and every folder is
    /// checked.
    private Path checkedOrMade(Path way) throws IOException {
        Path at = way.getRoot();
        requireSafe(at);
        for (Path name : way) {
            Path next = at.resolve(name);
            if (!Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
                make(next);
            }
            if (Files.isSymbolicLink(next)) {
                if (++links > MAX_LINKS) {
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

    /// @return true if the folder was created
    private static boolean make(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException there) {
            return false;
        }
        // a umask may have removed permissions that the owner needs
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

    /// True for folders such as `/mnt` and `/dev/shm`: they may be empty and belong to root, but
    /// their modes must not be changed.
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
