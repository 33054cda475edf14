package dev.jdyno.cli;

import dev.jdyno.files.FileLock;
import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Environment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One jdyno of a user at a time does something that takes a whole machine.
///
/// It is an advisory lock (`flock`) on a file in a folder that no other user can open, so none can
/// hold it up. The kernel drops it when its holder ends in whatever way. Where there is no such
/// folder it is not taken: it keeps a user from a mistake, and is no reason to do nothing.
///
/// Another user's jdyno is seen by a lock on a file that all users can open. Since any user can
/// hold that one, it only gives a note.
final class UserLock implements AutoCloseable {
    private static final Path SEEN_BY_ALL = Path.of("/proc/stat");

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final List<FileLock> held;
    private final Optional<String> note;

    private UserLock(List<FileLock> held, Optional<String> note) {
        this.held = held;
        this.note = note;
    }

    /// @param what the verb
    /// @throws UserError while another jdyno of this user has it
    static UserLock take(String what, Environment environment) {
        Optional<Path> file = file(what + ".lock", environment);
        if (file.isEmpty()) {
            return new UserLock(
                    List.of(),
                    Optional.of(
                            "no folder for a lock is yours alone (set XDG_RUNTIME_DIR to one): start no"
                                    + " second jdyno "
                                    + what
                                    + " meanwhile"));
        }
        List<FileLock> held = new ArrayList<>();
        try {
            held.add(FileLock.take(file.get()).orElseThrow(() -> another(what, file.get())));
        } catch (IOException noLocks) {
            return new UserLock(
                    held,
                    Optional.of(
                            "no lock on "
                                    + file.get()
                                    + " ("
                                    + noLocks.getMessage()
                                    + "): start no second jdyno "
                                    + what
                                    + " meanwhile"));
        }
        return seenByAll(what, held);
    }

    private static UserError another(String what, Path file) {
        return UserError.target(
                "another jdyno of yours runs " + what + " on this machine",
                "both would measure each other (it holds a lock on " + file + ")",
                "wait until it ends");
    }

    private static UserLock seenByAll(String what, List<FileLock> held) {
        try {
            Optional<FileLock> seen = FileLock.take(SEEN_BY_ALL);
            seen.ifPresent(held::add);
            return new UserLock(
                    held,
                    seen.isPresent()
                            ? Optional.empty()
                            : Optional.of(
                                    "another user's process holds a lock on "
                                            + SEEN_BY_ALL
                                            + ": if it is a jdyno that runs "
                                            + what
                                            + ", both measure each other"));
        } catch (IOException notToBeSeen) {
            return new UserLock(held, Optional.empty());
        }
    }

    /// What the user should know of others.
    Optional<String> note() {
        return note;
    }

    /// The first of the folders that is ours alone; empty where none is.
    private static Optional<Path> file(String name, Environment environment) {
        for (Path folder : folders(environment)) {
            try {
                PrivateFolder.open(folder);
                Path file = folder.resolve(name);
                try {
                    Files.createFile(file, OWNER_ONLY);
                } catch (FileAlreadyExistsException there) {
                    // as it should be
                }
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    return Optional.of(file);
                }
            } catch (IOException | UserError notOurs) {
                // the next one
            }
        }
        return Optional.empty();
    }

    private static List<Path> folders(Environment environment) {
        List<Path> folders = new ArrayList<>();
        environment.value("XDG_RUNTIME_DIR").ifPresent(f -> addAbsolute(folders, f));
        environment
                .value("XDG_CACHE_HOME")
                .or(() -> environment.value("HOME").map(h -> h + "/.cache"))
                .ifPresent(f -> addAbsolute(folders, f));
        addAbsolute(
                folders,
                System.getProperty("java.io.tmpdir")
                        + "/jdyno-of-"
                        + System.getProperty("user.name"));
        return folders;
    }

    private static void addAbsolute(List<Path> folders, String folder) {
        Path path = Path.of(folder);
        if (path.isAbsolute()) {
            folders.add(path.resolve("jdyno"));
        }
    }

    @Override
    public void close() {
        try {
            for (FileLock lock : held) {
                lock.close();
            }
        } catch (IOException stillHeld) {
            throw new UncheckedIOException(stillHeld);
        }
    }
}
