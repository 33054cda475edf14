package dev.jdyno.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.HashSet;
import java.util.Set;

/// The users who may own what jdyno writes into: the one it runs as, and root, who can do
/// everything anyway. Under `sudo` the user who called it, too.
///
/// @param uids their user ids
record Owners(Set<Long> uids) {
    private static final boolean KNOWN =
            Path.of("").getFileSystem().supportedFileAttributeViews().contains("unix");

    private static final int GROUP_WRITE = 0020;
    private static final int OTHERS_WRITE = 0002;
    private static final int STICKY = 01000;

    private static volatile Owners current = of(Set.of());

    Owners {
        uids = Set.copyOf(uids);
    }

    /// Whether this system has owners and modes as Unix has them.
    static boolean known() {
        return KNOWN;
    }

    static Owners current() {
        return current;
    }

    /// @param further users who are trusted like the one who runs jdyno
    static void alsoTrust(Set<Long> further) {
        current = of(further);
    }

    private static Owners of(Set<Long> further) {
        Set<Long> all = new HashSet<>(further);
        all.add(0L);
        try {
            if (KNOWN) {
                all.add(uid(Path.of("/proc/self")));
            }
        } catch (IOException noProc) {
            all.add(ofAFileOfOurs());
        }
        return new Owners(all);
    }

    private static long ofAFileOfOurs() {
        try {
            Path file = Files.createTempFile("jdyno-", ".owner");
            try {
                return uid(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException nowhereToWrite) {
            return 0;
        }
    }

    /// Whether what stands there, a link itself, belongs to one of them.
    boolean trust(Path path) {
        try {
            return uids.contains(uid(path));
        } catch (IOException gone) {
            return false;
        }
    }

    private static long uid(Path path) throws IOException {
        // the kernel's own links of /proc/self are followed to the process, nothing else is
        LinkOption[] options =
                path.equals(Path.of("/proc/self"))
                        ? new LinkOption[0]
                        : new LinkOption[] {LinkOption.NOFOLLOW_LINKS};
        return ((Number) Files.getAttribute(path, "unix:uid", options)).longValue();
    }

    /// Whether users beside its owner may make files in a folder. A group of the owner alone, as
    /// most Linux distributions make one for each user, is no other user.
    static boolean othersWrite(Path folder) throws IOException {
        int mode = mode(folder);
        if ((mode & OTHERS_WRITE) != 0) {
            return true;
        }
        if ((mode & GROUP_WRITE) == 0) {
            return false;
        }
        PosixFileAttributes its = Files.readAttributes(folder, PosixFileAttributes.class);
        return !its.group().getName().equals(its.owner().getName());
    }

    /// Whether they may only remove and rename what is their own there.
    static boolean isSticky(Path folder) throws IOException {
        return (mode(folder) & STICKY) != 0;
    }

    private static int mode(Path path) throws IOException {
        return ((Number) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS))
                .intValue();
    }
}
