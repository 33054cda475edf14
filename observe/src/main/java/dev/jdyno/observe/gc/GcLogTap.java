package dev.jdyno.observe.gc;

import dev.jdyno.files.Handle;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.probe.Probe;
import dev.jdyno.target.Jcmd;
import dev.jdyno.target.SharedFolder;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/// A GC log of the running target, switched on and off over attach (`VM.log`, JDK 9+). The outputs
/// that the service itself configured are not changed.
public final class GcLogTap implements Probe {
    /// The JVM rotates the log at this size, so it cannot fill the disk.
    private static final String OPTIONS = "output_options=\"filecount=1,filesize=32M\"";

    /// The log's name in the folder shared with the target.
    public static final String NAME = "gc.log";

    /// Maximum number of requests to the target to stop logging.
    private static final int TRIES = 2;

    private final Target target;
    private final Jcmd jcmd;
    private final String tags;
    private Optional<String> missing = Optional.empty();
    private boolean running;

    /// The log whose start was requested and whose end is not confirmed: a JVM that answers late
    /// starts it nevertheless.
    private Optional<String> mayLogTo = Optional.empty();

    private final StallReader stalls;

    private GcLogTap(Target target, String tags) {
        this.target = target;
        this.jcmd = target.jcmd();
        this.tags = tags;
        this.stalls = new StallReader(this::log);
    }

    private FileChannel log() throws IOException {
        try (Handle log = target.shared().read(NAME, StallReader.KEPT_BYTES)) {
            return log.channel();
        }
    }

    /// Switches the log on. If that fails, {@link #missing()} has the reason.
    public static GcLogTap start(Target target) throws InterruptedException {
        return start(target, "gc*=info,safepoint=info");
    }

    /// @param tags tags of the log with their levels, as in `-Xlog`
    public static GcLogTap start(Target target, String tags) throws InterruptedException {
        var tap = new GcLogTap(target, tags);
        tap.begin();
        return tap;
    }

    private void begin() throws InterruptedException {
        boolean settled = false;
        try {
            SharedFolder shared = target.shared();
            String file = shared.seenByTarget(NAME);
            mayLogTo = Optional.of(file);
            String answer =
                    jcmd.run(
                            "VM.log output=file="
                                    + file
                                    + " what="
                                    + tags
                                    + " decorators=uptime,level,tags "
                                    + OPTIONS);
            if (shared.exists(NAME)) {
                stalls.takeSeconds();
                running = true;
            } else {
                missing = Optional.of(answer.strip().lines().findFirst().orElse("no log appeared"));
            }
            settled = running;
        } catch (UserError refused) {
            missing = Optional.of(refused.why());
        } catch (IOException unusable) {
            missing = Optional.of("its /tmp cannot be used: " + unusable.getMessage());
        } finally {
            // whatever went wrong: a log that may have begun is ended
            if (!settled) {
                switchOff();
                removeFiles();
            }
        }
    }

    /// @param file path as the target sees it
    public static String offCommand(String file) {
        return "VM.log output=file=" + file + " what=all=off";
    }

    /// Thread-seconds in which threads waited for the collector to free memory since the last call;
    /// empty without a log.
    public Optional<Double> takeStallSeconds() {
        if (!running) {
            return Optional.empty();
        }
        try {
            return Optional.of(stalls.takeSeconds());
        } catch (IOException gone) {
            missing = Optional.of("the log cannot be read: " + gone.getMessage());
            return Optional.empty();
        }
    }

    /// Switches the log off and keeps its content. It also works when the target has ended, when
    /// the log is most informative.
    ///
    /// @return true if there is a file
    public boolean finish(Path file) throws InterruptedException {
        if (!running) {
            return false;
        }
        try {
            switchOff();
            stalls.copyTo(file);
            return true;
        } catch (IOException notCopied) {
            missing = Optional.of("the log was not copied: " + notCopied.getMessage());
            return false;
        } finally {
            removeFiles();
        }
    }

    /// Switches the log off and discards it.
    public void end() throws InterruptedException {
        if (mayLogTo.isEmpty()) {
            return;
        }
        try {
            switchOff();
        } finally {
            removeFiles();
        }
    }

    /// Switches the log off even if this thread is interrupted.
    private void switchOff() throws InterruptedException {
        running = false;
        if (mayLogTo.isEmpty()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            for (int i = 0; i < TRIES && mayLogTo.isPresent(); i++) {
                switchOff(mayLogTo.get());
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Requests the end of the log. If a running JVM refused or answered too late, the caller may
    /// request it again.
    private void switchOff(String file) throws InterruptedException {
        try {
            jcmd.run(offCommand(file), Jcmd.LIMIT);
            mayLogTo = Optional.empty();
        } catch (UserError refused) {
            missing = missing.or(() -> Optional.of(refused.why()));
            if (!target.isAlive()) {
                mayLogTo = Optional.empty();
            }
        }
    }

    private void removeFiles() {
        try {
            stalls.close();
        } catch (IOException notClosed) {
            missing = Optional.of("the log was not closed: " + notClosed.getMessage());
        }
        target.removeShared(NAME);
        target.removeShared(NAME + ".0");
    }

    @Override
    public Sheet sheet() {
        return new Sheet("gclog", "JDK 9+, a writable /tmp", "one small write per collection");
    }

    @Override
    public Optional<String> missing() {
        return missing;
    }
}
