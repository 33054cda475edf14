package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/// A journal that each request forces to disk.
final class DiskFsync implements Case {
    /// Number of journals: several, so that requests share the disk and not the lock of one file.
    private static final int FILES = 8;

    /// File size at which a journal starts from the beginning, so that it does not fill the disk.
    private static final long FILE_BYTES = 128L << 20;

    @Override
    public Label label() {
        return Label.of(
                        "disk-fsync",
                        "disk",
                        20,
                        "",
                        "each request forces some hundred kilobytes to the disk")
                .also("load");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int kilobytes = caseSetup.vary().between("kilobytes", 256, 512);
        Path folder = caseSetup.folderOnDisk();
        FileChannel[] journals = new FileChannel[FILES];
        for (int i = 0; i < FILES; i++) {
            journals[i] =
                    caseSetup.closing(
                            FileChannel.open(
                                    folder.resolve("journal" + i),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE));
        }
        AtomicInteger requests = new AtomicInteger();
        return caseSetup.serve(query -> {
            FileChannel journal = journals[Math.floorMod(requests.getAndIncrement(), FILES)];
            append(journal, ByteBuffer.allocate(kilobytes * 1024));
            return "ok\n";
        });
    }

    private static void append(FileChannel journal, ByteBuffer entry) throws IOException {
        if (journal.position() > FILE_BYTES) {
            journal.position(0);
        }
        while (entry.hasRemaining()) {
            journal.write(entry);
        }
        journal.force(true);
    }
}
