package dev.jdyno.observe;

import dev.jdyno.measure.Durations;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Profile;
import dev.jdyno.measure.UserError;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.ToolMark;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// async-profiler inside the target: its native library travels in jdyno's jar, is laid into the
/// target's `/tmp` and loaded by attach. Only ever run in windows of its own, for CPU and wall
/// sampling together cost a no-op service 10 %.
///
/// No JVM can unload such a library: stopped, it stays mapped until the JVM ends. Its file stays
/// too where the target goes on living, so that the next jdyno loads the same one and not a second
/// copy beside it.
final class NativeProfiler implements AutoCloseable {
    private static final String VERSION = "4.6";
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final String NAME = "jdyno-async-profiler-";
    private static final String FILE = NAME + VERSION + ".so";

    /// The bits that let the group and others write.
    private static final int WRITABLE_BY_OTHERS = 0022;

    private static final Object ROOT = 0;

    /// CPU time between two samples of one thread.
    private static final Duration CPU_EVERY = Duration.ofMillis(5);

    /// What a window counts as that was over when it began.
    private static final double SHORTEST_S = 0.001;

    /// Time between two samples of every thread.
    private static final Duration WALL_EVERY = Duration.ofMillis(20);

    /// How long after its window a profile may run: then it stops by itself though its jdyno was
    /// killed.
    private static final Duration OVERTIME = Duration.ofSeconds(60);

    // 7f5c…-7f5c… r-xp 00000000 08:01 1234 /tmp/jdyno-async-profiler-4.6.so
    private static final Pattern MAPPED =
            Pattern.compile("(?m)\\s(/\\S*)?/tmp/(jdyno-async-profiler-\\S+\\.so)$");

    private final Target target;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final Path tmp;
    private final Path library;
    private final StackClassifier classifier;

    private NativeProfiler(
            Target target,
            NanoClock clock,
            BooleanSupplier stop,
            Path tmp,
            Path library,
            StackClassifier classifier) {
        this.target = target;
        this.clock = clock;
        this.stop = stop;
        this.tmp = tmp;
        this.library = library;
        this.classifier = classifier;
    }

    /// Lays the library into the target's `/tmp` and loads it.
    ///
    /// @param stop ends a window early, with what it has
    /// @throws UserError when there is none for this machine or the target does not load it
    static NativeProfiler load(
            Target target, NanoClock clock, BooleanSupplier stop, StackClassifier classifier)
            throws InterruptedException {
        requireDescriptors(new Headroom(ProcFs.SYSTEM, target.pid()));
        Path tmp = ProcFs.SYSTEM.rootOf(target.pid()).resolve("tmp");
        var profiler =
                new NativeProfiler(target, clock, stop, tmp, laidDown(target, tmp), classifier);
        LeftFiles.remove(tmp, ProcFs.SYSTEM);
        profiler.command("version");
        return profiler;
    }

    /// Perf events take a file descriptor for each thread: those must not be the ones that the
    /// target needs for its connections, or a recording for its next chunk. To be asked before each
    /// window: a higher load has more threads and connections than the one it was loaded at.
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

    /// The library as the target sees it, when it is loaded and profiles now; a JVM that does not
    /// have it is not asked.
    static Optional<String> running(Target target) throws InterruptedException {
        Matcher mapped = MAPPED.matcher(ProcFs.SYSTEM.text(target.pid(), "maps").orElse(""));
        if (!mapped.find()) {
            return Optional.empty();
        }
        String library = "/tmp/" + mapped.group(2);
        Path tmp = ProcFs.SYSTEM.rootOf(target.pid()).resolve("tmp");
        return command(target, tmp, library, "status").contains("is running")
                ? Optional.of(library)
                : Optional.empty();
    }

    private static UserError refused(String why) {
        return UserError.target("async-profiler cannot be used", why, "JFR and dumps are used");
    }

    private static String platform() {
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return arch.equals("aarch64") ? "linux-arm64" : "linux-x64";
    }

    private static Path laidDown(Target target, Path tmp) {
        String resource = "/" + platform() + "/libasyncProfiler.so";
        try (InputStream in = NativeProfiler.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw refused("this jar holds no " + resource);
            }
            byte[] bytes = in.readAllBytes();
            Object owner = Files.getAttribute(ProcFs.SYSTEM.of(target.pid()), "unix:uid");
            Optional<Path> there = trusted(tmp, owner, bytes);
            return there.isPresent() ? there.get() : written(tmp, bytes);
        } catch (IOException notWritten) {
            throw refused("its /tmp cannot be written: " + notWritten.getMessage())
                    .causedBy(notWritten);
        }
    }

    /// One that an earlier jdyno laid there. It must be of somebody who can do in the target what
    /// he likes anyway, and nobody else may be able to write it: the target runs what it holds.
    ///
    /// @param owner the target's user
    static Optional<Path> trusted(Path tmp, Object owner, byte[] bytes) throws IOException {
        List<Path> places = new ArrayList<>(List.of(tmp));
        try (var folders = Files.newDirectoryStream(tmp, NAME + "*")) {
            for (Path folder : folders) {
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        && isTrusted(folder, owner)) {
                    places.add(folder);
                }
            }
        }
        for (Path place : places) {
            Path file = place.resolve(FILE);
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && isTrusted(file, owner)
                    && Arrays.equals(Files.readAllBytes(file), bytes)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    private static boolean isTrusted(Path place, Object owner) throws IOException {
        Object its = Files.getAttribute(place, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        int mode = (int) Files.getAttribute(place, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        Object ours = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        return (mode & WRITABLE_BY_OTHERS) == 0
                && (its.equals(ROOT) || its.equals(ours) || its.equals(owner));
    }

    /// Never through a link or into a file that somebody else laid there: where the name is taken,
    /// in a folder of its own, which only we can write.
    static Path written(Path tmp, byte[] bytes) throws IOException {
        Path place = tmp;
        if (Files.exists(tmp.resolve(FILE), LinkOption.NOFOLLOW_LINKS)) {
            place = Files.createTempDirectory(tmp, NAME);
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Path file = Files.createFile(place.resolve(FILE));
        Files.write(file, bytes);
        // the target may be of another user, whatever our umask takes from that
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return file;
    }

    private void command(String options) throws InterruptedException {
        command(target, tmp, "/tmp/" + tmp.relativize(library), options);
    }

    /// Runs one command in the target.
    ///
    /// @return what async-profiler says
    /// @throws UserError with what it says of a failure
    private static String command(Target target, Path tmp, String library, String options)
            throws InterruptedException {
        String name = "jdyno-" + ToolMark.own() + "-profile.log";
        Path log = tmp.resolve(name);
        try {
            target.jcmd().load(library, options + ",log=/tmp/" + name, LIMIT);
            return ProcFs.text(log).orElse("");
        } catch (UserError failed) {
            throw refused(
                            ProcFs.text(log)
                                    .map(String::strip)
                                    .filter(t -> !t.isEmpty())
                                    .orElse(failed.why()))
                    .causedBy(failed);
        } finally {
            delete(log);
        }
    }

    /// Threads on a core, for so long.
    Profile cpu(Duration window) throws InterruptedException {
        return sampled("event=cpu,threads,interval=", CPU_EVERY, Profile.Kind.CPU, window);
    }

    /// Busy threads, for so long.
    Profile wall(Duration window) throws InterruptedException {
        return sampled("event=wall,threads,interval=", WALL_EVERY, Profile.Kind.WALL, window);
    }

    private Profile sampled(String start, Duration every, Profile.Kind kind, Duration window)
            throws InterruptedException {
        Recorded seen = recorded(start + every.toNanos(), "collapsed", ".collapsed", window);
        try {
            return CollapsedStacks.tree(
                            Files.readString(seen.file()),
                            kind == Profile.Kind.WALL ? Optional.of(classifier) : Optional.empty())
                    .profile(kind, "async-profiler", every.toNanos() / 1e9 / seen.seconds());
        } catch (IOException unread) {
            throw refused("it wrote no profile: " + unread.getMessage()).causedBy(unread);
        } finally {
            delete(seen.file());
        }
    }

    /// @param seconds how long it ran: less than it was to where somebody wanted to stop
    record Recorded(Path file, double seconds) {}

    /// Every call of these methods, as a recording in JFR's format.
    ///
    /// @return the file, which the caller deletes
    Recorded trace(List<String> methods, Duration window) throws InterruptedException {
        String traces = String.join(",", methods.stream().map(m -> "trace=" + m + ":0ns").toList());
        return recorded("jfr," + traces, "jfr", ".jfr", window);
    }

    private Recorded recorded(String start, String output, String suffix, Duration window)
            throws InterruptedException {
        String name = "jdyno-" + ToolMark.own() + "-profile" + suffix;
        String file = ",file=/tmp/" + name;
        requireDescriptors(new Headroom(ProcFs.SYSTEM, target.pid()));
        // JFR's format is written while it runs, the others when it stops
        start(start + (output.equals("jfr") ? file : ""), window.plus(OVERTIME));
        boolean stopped = false;
        try {
            long begun = clock.nanos();
            Wait.during(clock, window, stop);
            double seconds =
                    stop.getAsBoolean()
                            ? Math.max(SHORTEST_S, clock.secondsSince(begun))
                            : Durations.seconds(window);
            command("stop," + output + file);
            stopped = true;
            return new Recorded(tmp.resolve(name), seconds);
        } finally {
            if (!stopped) {
                stopInHaste(file);
            }
        }
    }

    /// Only jdyno loads this copy of the library: when it runs already, a jdyno was killed.
    ///
    /// @param longest after this it stops by itself
    void start(String what, Duration longest) throws InterruptedException {
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

    /// What was started must be stopped though we were interrupted.
    private void stopInHaste(String file) throws InterruptedException {
        boolean interrupted = Thread.interrupted();
        try {
            command("stop" + file);
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
            // the target's /tmp went away with it
        }
    }

    @Override
    public void close() {
        if (!target.attached()) {
            delete(library);
            Path folder = library.getParent();
            if (folder != null && !folder.equals(tmp)) {
                delete(folder);
            }
        }
    }
}
