package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.observe.HeldObject.Holder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a recording of this very JVM tells of objects that live still.
class LeakTrailTest {
    private static final List<byte[]> KEPT = new ArrayList<>();
    private static final int OBJECTS = 4000;
    private static final int BYTES = 2 * 1024;

    /// Which objects are sampled is by chance: in so many turns some are.
    private static final int TURNS = 20;

    @TempDir Path dir;

    @Test
    void namesTheFieldThatHoldsWhatIsNeverLetGo() throws Exception {
        Optional<Holder> holder = Optional.empty();
        try (var recording = new Recording()) {
            recording.enable("jdk.OldObjectSample").withStackTrace().with("cutoff", "10 s");
            recording.start();
            for (int turn = 0; turn < TURNS && holder.isEmpty(); turn++) {
                keepMore();
                // only what has survived a collection is told of
                System.gc();
                Path file = dir.resolve("old" + turn + ".jfr");
                recording.dump(file);
                holder = HeldObject.holder(LeakTrail.read(file), "[B");
            }
        } finally {
            KEPT.clear();
        }

        assertThat(holder.map(Holder::by)).contains(LeakTrailTest.class.getName() + ".KEPT");
        assertThat(holder.map(Holder::kind)).contains("java.util.ArrayList");
        assertThat(holder.orElseThrow().madeAt())
                .startsWith(LeakTrailTest.class.getName() + ".keepMore, line ");
    }

    private static void keepMore() {
        for (int i = 0; i < OBJECTS; i++) {
            KEPT.add(new byte[BYTES]);
        }
    }
}
