package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Recordings of this JVM.
class FlightJvmTest {
    private static final String CLASSES = "jdk.ClassLoadingStatistics";
    private static final String THREADS = "jdk.JavaThreadStatistics";

    /// Number of classes that are loaded in each half of a recording.
    private static final int LOADED = 300;

    @TempDir Path dir;

    private static final class OneClass extends ClassLoader {
        Class<?> load() {
            byte[] made = ClassFile.of().build(ClassDesc.of("com.acme.Made"), _ -> {});
            return defineClass("com.acme.Made", made, 0, made.length);
        }
    }

    private static void load() {
        for (int i = 0; i < LOADED; i++) {
            assertThat(new OneClass().load().getName()).isEqualTo("com.acme.Made");
        }
    }

    /// Records two chunks. At the beginning and at the end of each, JFR writes the event.
    private Path recorded(String event) throws IOException {
        Path file = dir.resolve("recording.jfr");
        try (var recording = new Recording();
                var second = new Recording()) {
            recording.enable(event).with("period", "everyChunk");
            recording.start();
            load();
            // another recording begins another chunk
            second.start();
            second.stop();
            load();
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    private static List<RecordedEvent> events(Path file, String event) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .filter(e -> e.getEventType().getName().equals(event))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
    }

    @Test
    void countsClassesThatAreLoadedAllTheTime() throws IOException {
        Path file = recorded(CLASSES);
        List<RecordedEvent> events = events(file, CLASSES);
        double seconds =
                FlightJvm.seconds(
                        events.getFirst().getStartTime(), events.getLast().getStartTime());
        long grown =
                events.getLast().getLong("loadedClassCount")
                        - events.getFirst().getLong("loadedClassCount");

        double perS =
                FlightJvm.read(file).classesLoadedPerS(Instant.EPOCH, Instant.MAX).orElseThrow();

        assertThat(grown).isGreaterThanOrEqualTo(2 * LOADED);
        // each half has its classes, and is shorter than the whole
        assertThat(perS).isBetween(LOADED / seconds, grown / seconds);
    }

    @Test
    void recordingWithoutTheEventHasNoCount() throws IOException {
        FlightJvm jvm = FlightJvm.read(recorded(THREADS));

        assertThat(jvm.count(CLASSES)).isZero();
        assertThat(jvm.classesLoadedPerS(Instant.EPOCH, Instant.MAX)).isEmpty();
        assertThat(jvm.startedPerS(Instant.EPOCH, Instant.MAX).orElseThrow())
                .isGreaterThanOrEqualTo(0);
    }

    @Test
    void countsNothingAtAnotherTime() throws IOException {
        FlightJvm jvm = FlightJvm.read(recorded(CLASSES));
        Instant first = jvm.first().orElseThrow();

        assertThat(jvm.classesLoadedPerS(first.minusSeconds(60), first)).isEmpty();
    }
}
