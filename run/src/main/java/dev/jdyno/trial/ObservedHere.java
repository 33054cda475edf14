package dev.jdyno.trial;

import dev.jdyno.inside.Inside;
import dev.jdyno.inside.JvmChoice;
import dev.jdyno.inside.LocalInside;
import dev.jdyno.inside.remote.ObservingSession;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A target of this host, observed for a trial on another host, with the same checks as for a trial
/// here. Recorded files stay in a folder of ours, which is removed when the observation ends.
public final class ObservedHere implements ObservingSession.Opening {
    private final NanoClock clock;
    private final JvmChoice choice;

    /// @param only the JVMs that may be observed, in the form of {@link JvmChoice}; empty: every
    ///   JVM that the user of this process may observe
    public ObservedHere(NanoClock clock, List<String> only) {
        this.clock = clock;
        this.choice = new JvmChoice(ProcFs.SYSTEM, only);
    }

    @Override
    public ObservingSession.Begun open(String which) throws InterruptedException {
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
            throw UserError.target(
                            "the agent has no folder for recordings",
                            String.valueOf(noFolder.getMessage()),
                            "free some space in its temporary folder, or set TMPDIR")
                    .causedBy(noFolder);
        } catch (RuntimeException | InterruptedException notOpened) {
            end(target, alone, folder == null ? List.of() : List.of(folder));
            throw notOpened;
        }
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
    private static void remove(Path folder) {
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
