package dev.jdyno.observe.jfr;

import dev.jdyno.files.Handle;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.host.Headroom;
import dev.jdyno.target.Jcmd;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.SharedFolder;
import dev.jdyno.target.Target;
import dev.jdyno.target.ToolMark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// A recording of a few events for a limited time, in a separate window, while {@link
/// FlightRecording} goes on. It requires and checks the same reserves. {@link #end()} must follow.
public final class SideRecording {
    /// Maximum duration, longer than any window. After it the recording ends by itself even if its
    /// jdyno process was killed.
    private static final Duration LONGEST = Duration.ofHours(1);

    private final Target target;
    private final Jcmd jcmd;
    private final Headroom headroom;
    private final String name;
    private final String purpose;
    private boolean running;
    private boolean mayRecord;
    private Optional<String> endedBefore = Optional.empty();
    private Optional<RecordingGuard> guard = Optional.empty();

    private SideRecording(Target target, String purpose, String suffix) {
        this.target = target;
        this.jcmd = target.jcmd();
        this.headroom = new Headroom(ProcFs.SYSTEM, target.pid());
        this.name = FlightRecording.PREFIX + ToolMark.own() + suffix;
        this.purpose = purpose;
    }

    /// @param purpose what is not possible without the recording: "stages cannot be timed"
    /// @param suffix a suffix that `Leftovers` and {@link LeftFiles} know
    /// @param settings content of a `.jfc` file
    /// @throws UserError when the target lacks what a recording needs, or refuses
    public static SideRecording start(Target target, String purpose, String suffix, String settings)
            throws InterruptedException {
        return start(target, purpose, suffix, settings, FlightRecording.LIMIT);
    }

    public static SideRecording start(
            Target target, String purpose, String suffix, String settings, Duration limit)
            throws InterruptedException {
        var recording = new SideRecording(target, purpose, suffix);
        recording.begin(settings, limit);
        return recording;
    }

    private synchronized void begin(String settings, Duration limit) throws InterruptedException {
        requireFreeSpace();
        headroom.writesChunksIn(ChunkFolder.of(jcmd));
        requireFreeSpace();
        String file = name + ".jfc";
        try {
            SharedFolder shared = target.shared();
            shared.write(file, settings.getBytes(StandardCharsets.UTF_8));
            mayRecord = true;
            String answer =
                    jcmd.run(
                            FlightRecording.command(name, shared.seenByTarget(file), LONGEST),
                            limit);
            running = answer.contains("Started recording");
            if (!running) {
                mayRecord = false;
                throw UserError.target(
                        purpose,
                        FlightRecording.firstLine(answer),
                        "look at its JVM's own messages");
            }
            guard = Optional.of(RecordingGuard.over(headroom, this::endBefore));
            // the flight recorder creates its folder at the first start, so only now it reports the
            // real path
            headroom.writesChunksIn(ChunkFolder.of(jcmd));
        } catch (IOException notWritten) {
            throw unusable(notWritten);
        } catch (RuntimeException | InterruptedException failed) {
            // a JVM that answers late may start the recording nevertheless
            endAfter(failed);
            throw failed;
        } finally {
            target.removeShared(file);
        }
    }

    private void endAfter(Exception refused) throws InterruptedException {
        try {
            end();
        } catch (UserError notEnded) {
            refused.addSuppressed(notEnded);
        }
    }

    private synchronized void endBefore(String danger) throws InterruptedException {
        if (running) {
            endedBefore = Optional.of("stopped in the middle: " + danger);
            try {
                end();
            } catch (UserError gone) {
                endedBefore = Optional.of(danger + "; not stopped: " + gone.why());
            }
        }
    }

    private void requireFreeSpace() {
        Optional<String> danger = endedBefore.or(headroom::shortOf);
        if (danger.isPresent()) {
            throw UserError.target(purpose, danger.get(), "fix it, then run it again");
        }
    }

    private UserError unusable(IOException failed) {
        return UserError.target(
                        purpose,
                        "its /tmp cannot be used: " + failed.getMessage(),
                        "free some space there")
                .causedBy(failed);
    }

    /// Reads the file of the recording.
    public interface Reading<T> {
        T read(Path recording) throws IOException;
    }

    /// Ends the recording and reads a copy, which the target's user cannot change meanwhile. Both
    /// files are deleted afterwards.
    ///
    /// @throws UserError when it is not available or cannot be read
    public synchronized <T> T finish(Reading<T> reading) throws InterruptedException {
        requireFreeSpace();
        String file = name + ".jfr";
        try {
            SharedFolder shared = target.shared();
            // one command writes the file and stops the recording: with JFR.dump before it, the JVM
            // would do the same work twice
            jcmd.run(
                    "JFR.stop name=" + name + " filename=" + shared.seenByTarget(file),
                    FlightRecording.LIMIT);
            running = false;
            mayRecord = false;
            guard.ifPresent(RecordingGuard::close);
            return copied(shared, file, reading);
        } catch (IOException failed) {
            throw unusable(failed);
        } finally {
            target.removeShared(file);
        }
    }

    private static <T> T copied(SharedFolder shared, String file, Reading<T> reading)
            throws IOException {
        Path copy = Files.createTempFile("jdyno-", ".jfr");
        try (Handle recording = shared.read(file, RecordingShape.MAX_BYTES)) {
            recording.copyTo(copy);
            return reading.read(copy);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    /// Ends the recording if {@link #finish} did not, also when this thread was interrupted.
    ///
    /// @throws UserError when the target does not answer
    public synchronized void end() throws InterruptedException {
        guard.ifPresent(RecordingGuard::close);
        if (!mayRecord) {
            return;
        }
        running = false;
        boolean interrupted = Thread.interrupted();
        try {
            jcmd.run("JFR.stop name=" + name, FlightRecording.LIMIT);
            mayRecord = false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
