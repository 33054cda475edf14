package dev.jdyno.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.HashSet;
import java.util.Set;

/// The users who may own the folders to which jdyno writes: the effective user, and root, who has
/// all rights anyway. Under `sudo`, the calling user too.
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

    /// True if this system has owners and modes like Unix.
    static boolean known() {
        return KNOWN;
    }

    static Owners current() {
        return current;
    }

    /// @param further users who are trusted like the effective user
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

    /// True if one of these users owns the path. For a link, the owner of the link counts.
    boolean trust(Path path) {
        try {
            return uids.contains(uid(path));
        } catch (IOException gone) {
            return false;
        }
    }

    private static long uid(Path path) throws IOException {
        // only the kernel's own link /proc/self is followed
        LinkOption[] options =
                path.equals(Path.of("/proc/self"))
                        ? new LinkOption[0]
                        : new LinkOption[] {LinkOption.NOFOLLOW_LINKS};
        return ((Number) Files.getAttribute(path, "unix:uid", options)).longValue();
    }

    /// True if users besides its owner may create files in a folder. A group with only the owner,
    /// which most Linux distributions create for each user, does not count as other users.
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

    /// True if users may remove and rename only their own files in it.
    static boolean isSticky(Path folder) throws IOException {
        return (mode(folder) & STICKY) != 0;
    }

    private static int mode(Path path) throws IOException {
        return ((Number) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS))
                .intValue();
    }
}
