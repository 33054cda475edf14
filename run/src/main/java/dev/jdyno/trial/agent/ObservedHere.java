package dev.jdyno.trial.agent;

import dev.jdyno.inside.Inside;
import dev.jdyno.inside.JvmChoice;
import dev.jdyno.inside.LocalInside;
import dev.jdyno.inside.remote.ObservingSession;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.trial.ExclusiveTarget;
import dev.jdyno.trial.LiveService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// A target of this host, observed for a trial on another host, with the same checks as for a trial
/// here. Recorded files stay in a folder of ours, which is removed when the observation ends.
public final class ObservedHere implements ObservingSession.Opening {
    private final NanoClock clock;
    private final JvmChoice choice;
    private final LaunchList launches;

    /// Names of commands that had to be killed.
    private final Set<String> killed = ConcurrentHashMap.newKeySet();

    /// @param only the JVMs that may be observed, as {@link JvmChoice} has it; empty: any that this
    ///   process's user may
    public ObservedHere(NanoClock clock, List<String> only) {
        this(clock, only, LaunchList.NONE);
    }

    /// @param only the JVMs that may be observed, as {@link JvmChoice} has it; empty: any that this
    ///   process's user may, or, if services may be started, only these
    /// @param launches the commands that may be started
    public ObservedHere(NanoClock clock, List<String> only, LaunchList launches) {
        this.clock = clock;
        this.choice = new JvmChoice(ProcFs.SYSTEM, only);
        this.launches = launches;
    }

    @Override
    public ObservingSession.Begun open(String which) throws InterruptedException {
        if (!launches.isEmpty() && choice.only().isEmpty()) {
            throw UserError.usage(
                    "the agent observes only what it starts",
                    "it was started with --launch and without --observe-only",
                    "start it with --observe-only, too, which names the JVM");
        }
        Target target = Target.attach(choice.find(which));
        ExclusiveTarget alone = ExclusiveTarget.on(target, false);
        Path folder = null;
        try {
            Path made = Files.createTempDirectory("jdyno-agent-");
            folder = made;
            Inside inside = LocalInside.open(target, clock, made, Frames.builtIn());
            return new ObservingSession.Begun(
                    inside, alone.warnings(), () -> end(target, alone, List.of(made)));
        } catch (IOException noFolder) {
            end(target, alone, List.of());
            throw noFolder(noFolder);
        } catch (RuntimeException | InterruptedException notOpened) {
            end(target, alone, folder == null ? List.of() : List.of(folder));
            throw notOpened;
        }
    }

    @Override
    public ObservingSession.Started launch(String name) throws InterruptedException {
        int port = freePort();
        String command =
                launches.command(name, port)
                        .orElseThrow(() ->
                                UserError.usage(
                                        "the agent has no command of the name " + name,
                                        launches.isEmpty()
                                                ? "it was started without --launch"
                                                : "its --launch options name "
                                                        + String.join(", ", launches.names()),
                                        "start it with --launch " + name + "='COMMAND'"));
        try {
            return StartedHere.start(
                    name,
                    command,
                    port,
                    Files.createTempDirectory("jdyno-agent-"),
                    clock,
                    killed.contains(name) ? LiveService.SHORT_STOP : Target.STOP_LIMIT,
                    () -> killed.add(name));
        } catch (IOException noFolder) {
            throw noFolder(noFolder);
        }
    }

    /// A port on which no process of this host listens, on any of its addresses.
    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw UserError.target(
                            "the agent's host has no free port",
                            String.valueOf(none.getMessage()),
                            "end what holds the ports")
                    .causedBy(none);
        }
    }

    static UserError noFolder(IOException why) {
        return UserError.target(
                        "the agent has no folder for recordings",
                        String.valueOf(why.getMessage()),
                        "free some space in its temporary folder, or set TMPDIR")
                .causedBy(why);
    }

    private static void end(Target target, ExclusiveTarget alone, List<Path> folders) {
        try {
            alone.close();
            target.close();
        } finally {
            folders.forEach(ObservedHere::remove);
        }
    }

    /// Removes a folder that has files and no folders.
    static void remove(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException stays) {
            throw new UncheckedIOException("cannot remove " + folder, stays);
        }
    }
}
