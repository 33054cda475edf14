package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import dev.jdyno.lab.service.Running;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/// Reads random blocks of a file past the page cache.
final class DiskRead implements Case {
    /// Size and alignment of each read: direct I/O needs whole blocks.
    private static final int BLOCK = 4096;

    private static final int FILE_MEGABYTES = 256;

    @Override
    public Label label() {
        return Label.of("disk-read", "disk", 40, "", "each request reads blocks past the cache");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int reads = caseSetup.vary().between("reads", 8, 30);
        Path file = filled(caseSetup.folderOnDisk().resolve("records"));
        FileChannel channel =
                caseSetup.closing(FileChannel.open(file, StandardOpenOption.READ, pastTheCache()));
        int blocks = FILE_MEGABYTES * (1024 * 1024 / BLOCK);
        return caseSetup.serve(query -> {
            // an aligned block within a buffer of twice the size
            ByteBuffer block = ByteBuffer.allocateDirect(2 * BLOCK).alignedSlice(BLOCK);
            for (int i = 0; i < reads; i++) {
                long at = (long) ThreadLocalRandom.current().nextInt(blocks) * BLOCK;
                channel.read(block.clear().limit(BLOCK), at);
            }
            return "ok\n";
        });
    }

    /// Finds the option by reflection: the compiler takes its package for an internal one, and that
    /// warning cannot be switched off.
    private static OpenOption pastTheCache() {
        try {
            return (OpenOption)
                    Class.forName("com.sun.nio.file.ExtendedOpenOption")
                            .getField("DIRECT")
                            .get(null);
        } catch (ReflectiveOperationException e) {
            throw new CannotStart(
                    "no direct I/O on this JVM",
                    "com.sun.nio.file.ExtendedOpenOption.DIRECT: " + e,
                    "use an OpenJDK");
        }
    }

    private static Path filled(Path file) throws IOException {
        try (FileChannel out =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            byte[] megabyte = new byte[1 << 20];
            for (int i = 0; i < FILE_MEGABYTES; i++) {
                ThreadLocalRandom.current().nextBytes(megabyte);
                out.write(ByteBuffer.wrap(megabyte));
            }
            out.force(true);
        }
        return file;
    }
}
