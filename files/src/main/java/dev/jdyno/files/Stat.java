package dev.jdyno.files;

/// What the kernel says of a file.
///
/// @param mode the permission bits with set-uid, set-gid and sticky
/// @param uid of its owner, as our user namespace numbers it
/// @param bytes its size; 0 for what has none
/// @param links how many names it has
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

    /// The same for every name of a file, in whatever namespace.
    public record Identity(int deviceMajor, int deviceMinor, long inode) {}

    /// Whether the group or others may write it.
    public boolean isWritableByOthers() {
        return (mode & OTHERS_WRITE) != 0;
    }

    /// Whether names in this folder may only be changed by the owners of what they name.
    public boolean isSticky() {
        return (mode & STICKY) != 0;
    }
}
