package dev.jdyno.files;

/// The kernel's data on a file.
///
/// @param mode the permission bits with set-uid, set-gid and sticky
/// @param uid user id of its owner, in jdyno's user namespace
/// @param bytes size of the file; 0 for kinds without a size
/// @param links number of hard links
public record Stat(
        Kind kind, int mode, long uid, long gid, long bytes, long links, Identity identity) {
    private static final int OTHERS_WRITE = 0022;
    private static final int STICKY = 01000;
    private static final int KIND = 0170000;

    public enum Kind {
        FILE("a regular file"),
        FOLDER("a folder"),
        LINK("a symbolic link"),
        FIFO("a FIFO"),
        SOCKET("a socket"),
        DEVICE("a device");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        /// The file type of `stat(2)`.
        static Kind of(int mode) {
            return switch (mode & KIND) {
                case 0100000 -> FILE;
                case 0040000 -> FOLDER;
                case 0120000 -> LINK;
                case 0010000 -> FIFO;
                case 0140000 -> SOCKET;
                default -> DEVICE;
            };
        }
    }

    /// Identifies a file under every name and in every namespace.
    public record Identity(int deviceMajor, int deviceMinor, long inode) {}

    /// True if the group or others may write it.
    public boolean isWritableByOthers() {
        return (mode & OTHERS_WRITE) != 0;
    }

    /// True if names in this folder may only be changed by the owners of the named files.
    public boolean isSticky() {
        return (mode & STICKY) != 0;
    }
}
