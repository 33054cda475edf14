package dev.jdyno.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Neighbour;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeighbourWatchTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir Path root;
    private long nanos;
    private long perLook;

    /// Each look at the clock takes so long, so a reading between two of them does, too.
    private long clock() {
        nanos += perLook;
        return nanos;
    }

    private NeighbourWatch watch() {
        return new NeighbourWatch(new ProcFs(root), Set.of(13L), this::clock);
    }

    private void burnt(long ticks) throws IOException {
        Path of = Files.createDirectories(root.resolve("30"));
        Files.writeString(of.resolve("comm"), "burn\n");
        Files.writeString(
                of.resolve("stat"),
                "30 (burn) R 1 1 1 0 -1 0 0 0 0 0 " + ticks + " 0 0 0 20 0 1 0 4000 0 0");
    }

    @Test
    void eachWindowHasTheUseSinceTheOneBefore() throws IOException {
        burnt(700);
        NeighbourWatch watch = watch();
        nanos += SECOND;
        burnt(800);
        assertThat(watch.take()).containsExactly(new Neighbour("burn", 30, 1));
        nanos += 2 * SECOND;
        burnt(850);
        assertThat(watch.take()).containsExactly(new Neighbour("burn", 30, 0.25));
        nanos += SECOND;
        assertThat(watch.take()).isEmpty();
    }

    @Test
    void twoTakesAtOnceReadOnce() throws IOException {
        burnt(0);
        NeighbourWatch watch = watch();
        nanos += SECOND;
        burnt(100);
        assertThat(watch.take()).hasSize(1);
        burnt(900);
        assertThat(watch.take()).containsExactly(new Neighbour("burn", 30, 1));
    }

    /// A reading that takes 20 ms may be made every 2 s: it is 1 % of a core then.
    @Test
    void aDearReadingIsMadeLessOftenThanOnceAWindow() throws IOException {
        perLook = 20_000_000;
        burnt(0);
        NeighbourWatch watch = watch();
        nanos += SECOND;
        burnt(100);
        assertThat(watch.take()).isEmpty();
        nanos += SECOND;
        burnt(210);
        assertThat(watch.take()).hasSize(1);
    }
}
