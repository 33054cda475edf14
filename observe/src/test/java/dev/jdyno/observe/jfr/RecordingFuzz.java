package dev.jdyno.observe.jfr;

import dev.jdyno.fuzz.Scratch;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.heap.LeakTrail;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stages.StageRecording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Recording;

/// Reads a flight recording of the target with every reader of recordings.
public final class RecordingFuzz {
    private static final Scratch SCRATCH = new Scratch();
    private static final Frames FRAMES = Frames.builtIn();
    private static final Instant TO = Instant.parse("2100-01-01T00:00:00Z");

    private RecordingFuzz() {}

    private interface Reader {
        void read(Path recording) throws IOException;
    }

    public static void fuzzerTestOneInput(byte[] input) {
        Path file = SCRATCH.file("recording.jfr", input);
        List<Reader> readers =
                List.of(
                        f ->
                                FlightFigures.read(f, FRAMES)
                                        .places(Instant.EPOCH, TO, java.util.Set.of()),
                        f -> FlightAllocations.read(f, Instant.EPOCH, TO, 1, 1),
                        f -> FlightWaits.read(f, Instant.EPOCH, TO, 1, 1, FRAMES),
                        f -> FlightPins.read(f, Instant.EPOCH, TO, 1, 1, FRAMES),
                        f -> CpuSamples.read(f, Instant.EPOCH, TO, 1),
                        f -> FlightExceptions.read(f, Optional.empty(), FRAMES),
                        f -> StageRecording.read(f, Duration.ofSeconds(1)),
                        LeakTrail::read);
        for (Reader reader : readers) {
            try {
                reader.read(file);
            } catch (IOException | UserError refused) {
                // the documented exception
            }
        }
    }

    public static List<byte[]> seeds() throws Exception {
        try (var recording = new Recording()) {
            for (String event :
                    List.of(
                            "jdk.GCPhasePause",
                            "jdk.GarbageCollection",
                            "jdk.ObjectAllocationSample",
                            "jdk.JavaExceptionThrow",
                            "jdk.ExceptionStatistics",
                            "jdk.ThreadSleep",
                            "jdk.OldObjectSample")) {
                recording.enable(event).withThreshold(Duration.ZERO);
            }
            recording.start();
            for (int i = 0; i < 20; i++) {
                Thread.onSpinWait();
                new IllegalStateException(" " + i).fillInStackTrace();
            }
            System.gc();
            recording.stop();
            Path file = SCRATCH.folder().resolve("seed.jfr");
            recording.dump(file);
            file.toFile().deleteOnExit();
            return List.of(Files.readAllBytes(file));
        }
    }
}
