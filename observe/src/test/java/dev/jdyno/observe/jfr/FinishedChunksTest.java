package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.files.Folder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FinishedChunksTest {
    @TempDir private Path dir;

    private void chunk(String name, int state) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(100);
        chunk.putInt(0, 0x464C5200).putLong(8, 100).put(64, (byte) state).put(99, (byte) state);
        Files.write(dir.resolve(name), chunk.array());
    }

    private int join(Path joined) throws IOException {
        try (Folder repository = Folder.open(dir)) {
            return FinishedChunks.join(repository, 1 << 20, joined);
        }
    }

    @Test
    void aLinkAndAChunkThatIsTooLargeAreLeftOut() throws IOException {
        chunk("1.jfr", 0);
        Files.createSymbolicLink(dir.resolve("2.jfr"), dir.resolve("1.jfr"));
        try (var sparse = new RandomAccessFile(dir.resolve("3.jfr").toFile(), "rw")) {
            sparse.write(
                    ByteBuffer.allocate(16).putInt(0, 0x464C5200).putLong(8, 1L << 30).array());
            sparse.setLength(1L << 30);
        }

        assertThat(join(dir.resolve("joined"))).isEqualTo(1);
    }

    @Test
    void joinsOnlyFinishedChunks() throws IOException {
        chunk("1.jfr", 0);
        chunk("2.jfr", 0);
        // one flush was over, and the next one had not begun
        chunk("3.jfr", 7);
        chunk("4.jfr", 255);
        Path joined = dir.resolve("joined");

        assertThat(join(joined)).isEqualTo(2);

        assertThat(Files.size(joined)).isEqualTo(200);
    }

    @Test
    void writesNothingWithoutFinishedChunks() throws IOException {
        chunk("1.jfr", 1);
        Path joined = dir.resolve("joined");

        assertThat(join(joined)).isZero();

        assertThat(joined).doesNotExist();
    }
}
