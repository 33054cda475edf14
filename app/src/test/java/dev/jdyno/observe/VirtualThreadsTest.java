package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VirtualThreadsTest {
    @TempDir Path dir;

    @Test
    void thoseBeyondTheLimitAreCounted() {
        String thread =
                "{\"name\": \"\", \"virtual\": true, \"stack\": [\"com.acme.Page.get(Page.java:7)\"]}";
        String json =
                "{\"threadDump\": {\"threadContainers\": [{\"threads\": ["
                        + String.join(",", Collections.nCopies(7, thread))
                        + "]}]}}";

        assertThat(VirtualThreads.parse(json, 5).threads()).hasSize(5);
        assertThat(VirtualThreads.parse(json, 5).left()).isEqualTo(2);
        assertThat(VirtualThreads.parse(json, 7).left()).isZero();
    }

    /// A folder stands where the dump should go, as a `/tmp` that cannot be written would.
    @Test
    void aDumpThatCannotBeWrittenIsSaid() throws Exception {
        try (Target target = Victims.launch(Victims.jdks().getFirst(), dir, "virtual-sleep")) {
            Path inTheWay =
                    Files.createDirectories(
                            Path.of("/tmp/jdyno-threads-" + target.pid() + ".json/full"));
            try {
                var virtuals = new VirtualThreads(ProcFs.SYSTEM, target);

                assertThat(virtuals.missing()).isEmpty();
                assertThat(virtuals.dump()).isEmpty();
                assertThat(virtuals.missing().orElseThrow())
                        .startsWith("virtual threads: ")
                        .contains("what they do was not seen");
            } finally {
                Files.delete(inTheWay);
                Files.delete(inTheWay.getParent());
            }
        }
    }
}
