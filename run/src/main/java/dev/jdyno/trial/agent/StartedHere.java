package dev.jdyno.trial.agent;

import dev.jdyno.files.PrivateFiles;
import dev.jdyno.inside.Inside;
import dev.jdyno.inside.LocalInside;
import dev.jdyno.inside.remote.ObservingSession;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.trial.ExclusiveTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// A service of this host that was started for a trial on another host. Its output and recordings
/// stay in a folder of ours, which is removed when the service has ended.
final class StartedHere implements ObservingSession.Started {
    private final String name;
    private final int port;
    private final Path folder;
    private final NanoClock clock;
    private final Runnable killed;
    private Target target;
    private boolean ended;

    private StartedHere(
            String name, int port, Target target, Path folder, NanoClock clock, Runnable killed) {
        this.name = name;
        this.port = port;
        this.target = target;
        this.folder = folder;
        this.clock = clock;
        this.killed = killed;
    }

    /// @param name of the command, for messages
    /// @param command shell command of the service
    /// @param port that the command has
    /// @param folder of ours, which is removed at the end, or if no service starts
    /// @param stopLimit maximum time from SIGTERM to the end of the service
    /// @param killed runs if the service had to be killed after that time
    /// @throws UserError if the command starts no JVM
    static StartedHere start(
            String name,
            String command,
            int port,
            Path folder,
            NanoClock clock,
            Duration stopLimit,
            Runnable killed)
            throws InterruptedException {
        try {
            Path log = folder.resolve("target.log");
            PrivateFiles.create(log).close();
            Target target = Target.launch(command, log);
            target.stopsWithin(stopLimit);
            return new StartedHere(name, port, target, folder, clock, killed);
        } catch (IOException noFile) {
            ObservedHere.remove(folder);
            throw ObservedHere.noFolder(noFile);
        } catch (UserError notStarted) {
            ObservedHere.remove(folder);
            throw here(notStarted, name);
        } catch (RuntimeException | InterruptedException notStarted) {
            ObservedHere.remove(folder);
            throw notStarted;
        }
    }

    /// The same error with advice for the reader of the run, who cannot see files of this host.
    private static UserError here(UserError error, String name) {
        return new UserError(
                        error.kind(),
                        error.what(),
                        error.why(),
                        "run the command of --launch " + name + " by hand on the agent's host")
                .causedBy(error);
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public synchronized Optional<ObservingSession.Begun> begin() throws InterruptedException {
        if (!listens(target.pid())) {
            Optional<Long> other = target.otherJvms().stream().filter(this::listens).findFirst();
            if (other.isEmpty()) {
                alive(target::requireStarting);
                return Optional.empty();
            }
            target = target.watching(other.get());
        }
        ExclusiveTarget alone = ExclusiveTarget.on(target, false);
        try {
            Inside inside = LocalInside.open(target, clock, folder, Frames.builtIn());
            return Optional.of(new ObservingSession.Begun(inside, alone.warnings(), alone::close));
        } catch (RuntimeException | InterruptedException notOpened) {
            alone.close();
            throw notOpened;
        }
    }

    private boolean listens(long pid) {
        return Sockets.portsOf(ProcFs.SYSTEM, pid).contains(port);
    }

    @Override
    public synchronized void requireAlive() {
        alive(target::requireAlive);
    }

    private void alive(Runnable required) {
        try {
            required.run();
        } catch (UserError gone) {
            throw here(gone, name);
        }
    }

    @Override
    public synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        try {
            target.close();
            if (target.wasKilled()) {
                killed.run();
            }
        } finally {
            ObservedHere.remove(folder);
        }
    }
}
