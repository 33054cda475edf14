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

/// Lets only one jdyno of a user run work that needs the whole machine.
///
/// It is an advisory lock (`flock`) on a file in a folder that only this user can open, so no other
/// user can hold it. The lock is taken in every such folder, because a login shell and a cron job
/// may have different variables. They share at least one folder. The kernel releases the lock when
/// its holder ends, for whatever reason. If there is no such folder, the work continues without a
/// lock.
///
/// A second lock, on a file that all users can open, shows whether another user's jdyno runs. Any
/// user can hold that lock, so it only leads to a note.
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

    /// @param what the verb that takes the lock
    /// @throws UserError if another jdyno of this user holds the lock
    static UserLock take(String what, Environment environment) {
        return take(what, environment, Path.of(System.getProperty("java.io.tmpdir")));
    }

    /// @param temporary parent of the last folder that is tried
    static UserLock take(String what, Environment environment, Path temporary) {
        List<Path> files = files(what + ".lock", folders(environment, temporary));
        if (files.isEmpty()) {
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
            for (Path file : files) {
                held.add(FileLock.take(file).orElseThrow(() -> another(what, file)));
            }
        } catch (IOException noLocks) {
            return new UserLock(
                    held,
                    Optional.of(
                            "no lock ("
                                    + noLocks.getMessage()
                                    + "): start no second jdyno "
                                    + what
                                    + " meanwhile"));
        } catch (UserError taken) {
            new UserLock(held, Optional.empty()).close();
            throw taken;
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

    /// A note for the user on other jdynos or a missing lock; empty if there is none.
    Optional<String> note() {
        return note;
    }

    /// The lock files in the folders that belong to this user alone, always in the same order.
    private static List<Path> files(String name, List<Path> folders) {
        List<Path> files = new ArrayList<>();
        for (Path folder : folders) {
            try {
                PrivateFolder.open(folder);
                Path file = folder.resolve(name);
                try {
                    Files.createFile(file, OWNER_ONLY);
                } catch (FileAlreadyExistsException there) {
                    // The file exists already, as expected.
                }
                Path real = file.toRealPath(LinkOption.NOFOLLOW_LINKS);
                if (Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)
                        && files.stream().noneMatch(f -> isSame(f, real))) {
                    files.add(real);
                }
            } catch (IOException | UserError notOurs) {
                // This folder belongs to another user: try the next one.
            }
        }
        return files;
    }

    /// True if both paths are names of one file. Locking it twice would fail.
    private static boolean isSame(Path a, Path b) {
        try {
            return Files.isSameFile(a, b);
        } catch (IOException gone) {
            return false;
        }
    }

    /// The folders for a lock. The last one needs no variable, so every jdyno of the user has it.
    private static List<Path> folders(Environment environment, Path temporary) {
        List<Path> folders = new ArrayList<>();
        environment.value("XDG_RUNTIME_DIR").ifPresent(f -> addAbsolute(folders, f));
        environment
                .value("XDG_CACHE_HOME")
                .or(() -> environment.value("HOME").map(h -> h + "/.cache"))
                .ifPresent(f -> addAbsolute(folders, f));
        addAbsolute(folders, temporary + "/jdyno-of-" + System.getProperty("user.name"));
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
