package dev.jdyno.observe.jfr;

import dev.jdyno.measure.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Predicate;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// Reads the events of a flight recording that another JVM wrote. All readers of recordings use
/// this class. Any fault of the recording becomes an `IOException`, and the reading ends.
public final class RecordedEvents {
    /// Maximum number of events that are read. Readers keep data of each event. A recording of 100
    /// MiB contains one to two million events.
    private static final int MAX_EVENTS = 5_000_000;

    /// Maximum time of reading. The largest recordings that jdyno requests take ten seconds on a
    /// busy machine.
    private static final double LONGEST_S = 120;

    private RecordedEvents() {}

    /// Passes every event of a recording to `taker`.
    ///
    /// @throws IOException when it is not a recording, or one that cannot be read
    public static void each(Path recording, Consumer<RecordedEvent> taker) throws IOException {
        var limit = new Limit();
        read(
                recording,
                events -> {
                    while (events.hasMoreEvents()) {
                        limit.count();
                        taker.accept(events.readEvent());
                    }
                });
    }

    /// Writes the events that `kept` accepts into another recording.
    ///
    /// @throws IOException when it is not a recording, or one that cannot be read
    static void copy(Path recording, Path to, Predicate<RecordedEvent> kept) throws IOException {
        var limit = new Limit();
        read(
                recording,
                events ->
                        events.write(
                                to,
                                event -> {
                                    limit.countUnchecked();
                                    return kept.test(event);
                                }));
    }

    private interface Reading {
        void of(RecordingFile events) throws IOException;
    }

    private static void read(Path recording, Reading reading) throws IOException {
        RecordingShape.require(recording);
        try (var events = new RecordingFile(recording)) {
            reading.of(events);
        } catch (UncheckedIOException tooMuch) {
            throw tooMuch.getCause();
        } catch (RuntimeException | LinkageError broken) {
            throw unreadable(broken);
        } catch (InternalError | StackOverflowError | OutOfMemoryError broken) {
            // the parser trusts its file: it allocates arrays of any length, calls itself for
            // nested types, and throws InternalError for a missing constant. The memory is free
            // again when the parser has failed
            throw unreadable(broken);
        }
    }

    /// Limits the number of events that are read, and the time.
    private static final class Limit {
        private final long start = NanoClock.SYSTEM.nanos();
        private int read;

        void count() throws IOException {
            if (++read > MAX_EVENTS) {
                throw new IOException("it holds more than " + MAX_EVENTS + " events");
            }
            if (NanoClock.SYSTEM.secondsSince(start) > LONGEST_S) {
                throw new IOException("reading it takes more than " + LONGEST_S + " s");
            }
        }

        void countUnchecked() {
            try {
                count();
            } catch (IOException tooMuch) {
                throw new UncheckedIOException(tooMuch);
            }
        }
    }

    private static IOException unreadable(Throwable broken) {
        return new IOException(
                "its events cannot be read (" + broken.getClass().getSimpleName() + ")", broken);
    }
}
