package dev.jdyno.observe;

import dev.jdyno.measure.UserError;
import dev.jdyno.target.Jcmd;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// A recording of a few events for a while, in a window of its own and beside {@link
/// FlightRecording}, with the same reserves asked for. {@link #end()} must follow.
final class SideRecording {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Jcmd jcmd;
    private final Headroom headroom;
    private final String name;
    private final String purpose;
    private boolean running;

    private SideRecording(Target target, String purpose, String suffix) {
        this.jcmd = target.jcmd();
        this.headroom = new Headroom(ProcFs.SYSTEM, target.pid());
        this.name = FlightRecording.PREFIX + ProcessHandle.current().pid() + suffix;
        this.purpose = purpose;
    }

    /// @param purpose what cannot be had without it: "stages cannot be timed"
    /// @param suffix one of those that {@link FlightRecording} removes when they were left behind
    /// @param settings as in a `.jfc` file
    /// @throws UserError when the target is short of what a recording needs, or refuses
    static SideRecording start(Target target, String purpose, String suffix, String settings)
            throws InterruptedException {
        var recording = new SideRecording(target, purpose, suffix);
        recording.begin(settings);
        return recording;
    }

    private void begin(String settings) throws InterruptedException {
        requireRoom();
        Path file = headroom.tmp().resolve(name + ".jfc");
        try {
            Files.writeString(file, settings);
            String answer =
                    jcmd.run(
                            "JFR.start name=" + name + " settings=/tmp/" + file.getFileName(),
                            LIMIT);
            running = answer.contains("Started recording");
            if (!running) {
                throw UserError.target(
                        purpose,
                        FlightRecording.firstLine(answer),
                        "look at its JVM's own messages");
            }
        } catch (IOException notWritten) {
            throw unusable(notWritten);
        } finally {
            FlightRecording.delete(file);
        }
    }

    private void requireRoom() {
        Optional<String> danger = headroom.shortOf();
        if (danger.isPresent()) {
            throw UserError.target(purpose, danger.get(), "mend it, run it again");
        }
    }

    private UserError unusable(IOException failed) {
        return UserError.target(
                        purpose,
                        "its /tmp cannot be used: " + failed.getMessage(),
                        "free some space there")
                .causedBy(failed);
    }

    /// What is made of the file with what was recorded.
    interface Reading<T> {
        T read(Path recording) throws IOException;
    }

    /// Ends the recording and reads it; the file is gone afterwards.
    ///
    /// @throws UserError when it cannot be had or read
    <T> T finish(Reading<T> reading) throws InterruptedException {
        requireRoom();
        Path file = headroom.tmp().resolve(name + ".jfr");
        try {
            // with its file in one command: what a JVM does for a dump it does again for a stop
            jcmd.run("JFR.stop name=" + name + " filename=/tmp/" + file.getFileName(), LIMIT);
            running = false;
            return reading.read(file);
        } catch (IOException failed) {
            throw unusable(failed);
        } finally {
            FlightRecording.delete(file);
        }
    }

    /// Ends the recording where {@link #finish} did not, also when we were interrupted.
    ///
    /// @throws UserError when the target does not answer
    void end() throws InterruptedException {
        if (!running) {
            return;
        }
        running = false;
        boolean interrupted = Thread.interrupted();
        try {
            jcmd.run("JFR.stop name=" + name, LIMIT);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
