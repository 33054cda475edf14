package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The JVM's work for jdyno's own thread dump does not count for the service.
class OwnAnswersTest {
    @TempDir Path dir;

    private static final class Mark extends Event {}

    @Test
    void attachThreadCountsAsObserver() throws Exception {
        Path file = dir.resolve("recording.jfr");
        try (var recording = new Recording()) {
            recording.enable(Mark.class);
            recording.start();
            for (String name : List.of("Attach Listener", "worker", "worker")) {
                Thread.ofPlatform().name(name).start(() -> new Mark().commit()).join();
            }
            recording.dump(file);
        }

        assertThat(RecordingFile.readAllEvents(file))
                .filteredOn(e -> e.getEventType().getName().equals(Mark.class.getName()))
                .extracting(FlightStack::isOurs)
                .containsExactlyInAnyOrder(true, false, false);
    }
}
