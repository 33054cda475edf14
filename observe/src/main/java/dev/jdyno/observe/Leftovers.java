package dev.jdyno.observe;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.gc.GcLogTap;
import dev.jdyno.observe.jfr.FlightRecording;
import dev.jdyno.observe.profiler.NativeProfiler;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.ToolMark;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the leftovers of killed jdyno processes in a JVM: recordings, GC logs and the profiler
/// that still run. A leftover affects every measurement of that JVM until it is ended.
public final class Leftovers {
    // Recording 1: name=jdyno-1234t5678 maxsize=100.0MB (running)
    // Recording 2: name=jdyno-1234t5678-stages (running)
    private static final Pattern RECORDING =
            Pattern.compile(
                    "name=\"?("
                            + FlightRecording.PREFIX
                            + "("
                            + ToolMark.PATTERN
                            + ")(?:-stages|-old|-thrown)?)\"?(?=\\s)");

    // /tmp/jdyno-1234t5678-run-4711t8899-…/gc.log, also after the file was deleted
    static final Pattern GC_LOG =
            Pattern.compile(
                    "/(jdyno-("
                            + ToolMark.PATTERN
                            + ")-run-[0-9a-z-]+/"
                            + Pattern.quote(GcLogTap.NAME)
                            + ")(?: \\(deleted\\))?$");

    private Leftovers() {}

    /// @param what name of the leftover in a sentence
    /// @param command a diagnostic command that ends the leftover
    /// @param end the shell command that ends the leftover
    public record Leftover(String what, String command, String end) {
        private static Leftover of(long pid, String what, String command) {
            return new Leftover(what, command, "jcmd " + pid + " " + command);
        }
    }

    /// Finds leftovers without ending them. The JVM receives a command only if its open files or
    /// its memory map show that a recording or the profiler may run.
    ///
    /// @throws UserError when the JVM does not answer such a command
    public static List<Leftover> in(Target target) throws InterruptedException {
        List<Leftover> found = new ArrayList<>();
        boolean another = false;
        Set<String> open = openFiles(target.pid());
        if (open.stream().anyMatch(f -> f.contains(".jfr"))) {
            for (Marked recording : marked(target)) {
                if (isLeft(recording.mark())) {
                    found.add(recording(target, recording.name()));
                } else {
                    another |= !recording.mark().equals(ToolMark.own());
                }
            }
        }
        for (String file : open) {
            Matcher log = GC_LOG.matcher(file);
            boolean ours = log.find();
            if (ours && !isLeft(ToolMark.parse(log.group(2)))) {
                another |= !ToolMark.parse(log.group(2)).equals(ToolMark.own());
            } else if (ours) {
                found.add(log(target, log.group(1)));
            }
        }
        // a profile has no mark: if another running jdyno records in this JVM, the profile may be
        // its own
        Optional<String> library = another ? Optional.empty() : NativeProfiler.running(target);
        library.ifPresent(l ->
                found.add(
                        Leftover.of(
                                target.pid(),
                                "async-profiler",
                                "JVMTI.agent_load " + l + " stop")));
        return found;
    }

    static Leftover recording(Target target, String name) {
        return Leftover.of(target.pid(), "the flight recording " + name, "JFR.stop name=" + name);
    }

    static Leftover log(Target target, String name) {
        return Leftover.of(
                target.pid(), "the GC log /tmp/" + name, GcLogTap.offCommand("/tmp/" + name));
    }

    /// The recordings in the target whose mark (of the jdyno process that started them) satisfies
    /// `of`.
    ///
    /// @throws UserError when the target does not answer
    static List<Leftover> recordings(Target target, Predicate<ToolMark> of)
            throws InterruptedException {
        return marked(target).stream()
                .filter(recording -> of.test(recording.mark()))
                .map(recording -> recording(target, recording.name()))
                .toList();
    }

    /// A recording in the target, with the mark of the jdyno process that started it.
    private record Marked(String name, ToolMark mark) {}

    private static List<Marked> marked(Target target) throws InterruptedException {
        return RECORDING
                .matcher(target.jcmd().run("JFR.check", FlightRecording.LIMIT))
                .results()
                .map(found -> new Marked(found.group(1), ToolMark.parse(found.group(2))))
                .toList();
    }

    /// Ends all leftovers that {@link #in} finds.
    ///
    /// @return the leftovers that were ended
    /// @throws UserError if a leftover does not end
    public static List<Leftover> end(Target target) throws InterruptedException {
        List<Leftover> left = in(target);
        for (Leftover one : left) {
            target.jcmd().run(one.command(), FlightRecording.LIMIT);
        }
        return left;
    }

    private static boolean isLeft(ToolMark mark) {
        return !mark.lives(ProcFs.SYSTEM);
    }

    static Set<String> openFiles(long pid) {
        Set<String> open = new LinkedHashSet<>();
        try (var fds = Files.newDirectoryStream(ProcFs.SYSTEM.of(pid, "fd"))) {
            for (Path fd : fds) {
                try {
                    open.add(Files.readSymbolicLink(fd).toString());
                } catch (IOException closedMeanwhile) {
                    // the target has closed the file meanwhile
                }
            }
        } catch (IOException | DirectoryIteratorException endedOrNotOurs) {
            // a user without access to the target cannot have left anything in it
        }
        return open;
    }
}
