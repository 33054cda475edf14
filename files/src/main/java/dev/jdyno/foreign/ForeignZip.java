package dev.jdyno.foreign;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// Zip and jar files from an untrusted source. The JDK reads the whole list of entries into one
/// array. The last bytes of the file claim the size of that array, up to 2 GiB.
public final class ForeignZip {
    /// Maximum size of the list of entries: about 700,000 entries.
    static final long MAX_LIST_BYTES = 64L << 20;

    private static final int END_BYTES = 22;
    private static final int MAX_COMMENT_BYTES = 0xffff;
    private static final int END_MAGIC = 0x06054b50;
    private static final int LIST_BYTES_AT = 12;
    private static final long IN_ZIP64 = 0xffffffffL;

    private ForeignZip() {}

    /// Checks the size of the list of entries. Must be called before the archive is opened.
    ///
    /// @throws Malformed if the list of entries is longer than in usual archives
    public static void requireUsual(Path archive) throws IOException {
        try (var file = new RandomAccessFile(archive.toFile(), "r")) {
            long size = file.length();
            byte[] tail = new byte[(int) Math.min(size, END_BYTES + MAX_COMMENT_BYTES)];
            file.seek(size - tail.length);
            file.readFully(tail);
            ByteBuffer end = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
            // every position that the JDK may use
            for (int at = tail.length - END_BYTES; at >= 0; at--) {
                if (end.getInt(at) == END_MAGIC) {
                    long list = end.getInt(at + LIST_BYTES_AT) & IN_ZIP64;
                    if (list == IN_ZIP64 || list > MAX_LIST_BYTES) {
                        throw Malformed.of(
                                "an archive whose list of entries takes more than "
                                        + (MAX_LIST_BYTES >> 20)
                                        + " MiB, so it is not read");
                    }
                }
            }
        }
    }

    /// One entry, unpacked.
    ///
    /// @throws Malformed if the entry is larger than {@link ForeignText#MAX_BYTES}
    public static byte[] entry(ZipFile archive, ZipEntry entry) throws IOException {
        try (InputStream in = archive.getInputStream(entry)) {
            return ForeignText.bytes(in, ForeignText.MAX_BYTES);
        } catch (IllegalArgumentException | IllegalStateException refused) {
            // thrown for an impossible name, size or method
            throw Malformed.of("an archive's entry that cannot be unpacked");
        }
    }
}
