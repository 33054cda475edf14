package dev.jdyno.foreign;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// Zip and jar files that others wrote. The JDK reads the whole list of entries into one array, of
/// the size that the file's last bytes claim: up to 2 GiB, whatever is there.
public final class ForeignZip {
    /// Bytes of the list of entries: some 700,000 of them.
    static final long MOST_LIST_BYTES = 64L << 20;

    private static final int END_BYTES = 22;
    private static final int MOST_COMMENT_BYTES = 0xffff;
    private static final int END_MAGIC = 0x06054b50;
    private static final int LIST_BYTES_AT = 12;
    private static final long IN_ZIP64 = 0xffffffffL;

    private ForeignZip() {}

    /// To be asked before it is opened.
    ///
    /// @throws Malformed when its list of entries is longer than archives have
    public static void requireUsual(Path archive) throws IOException {
        try (var file = new RandomAccessFile(archive.toFile(), "r")) {
            long size = file.length();
            byte[] tail = new byte[(int) Math.min(size, END_BYTES + MOST_COMMENT_BYTES)];
            file.seek(size - tail.length);
            file.readFully(tail);
            ByteBuffer end = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
            // every place that may be the one the JDK takes
            for (int at = tail.length - END_BYTES; at >= 0; at--) {
                if (end.getInt(at) == END_MAGIC) {
                    long list = end.getInt(at + LIST_BYTES_AT) & IN_ZIP64;
                    if (list == IN_ZIP64 || list > MOST_LIST_BYTES) {
                        throw Malformed.of(
                                "an archive whose list of entries takes more than "
                                        + (MOST_LIST_BYTES >> 20)
                                        + " MiB, so it is not read");
                    }
                }
            }
        }
    }

    /// One entry, unpacked.
    ///
    /// @throws Malformed when it holds more than {@link ForeignText#MOST_BYTES}
    public static byte[] entry(ZipFile archive, ZipEntry entry) throws IOException {
        try (InputStream in = archive.getInputStream(entry)) {
            return ForeignText.bytes(in, ForeignText.MOST_BYTES);
        } catch (IllegalArgumentException | IllegalStateException refused) {
            // of a name, a size or a method that cannot be
            throw Malformed.of("an archive's entry that cannot be unpacked");
        }
    }
}
