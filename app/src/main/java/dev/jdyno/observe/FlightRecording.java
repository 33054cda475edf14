package dev.jdyno.observe;

import dev.jdyno.measure.UserError;
import dev.jdyno.target.Jcmd;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A JFR recording in the target, with settings of our own, over attach. It is watched while it
/// runs ({@link RecordingGuard}), written out and removed at the end; recordings that an earlier jdyno
/// left because it was killed are removed when the next one starts.
final class FlightRecording implements Probe {
    /// What the recording may take of the target's disk; older chunks are thrown away.
    private static final String SIZE_MAX = "100m";

    /// The first JFR command loads classes: 1.5 s on a busy 2-core machine.
    static final Duration LIMIT = Duration.ofSeconds(20);

    /// How the names of our recordings begin; the tool's process id follows.
    static final String PREFIX = "jdyno-";

    // Recording 1: name=jdyno-1234 maxsize=100.0MB (running)
    // Recording 2: name=jdyno-1234-stages (running)
    private static final Pattern OURS =
            Pattern.compile("name=\"?(" + PREFIX + "(\\d+)(?:-stages|-old)?)\"?");

    private final Jcmd jcmd;
    private final Headroom headroom;
    private final String name;
    private volatile Optional<String> missing = Optional.empty();
    private volatile boolean running;
    private Optional<RecordingGuard> guard = Optional.empty();

    private FlightRecording(Target target, Headroom headroom, String name) {
        this.jcmd = target.jcmd();
        this.headroom = headroom;
        this.name = name;
    }

    /// Starts recording, or says in {@link #missing()} why not.
    ///
    /// @param ownPid tells this jdyno's recording from others'
    static FlightRecording start(Target target, Headroom headroom, long ownPid)
            throws InterruptedException {
        var recording = new FlightRecording(target, headroom, PREFIX + ownPid);
        recording.begin();
        return recording;
    }

    private synchronized void begin() throws InterruptedException {
        missing = shortOf();
        if (missing.isPresent()) {
            return;
        }
        Path settings = headroom.tmp().resolve(name + ".jfc");
        try (InputStream own = FlightRecording.class.getResourceAsStream("jdyno.jfc")) {
            if (own == null) {
                throw new IllegalStateException("jdyno.jfc is not in the jar");
            }
            removeLeftovers();
            Files.copy(own, settings, StandardCopyOption.REPLACE_EXISTING);
            String answer =
                    jcmd.run(
                            "JFR.start name="
                                    + name
                                    + " settings=/tmp/"
                                    + settings.getFileName()
                                    + " maxsize="
                                    + SIZE_MAX,
                            LIMIT);
            running = answer.contains("Started recording");
            if (running) {
                guard = Optional.of(RecordingGuard.over(headroom, this::stopBefore));
                // only now has it made its folder, and says where that really is
                headroom.writesChunksIn(ChunkFolder.of(jcmd));
            } else {
                missing = Optional.of(firstLine(answer));
            }
        } catch (UserError refused) {
            missing = Optional.of(refused.why());
        } catch (IOException notWritten) {
            missing = Optional.of("its /tmp cannot be written: " + notWritten.getMessage());
        } finally {
            delete(settings);
        }
    }

    /// Descriptors first: asking for the folder costs some, too.
    private Optional<String> shortOf() throws InterruptedException {
        Optional<String> danger = headroom.shortOf();
        if (danger.isPresent()) {
            return danger;
        }
        try {
            headroom.writesChunksIn(ChunkFolder.of(jcmd));
            return headroom.shortOf();
        } catch (UserError unknown) {
            return Optional.of(unknown.why());
        }
    }

    /// Stops the recordings of jdynos that live no more.
    private void removeLeftovers() throws InterruptedException {
        Matcher left = OURS.matcher(jcmd.run("JFR.check", LIMIT));
        while (left.find()) {
            boolean itsToolLives =
                    ProcessHandle.of(Long.parseLong(left.group(2)))
                            .map(ProcessHandle::isAlive)
                            .orElse(false);
            if (!itsToolLives || left.group(1).equals(name)) {
                jcmd.run("JFR.stop name=" + left.group(1), LIMIT);
            }
        }
    }

    boolean isRunning() {
        return running;
    }

    private synchronized void stopBefore(String danger) throws InterruptedException {
        if (running) {
            missing = Optional.of("stopped in the middle: " + danger);
            stop();
        }
    }

    /// Writes what was recorded to a file of ours and ends the recording.
    ///
    /// @return whether there is a file
    synchronized boolean finish(Path file) throws InterruptedException {
        if (!running) {
            return false;
        }
        Path dump = headroom.tmp().resolve(name + ".jfr");
        try {
            Optional<String> danger = headroom.shortOf();
            if (danger.isPresent()) {
                missing = danger;
                return false;
            }
            jcmd.run("JFR.dump name=" + name + " filename=/tmp/" + dump.getFileName(), LIMIT);
            Files.copy(dump, file, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (UserError refused) {
            missing = Optional.of(refused.why());
            return false;
        } catch (IOException notCopied) {
            missing = Optional.of("the recording was not written: " + notCopied.getMessage());
            return false;
        } finally {
            stop();
            delete(dump);
        }
    }

    private void stop() throws InterruptedException {
        running = false;
        guard.ifPresent(RecordingGuard::close);
        try {
            jcmd.run("JFR.stop name=" + name, LIMIT);
        } catch (UserError gone) {
            missing = missing.or(() -> Optional.of("not stopped: " + gone.why()));
        }
    }

    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // the target's /tmp went away with it
        }
    }

    static String firstLine(String answer) {
        return answer.strip().lines().findFirst().orElse("no answer");
    }

    @Override
    public Sheet sheet() {
        return new Sheet(
                "jfr",
                "JDK 11+ (8u262+), 64 free file descriptors, 512 MiB in the target's /tmp and where"
                        + " its chunks lie",
                "1–1.5 s of its CPU once at the start, then about 1 % of the CPU of a busy page");
    }

    @Override
    public Optional<String> missing() {
        return missing;
    }
}
