package dev.jdyno.observe.profiler;

import dev.jdyno.files.Handle;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.observe.host.Headroom;
import dev.jdyno.observe.probe.Wait;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.SharedFolder;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// async-profiler inside the target. Its native library is part of jdyno's jar; it is copied to the
/// target's `/tmp` and loaded by attach. It runs only in separate windows, because CPU and wall
/// sampling together cost a no-op service 10 %.
///
/// No JVM can unload such a library: after profiling it stays mapped until the JVM ends. Its file
/// also stays if the target continues to run, so that the next jdyno loads the same one and not a
/// second copy.
public final class NativeProfiler implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final String LOG = "profile.log";

    /// Maximum size of the output of one command.
    private static final long MAX_LOG_BYTES = 1 << 20;

    /// Maximum size of a profile or a trace that is read.
    private static final long MAX_BYTES = 256L << 20;

    /// CPU time between two samples of one thread.
    private static final Duration CPU_EVERY = Duration.ofMillis(5);

    /// Length of a window that was stopped at its beginning, in seconds.
    private static final double SHORTEST_S = 0.001;

    /// Time between two samples of every thread.
    private static final Duration WALL_EVERY = Duration.ofMillis(20);

    /// Maximum time that a profile runs after its window. After it the profiler stops by itself
    /// even if its jdyno process was killed.
    private static final Duration OVERTIME = Duration.ofSeconds(60);

    private final Target target;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final ProfilerLibrary library;
    private final StackClassifier classifier;

    private NativeProfiler(
            Target target,
            NanoClock clock,
            BooleanSupplier stop,
            ProfilerLibrary library,
            StackClassifier classifier) {
        this.target = target;
        this.clock = clock;
        this.stop = stop;
        this.library = library;
        this.classifier = classifier;
    }

    /// Copies the library to the target's `/tmp` and loads it.
    ///
    /// @param stop ends a window early, with the data so far
    /// @throws UserError when there is no library for this machine or the target does not load it
    public static NativeProfiler load(
            Target target, NanoClock clock, BooleanSupplier stop, StackClassifier classifier)
            throws InterruptedException {
        requireDescriptors(new Headroom(ProcFs.SYSTEM, target.pid()));
        var profiler =
                new NativeProfiler(target, clock, stop, ProfilerLibrary.of(target), classifier);
        try {
            profiler.command("version");
            return profiler;
        } catch (RuntimeException | InterruptedException notLoaded) {
            profiler.close();
            throw notLoaded;
        }
    }

    /// Perf events take a file descriptor for each thread. The target must still have enough for
    /// its connections, and for a recording's next chunk. To be checked before each window: a
    /// higher load has more threads and connections than the one at which the library was loaded.
    private static void requireDescriptors(Headroom headroom) {
        long threads = headroom.threads();
        long free = headroom.freeFds().orElse(0L);
        if (free < threads + Headroom.FREE_FDS) {
            throw refused(
                    "it has only "
                            + free
                            + " free file descriptors: profiling takes one for each of its "
                            + threads
                            + " threads");
        }
    }

    /// The path of the library as the target sees it, when it is loaded and profiles now. A JVM
    /// without the library receives no command.
    public static Optional<String> running(Target target) throws InterruptedException {
        Optional<String> library = ProfilerLibrary.loadedBy(target);
        return library.isPresent()
                        && command(target, library.get(), "status").contains("is running")
                ? library
                : Optional.empty();
    }

    static UserError refused(String why) {
        return UserError.target("async-profiler cannot be used", why, "JFR and dumps are used");
    }

    private void command(String options) throws InterruptedException {
        command(target, library.seenByTarget(), options);
    }

    /// Runs one command in the target.
    ///
    /// @return async-profiler's output
    /// @throws UserError with its output about a failure
    private static String command(Target target, String library, String options)
            throws InterruptedException {
        try {
            SharedFolder shared = target.shared();
            try {
                String log = ",log=" + shared.seenByTarget(LOG);
                target.jcmd().load(library, options + log, LIMIT);
                return printed(shared);
            } catch (UserError failed) {
                String printed = printed(shared).strip();
                throw refused(printed.isEmpty() ? failed.why() : printed).causedBy(failed);
            } finally {
                target.removeShared(LOG);
            }
        } catch (IOException unusable) {
            throw refused("its /tmp cannot be used: " + unusable.getMessage()).causedBy(unusable);
        }
    }

    /// The log's text; empty if there is no log.
    private static String printed(SharedFolder shared) throws IOException {
        try (Handle log = shared.read(LOG, MAX_LOG_BYTES)) {
            return new String(log.bytes(), StandardCharsets.UTF_8);
        } catch (NoSuchFileException none) {
            return "";
        }
    }

    /// Threads on a core during the window.
    public Profile cpu(Duration window) throws InterruptedException {
        return sampled("event=cpu,threads,interval=", CPU_EVERY, Profile.Kind.CPU, window);
    }

    /// Busy threads during the window.
    public Profile wall(Duration window) throws InterruptedException {
        return sampled("event=wall,threads,interval=", WALL_EVERY, Profile.Kind.WALL, window);
    }

    private Profile sampled(String start, Duration every, Profile.Kind kind, Duration window)
            throws InterruptedException {
        Recorded seen = recorded(start + every.toNanos(), "collapsed", ".collapsed", window);
        try {
            return CollapsedStacks.read(
                            seen.file(),
                            kind == Profile.Kind.WALL ? Optional.of(classifier) : Optional.empty())
                    .profile(kind, "async-profiler", every.toNanos() / 1e9 / seen.seconds());
        } catch (IOException unread) {
            throw refused("it wrote no profile: " + unread.getMessage()).causedBy(unread);
        } finally {
            delete(seen.file());
        }
    }

    /// @param file a copy of the result, which the caller deletes
    /// @param seconds measured duration of the recording
    public record Recorded(Path file, double seconds) {}

    /// Every call of these methods, as a recording in JFR's format.
    ///
    /// @return the file, which the caller deletes
    public Recorded trace(List<MethodName> methods, Duration window) throws InterruptedException {
        String traces = String.join(",", methods.stream().map(m -> "trace=" + m + ":0ns").toList());
        return recorded("jfr," + traces, "jfr", ".jfr", window);
    }

    private Recorded recorded(String start, String output, String suffix, Duration window)
            throws InterruptedException {
        String name = "profile" + suffix;
        requireDescriptors(new Headroom(ProcFs.SYSTEM, target.pid()));
        try {
            SharedFolder shared = target.shared();
            double seconds = ran(start, output, ",file=" + shared.seenByTarget(name), window);
            return new Recorded(copied(shared, name, suffix), seconds);
        } catch (IOException unusable) {
            throw refused("its /tmp cannot be used: " + unusable.getMessage()).causedBy(unusable);
        } finally {
            target.removeShared(name);
        }
    }

    /// @return the duration in seconds
    private double ran(String start, String output, String file, Duration window)
            throws InterruptedException {
        boolean stopped = false;
        try {
            // JFR's format is written while it runs, the other formats when it stops
            start(start + (output.equals("jfr") ? file : ""), window.plus(OVERTIME));
            long begun = clock.nanos();
            Wait.during(clock, window, stop);
            // measured: a busy machine makes the window longer, and a caller's stop shorter
            double seconds = Math.max(SHORTEST_S, clock.secondsSince(begun));
            command("stop," + output + file);
            stopped = true;
            return seconds;
        } finally {
            // also if starting failed: a JVM that answers late starts it nevertheless
            if (!stopped) {
                stopInHaste(file);
            }
        }
    }

    private static Path copied(SharedFolder shared, String name, String suffix) throws IOException {
        Path copy = Files.createTempFile("jdyno-", suffix);
        try (Handle profile = shared.read(name, MAX_BYTES)) {
            profile.copyTo(copy);
            return copy;
        } catch (IOException | RuntimeException notCopied) {
            delete(copy);
            throw notCopied;
        }
    }

    /// Starts profiling. Only jdyno loads this copy of the library. So a profile that already runs
    /// was left by a killed jdyno process, and is stopped first.
    ///
    /// @param longest maximum duration, after which it stops by itself
    public void start(String what, Duration longest) throws InterruptedException {
        String options = "start," + what + ",timeout=" + Math.max(1, longest.toSeconds());
        try {
            command(options);
        } catch (UserError refused) {
            if (!refused.why().contains("already started")) {
                throw refused;
            }
            command("stop");
            command(options);
        }
    }

    /// Stops the started profiler, also if this thread was interrupted or starting failed.
    private void stopInHaste(String file) throws InterruptedException {
        boolean interrupted = Thread.interrupted();
        try {
            command("stop" + file);
        } catch (UserError notRunning) {
            // the original failure has the reason, and what still runs ends by its timeout
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // a copy in jdyno's own temporary folder, which the system empties
        }
    }

    @Override
    public void close() {
        try {
            library.close();
        } catch (IOException left) {
            // the target has ended, and its /tmp no longer exists
        }
    }
}
