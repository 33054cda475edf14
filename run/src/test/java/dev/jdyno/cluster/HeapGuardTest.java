package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeapGuardTest {
    private static final double FULL = HeapGuard.FULL_SHARE;
    private final HeapGuard.Judge judge = new HeapGuard.Judge();

    @Test
    void heapIsFullAfterSeveralFullCollections() {
        for (int i = 1; i < HeapGuard.FULL_CHECKS; i++) {
            assertThat(judge.isFull(i, FULL)).isFalse();
        }
        assertThat(judge.isFull(HeapGuard.FULL_CHECKS, FULL)).isTrue();
    }

    @Test
    void countsEachCollectionOnce() {
        for (int i = 0; i < 2 * HeapGuard.FULL_CHECKS; i++) {
            assertThat(judge.isFull(7, 1)).isFalse();
        }
    }

    @Test
    void effectiveCollectionResetsCount() {
        for (int i = 1; i < 5 * HeapGuard.FULL_CHECKS; i++) {
            double share = i % HeapGuard.FULL_CHECKS == 0 ? FULL - 0.01 : 1;
            assertThat(judge.isFull(i, share)).isFalse();
        }
    }

    /// A program whose main thread ends while another thread keeps it alive, like JGroups' threads.
    static final class Full {
        private static final List<byte[]> KEPT = new ArrayList<>();

        private Full() {}

        public static void main(String[] args) {
            HeapGuard _ =
                    HeapGuard.start(
                            full -> System.exit(full.kind().exitCode()), Duration.ofSeconds(2));
            Thread.ofPlatform().start(Full::fill);
        }

        private static void fill() {
            while (true) {
                try {
                    KEPT.add(new byte[1000]);
                } catch (OutOfMemoryError full) {
                    // continues with a full heap
                }
            }
        }
    }

    @Test
    void endsProcessWithPermanentlyFullHeap() throws IOException, InterruptedException {
        Process full =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx24m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Full.class.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            assertThat(full.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(full.exitValue()).isEqualTo(UserError.Kind.INVALID.exitCode());
        } finally {
            full.destroyForcibly();
        }
    }
}
