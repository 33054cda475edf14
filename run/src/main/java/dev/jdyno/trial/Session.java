package dev.jdyno.trial;

import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.NanoClock;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/// The surroundings that all measurements of one command share.
///
/// @param folder for files: raw evidence and the output of launched services
/// @param listener is notified of the progress
/// @param stop polled at least four times a second; true ends the work with the results so far
public record Session(Path folder, TrialListener listener, NanoClock clock, BooleanSupplier stop) {
    public Session(Path folder, TrialListener listener, BooleanSupplier stop) {
        this(folder, listener, NanoClock.SYSTEM, stop);
    }

    /// The same session with a new folder inside this one.
    public Session inside(String name) {
        return new Session(PrivateFolder.inside(folder, name), listener, clock, stop);
    }

    /// True if the user wants the work to end.
    public boolean isStopped() {
        return stop.getAsBoolean();
    }
}
