package dev.jdyno.observe;

import dev.jdyno.measure.UserError;
import dev.jdyno.target.Jcmd;
import dev.jdyno.target.Target;
import dev.jdyno.target.ToolMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// A GC log of the target's next minutes, switched on and off over attach (`VM.log`, JDK 9+). The
/// outputs that the service itself configured stay as they are.
final class GcLogTap implements Probe {
    /// Rotated by the JVM at this size, so it cannot fill the disk.
    private static final String OPTIONS = "output_options=\"filecount=1,filesize=32M\"";

    private final Jcmd jcmd;
    private final Path tmp;
    private final String name;
    private final String tags;
    private Optional<String> missing = Optional.empty();
    private boolean running;
    private final StallReader stalls;

    private GcLogTap(Target target, Path tmp, String name, String tags) {
        this.jcmd = target.jcmd();
        this.tmp = tmp;
        this.name = name;
        this.tags = tags;
        this.stalls = new StallReader(tmp.resolve(name));
    }

    /// Switches the log on, or says in {@link #missing()} why not.
    static GcLogTap start(Target target, Headroom headroom, ToolMark own)
            throws InterruptedException {
        return start(target, headroom, own, "gc*=info,safepoint=info");
    }

    /// @param tags with their levels, as in `-Xlog`
    static GcLogTap start(Target target, Headroom headroom, ToolMark own, String tags)
            throws InterruptedException {
        var tap = new GcLogTap(target, headroom.tmp(), "jdyno-" + own + "-gc.log", tags);
        tap.begin();
        return tap;
    }

    private void begin() throws InterruptedException {
        try {
            String answer =
                    jcmd.run(
                            "VM.log output=file=/tmp/"
                                    + name
                                    + " what="
                                    + tags
                                    + " decorators=uptime,level,tags "
                                    + OPTIONS);
            if (Files.exists(tmp.resolve(name))) {
                running = true;
                stalls.takeSeconds();
            } else {
                missing = Optional.of(answer.strip().lines().findFirst().orElse("no log appeared"));
            }
        } catch (UserError refused) {
            missing = Optional.of(refused.why());
        } catch (IOException unreadable) {
            missing = Optional.of("the log cannot be read: " + unreadable.getMessage());
        }
    }

    /// @param file as the target sees it
    static String offCommand(String file) {
        return "VM.log output=file=" + file + " what=all=off";
    }

    /// Thread-seconds for which the collector let threads wait for memory since the last call;
    /// empty without a log.
    Optional<Double> takeStallSeconds() {
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

    /// Switches the log off and keeps what it holds, also when the target has ended: then it tells
    /// most.
    ///
    /// @return whether there is a file
    boolean finish(Path file) throws InterruptedException {
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

    /// Switches the log off and throws it away.
    void end() throws InterruptedException {
        if (!running) {
            return;
        }
        try {
            switchOff();
        } finally {
            removeFiles();
        }
    }

    private void switchOff() throws InterruptedException {
        running = false;
        try {
            jcmd.run(offCommand("/tmp/" + name), Jcmd.LIMIT);
        } catch (UserError gone) {
            missing = Optional.of(gone.why());
        }
    }

    private void removeFiles() {
        try {
            stalls.close();
        } catch (IOException notClosed) {
            missing = Optional.of("the log was not closed: " + notClosed.getMessage());
        }
        delete(tmp.resolve(name));
        delete(tmp.resolve(name + ".0"));
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // the target's /tmp went away with it
        }
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
