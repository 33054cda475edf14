package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/// Random reads of a mapped file in a cgroup whose memory holds only a part of it. The kernel reads
/// the same pages from disk repeatedly.
final class MemoryMapped implements Case {
    private static final int MEGABYTE = 1 << 20;
    private static final int PAGE = 4096;

    /// Number of pages that a request reads.
    private static final int PAGES = 12;

    @Override
    public Label label() {
        return Label.of(
                        "memory-mapped",
                        "memory",
                        20,
                        "",
                        "a mapped file larger than the cgroup's memory, used all over")
                .jvm("-Xms96m", "-Xmx96m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC")
                .needs("root: it puts itself into a cgroup of its own");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int limit = caseSetup.vary().between("limitMegabytes", 150, 200);
        int megabytes = limit * caseSetup.vary().between("timesTheLimit", 2, 3);
        Path folder = caseSetup.folderOnDisk();
        caseSetup.closing(Cgroup.memoryLimitedTo(limit));
        MappedByteBuffer records = mapped(folder.resolve("records"), megabytes);
        int pages = megabytes * (MEGABYTE / PAGE);
        return caseSetup.serve(query -> {
            int sum = 0;
            for (int i = 0; i < PAGES; i++) {
                sum += records.get(ThreadLocalRandom.current().nextInt(pages) * PAGE);
            }
            return sum + "\n";
        });
    }

    private static MappedByteBuffer mapped(Path file, int megabytes) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            byte[] megabyte = new byte[MEGABYTE];
            for (int i = 0; i < megabytes; i++) {
                ThreadLocalRandom.current().nextBytes(megabyte);
                channel.write(ByteBuffer.wrap(megabyte));
            }
            channel.force(true);
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        }
    }
}
