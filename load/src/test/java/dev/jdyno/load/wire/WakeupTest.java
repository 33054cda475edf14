package dev.jdyno.load.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A wakeup must not write to a descriptor that no longer belongs to the poller.
@EnabledOnOs(OS.LINUX)
class WakeupTest {
    /// More files than the poller had descriptors. The kernel reuses the lowest free numbers, so
    /// some files get the poller's.
    private static final int FILES = 12;

    @TempDir private Path folder;

    private List<FileChannel> takeTheNumbers() throws IOException {
        List<FileChannel> taken = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            Path file = Files.createTempFile(folder, "taken", "");
            taken.add(FileChannel.open(file, StandardOpenOption.WRITE));
        }
        return taken;
    }

    private static long written(List<FileChannel> taken) throws IOException {
        long bytes = 0;
        for (FileChannel file : taken) {
            bytes += file.size();
            file.close();
        }
        return bytes;
    }

    @Test
    void wakeupAfterCloseWritesToNoReusedDescriptor() throws IOException {
        Poller poller = Pollers.open(Transport.EPOLL);
        poller.close();
        List<FileChannel> taken = takeTheNumbers();

        poller.wakeup();

        assertThat(written(taken)).isZero();
    }

    @Test
    void wakeupDuringCloseWritesToNoReusedDescriptor() throws Exception {
        for (int i = 0; i < 100; i++) {
            Poller poller = Pollers.open(Transport.EPOLL);
            var ringing = new CountDownLatch(1);
            Thread other =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int n = 0; n < 500; n++) {
                                    poller.wakeup();
                                    ringing.countDown();
                                }
                            });
            ringing.await();
            poller.close();
            List<FileChannel> taken = takeTheNumbers();
            other.join();

            assertThat(written(taken)).as("round %d", i).isZero();
        }
    }

    @Test
    void aWakeupEndsTheWait() {
        try (Poller poller = Pollers.open(Transport.EPOLL)) {
            poller.wakeup();

            assertThat(poller.poll(60_000_000_000L)).isEqualTo(1);
            assertThat(poller.ready(0)).isNull();
            assertThat(poller.poll(0)).as("the wakeup is taken back").isZero();
        }
    }
}
