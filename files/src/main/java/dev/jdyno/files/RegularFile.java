package dev.jdyno.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/// A file in a folder that another user may write. A link in place of the file is not followed, and
/// opening does not wait for a FIFO.
public final class RegularFile {
    private static final boolean LINUX = System.getProperty("os.name", "").equals("Linux");

    private RegularFile() {}

    /// The whole content of a file.
    ///
    /// @param file in a folder that the user named; links on the way to that folder are followed
    /// @throws NotTrusted if the name is not a regular file, or the file is larger than
    ///   `atMostBytes`
    /// @throws NoSuchFileException if the name does not exist
    public static byte[] bytes(Path file, int atMostBytes) throws IOException {
        Path absolute = file.toAbsolutePath();
        Path folder =
                Optional.ofNullable(absolute.getParent())
                        .orElseThrow(() -> new NoSuchFileException(file.toString()));
        String name = String.valueOf(absolute.getFileName());
        if (!LINUX) {
            return elsewhere(absolute, name, atMostBytes);
        }
        try (Folder in = Folder.open(folder);
                Handle handle = in.file(name, Trust.anyOwner(atMostBytes))) {
            return handle.bytes();
        }
    }

    /// Opens a file on systems without handles. There the name may refer to another file between
    /// check and opening.
    private static byte[] elsewhere(Path file, String name, int atMostBytes) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new NotTrusted(name, "is not a regular file");
        }
        try (InputStream in =
                new LimitedStream(
                        Channels.newInputStream(
                                Files.newByteChannel(
                                        file,
                                        Set.of(
                                                StandardOpenOption.READ,
                                                LinkOption.NOFOLLOW_LINKS))),
                        name,
                        atMostBytes)) {
            return in.readAllBytes();
        }
    }
}
