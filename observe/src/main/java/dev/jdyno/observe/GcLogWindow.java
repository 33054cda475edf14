package dev.jdyno.observe;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.gc.GcLogTap;
import dev.jdyno.observe.probe.Wait;
import dev.jdyno.target.Target;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// The GC log of a running JVM for a limited time, age tables included. It is switched on over
/// attach, and off again at the end. The service's own logs are not changed.
public final class GcLogWindow implements AutoCloseable {
    private static final String TAGS = "gc*=info,gc+age=trace,safepoint=info";

    private final GcLogTap tap;
    private final Target target;
    private boolean finished;

    private GcLogWindow(GcLogTap tap, Target target) {
        this.tap = tap;
        this.target = target;
    }

    /// @throws UserError of kind target when the log cannot be switched on
    public static GcLogWindow open(Target target) throws InterruptedException {
        Leftovers.end(target);
        var window = new GcLogWindow(GcLogTap.start(target, TAGS), target);
        window.require();
        return window;
    }

    /// Keeps the log switched on for this time, or until `stop` returns true.
    public void stay(Duration length, BooleanSupplier stop) throws InterruptedException {
        Wait.during(NanoClock.SYSTEM, length, stop);
    }

    /// Ends the window.
    ///
    /// @param file file to which the log is copied
    public void finish(Path file) throws InterruptedException {
        finished = true;
        tap.finish(file);
        require();
    }

    private void require() {
        if (tap.missing().isPresent()) {
            throw UserError.target(
                    "no GC log of process " + target.pid(),
                    tap.missing().get(),
                    "it takes JDK 9 or later, the same user and a writable /tmp; else start it with"
                            + " -Xlog:gc*:file=gc.log and use jdyno gc gc.log --advise");
        }
    }

    @Override
    public void close() {
        if (finished) {
            return;
        }
        try {
            tap.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
