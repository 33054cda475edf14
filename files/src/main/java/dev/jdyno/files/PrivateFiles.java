package dev.jdyno.files;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;

/// Writes files that only their owner can read, mode 0600 whatever the umask. Everything that jdyno
/// writes uses this class, because it may contain data that other users must not see.
///
/// Each file is created with a new name and renamed. A link, a pipe or a file of another user with
/// its name is replaced and never written to. A file that is written as a whole is on the disk,
/// with its name, when the call returns.
public final class PrivateFiles {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");

    private static final Set<StandardOpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    /// Devices that the kernel provides: no user can replace them, and they must not be replaced.
    private static final Pattern DEVICE =
            Pattern.compile("/dev/(?:null|tty|stdout|stderr|fd/\\d+)");

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int NAME_BYTES = 8;

    private PrivateFiles() {}

    /// Writes a file by its path.
    @FunctionalInterface
    public interface Writing {
        void to(Path file) throws IOException;
    }

    /// Creates a file to be written gradually; it has its name from now on.
    public static OutputStream create(Path file) throws IOException {
        if (isDevice(file)) {
            return Files.newOutputStream(file);
        }
        Path part = part(file);
        OutputStream out = open(part);
        try {
            rename(part, file, Disk.REAL);
            return out;
        } catch (IOException notRenamed) {
            out.close();
            Files.deleteIfExists(part);
            throw notRenamed;
        }
    }

    /// Writes the whole file atomically: a reader sees either the old text or the new one.
    public static void write(Path file, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (isDevice(file)) {
            Files.write(file, bytes);
            return;
        }
        write(file, part -> Files.write(part, bytes, StandardOpenOption.TRUNCATE_EXISTING));
    }

    /// Writes the content of a stream in the same way.
    public static void copy(InputStream from, Path file) throws IOException {
        write(
                file,
                part -> {
                    try (OutputStream out =
                            Files.newOutputStream(part, StandardOpenOption.TRUNCATE_EXISTING)) {
                        from.transferTo(out);
                    }
                });
    }

    /// Writes the file atomically: `writing` fills an empty file. If that fails, no file remains.
    public static void write(Path file, Writing writing) throws IOException {
        write(file, writing, Disk.REAL);
    }

    static void write(Path file, Writing writing, Disk disk) throws IOException {
        write(file, writing, disk, disk::rename);
    }

    /// Writes the whole file atomically if its name does not exist. If two processes do so at once,
    /// one fails.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if the name exists; the existing file is
    ///   not changed
    /// @throws IOException if the file cannot be written, for example without hard links
    public static void writeNew(Path file, String text) throws IOException {
        write(
                file,
                part -> Files.writeString(part, text, StandardOpenOption.TRUNCATE_EXISTING),
                Disk.REAL,
                (part, to) -> {
                    Path _ = Files.createLink(to, part);
                });
    }

    /// Renames a written file to its final name.
    private interface Naming {
        void of(Path part, Path file) throws IOException;
    }

    private static void write(Path file, Writing writing, Disk disk, Naming naming)
            throws IOException {
        Path part = part(file);
        open(part).close();
        try {
            writing.to(part);
            // a power cut after a rename, but before the content is on the disk, would leave an
            // empty file
            disk.force(part);
            naming.of(part, file);
            keepName(file, disk);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /// Reads a file that only this user and root can write. Links are followed.
    ///
    /// @throws NotTrusted when another user can write it, or it is longer than the limit
    public static byte[] read(Path file, int atMostBytes) throws IOException {
        Path real = file.toRealPath();
        if (Owners.known()) {
            if (!Owners.current().trust(real)) {
                throw new NotTrusted(file.toString(), "belongs to another user");
            }
            if (Owners.othersWrite(real)) {
                throw new NotTrusted(file.toString(), "can be written by other users");
            }
        }
        try (InputStream in = Files.newInputStream(real)) {
            byte[] bytes = in.readNBytes(atMostBytes + 1);
            if (bytes.length > atMostBytes) {
                throw new NotTrusted(
                        file.toString(), "has more than the limit of " + atMostBytes + " bytes");
            }
            return bytes;
        }
    }

    /// Checks a file that the user named explicitly, before anything is written to it.
    ///
    /// @param option the option that names it
    /// @throws UserError when the name exists and is not a file of the user's
    public static Path named(Path file, String option) {
        if (isDevice(file) || !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return file;
        }
        String what = "cannot write " + file;
        String fix = "give " + option + " another file";
        if (Files.isSymbolicLink(file)) {
            throw UserError.usage(what, "it is a symbolic link, which may point to any file", fix);
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw UserError.usage(what, "it is no regular file", fix + ", or /dev/stdout");
        }
        if (Owners.known() && !Owners.current().trust(file)) {
            throw UserError.usage(what, "it belongs to another user", fix);
        }
        return file;
    }

    private static boolean isDevice(Path file) {
        return DEVICE.matcher(file.toString()).matches();
    }

    private static Path part(Path file) {
        byte[] random = new byte[NAME_BYTES];
        RANDOM.nextBytes(random);
        return file.resolveSibling(
                "." + file.getFileName() + "." + HexFormat.of().formatHex(random) + ".part");
    }

    private static OutputStream open(Path part) throws IOException {
        FileAttribute<?>[] owned =
                Owners.known()
                        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                        : new FileAttribute<?>[0];
        OutputStream out = Channels.newOutputStream(Files.newByteChannel(part, NEW, owned));
        if (Owners.known()) {
            // a umask may have removed permissions that the owner needs
            PosixFileAttributeView view =
                    Files.getFileAttributeView(
                            part, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
            if (!view.readAttributes().permissions().equals(OWNER_ONLY)) {
                view.setPermissions(OWNER_ONLY);
            }
        }
        return out;
    }

    private static void rename(Path part, Path file, Disk disk) throws IOException {
        disk.rename(part, file);
        keepName(file, disk);
    }

    /// Makes the name of the file survive a power cut, as far as its file system guarantees it.
    static void keepName(Path file, Disk disk) {
        Path folder = file.toAbsolutePath().getParent();
        // other systems cannot open a folder
        if (folder != null && Owners.known()) {
            try {
                disk.force(folder);
            } catch (IOException notForFolders) {
                // CIFS, 9p and FUSE refuse this call, and a write-only folder cannot be opened; the
                // file exists in both cases
            }
        }
    }

    /// Operations that must have this order, so that a power cut leaves the old file or the new
    /// one.
    interface Disk {
        /// The content of a file, or the names in a folder, are on the disk when it returns.
        void force(Path fileOrFolder) throws IOException;

        void rename(Path part, Path file) throws IOException;

        Disk REAL =
                new Disk() {
                    @Override
                    public void force(Path fileOrFolder) throws IOException {
                        try (FileChannel channel =
                                FileChannel.open(fileOrFolder, StandardOpenOption.READ)) {
                            channel.force(true);
                        }
                    }

                    @Override
                    public void rename(Path part, Path file) throws IOException {
                        Files.move(
                                part,
                                file,
                                StandardCopyOption.REPLACE_EXISTING,
                                StandardCopyOption.ATOMIC_MOVE);
                    }
                };
    }
}
