package dev.jdyno.trial;

import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.NanoClock;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/// What everything that measures for a while shares.
///
/// @param folder where its files go: raw evidence and the output of launched services
/// @param listener hears how it goes
/// @param stop asked at least four times a second; true ends the work with what it has
public record Session(Path folder, TrialListener listener, NanoClock clock, BooleanSupplier stop) {
    public Session(Path folder, TrialListener listener, BooleanSupplier stop) {
        this(folder, listener, NanoClock.SYSTEM, stop);
    }

    /// The same with a folder of its own below this one.
    public Session inside(String name) {
        return new Session(PrivateFolder.inside(folder, name), listener, clock, stop);
    }

    /// Whether the user wants it to end.
    public boolean isStopped() {
        return stop.getAsBoolean();
    }
}
