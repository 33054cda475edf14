package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The JVM under test. Either jdyno launched it, and ends it with everything it started, or jdyno
/// attached to it while it runs, and never ends it.
public final class Target implements AutoCloseable {
    /// Maximum time for a launched command until one of its JVMs catches signals.
    public static final Duration START_LIMIT = Duration.ofSeconds(30);

    /// Maximum time for a launched service to end after SIGTERM before it is killed.
    public static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private final ProcFs proc;
    private final NanoClock clock;
    private final long pid;
    private final Jcmd jcmd;
    private final @Nullable Launched launched;
    private final Optional<String> startTicks;
    private Optional<SharedFolder> shared = Optional.empty();
    private Duration stopLimit = STOP_LIMIT;
    private boolean killed;

    private Target(ProcFs proc, NanoClock clock, long pid, @Nullable Launched launched) {
        this(proc, clock, pid, launched, new Jcmd(proc, clock, pid));
    }

    private Target(ProcFs proc, NanoClock clock, long pid, @Nullable Launched launched, Jcmd jcmd) {
        this.proc = proc;
        this.clock = clock;
        this.pid = pid;
        this.launched = launched;
        this.jcmd = jcmd;
        this.startTicks = proc.startTicks(pid);
    }

    /// A running JVM, with another implementation of its commands.
    static Target attach(long pid, Jcmd jcmd) {
        return new Target(ProcFs.SYSTEM, NanoClock.SYSTEM, pid, null, jcmd);
    }

    /// Attaches to a running JVM.
    ///
    /// @throws UserError when there is no such process, it is not a HotSpot JVM or not readable
    public static Target attach(long pid) {
        new Jvms(ProcFs.SYSTEM).requireHotSpot(pid);
        return new Target(ProcFs.SYSTEM, NanoClock.SYSTEM, pid, null);
    }

    /// The JVMs that this user may observe, without jdyno's own.
    public static List<Long> candidates(ProcFs proc) {
        Jvms jvms = new Jvms(proc);
        return proc.pids().stream()
                .filter(pid -> pid != ProcessHandle.current().pid())
                .filter(pid -> jvms.kindOf(pid) == Jvms.Kind.HOTSPOT)
                .toList();
    }

    /// All JVMs that this user may list, including those that cannot be observed from inside
    /// (OpenJ9), without jdyno's own.
    public static List<Long> jvms(ProcFs proc) {
        Jvms jvms = new Jvms(proc);
        return proc.pids().stream()
                .filter(pid -> pid != ProcessHandle.current().pid())
                .filter(pid -> jvms.kindOf(pid).isJvm())
                .toList();
    }

    /// True if the process is a JVM that cannot be observed from inside.
    public static boolean isOpenJ9(ProcFs proc, long pid) {
        return new Jvms(proc).kindOf(pid) == Jvms.Kind.OPENJ9;
    }

    /// Starts a command line as a shell would: variables, quotes and scripts work.
    public static Target launch(String commandLine, Path output) throws InterruptedException {
        return launch(List.of("sh", "-c", commandLine), output, START_LIMIT);
    }

    /// Starts a command in a separate session and finds the JVM in it, which may be the command
    /// itself or any process it started.
    ///
    /// @param output file for its standard output and error
    /// @throws UserError with the last lines of its output when no JVM started
    public static Target launch(List<String> command, Path output, Duration startLimit)
            throws InterruptedException {
        ProcFs proc = ProcFs.SYSTEM;
        NanoClock clock = NanoClock.SYSTEM;
        Launched launched = Launched.start(command, output, proc);
        try {
            long jvm = awaitJvm(launched, proc, clock, startLimit);
            launched.measuring();
            return new Target(proc, clock, jvm, launched);
        } catch (RuntimeException | InterruptedException failed) {
            var _ = launched.end(STOP_LIMIT, clock);
            throw failed;
        }
    }

    private static long awaitJvm(
            Launched launched, ProcFs proc, NanoClock clock, Duration startLimit)
            throws InterruptedException {
        Jvms jvms = new Jvms(proc);
        long deadline = clock.nanos() + startLimit.toNanos();
        while (clock.nanos() < deadline) {
            // the JVM that started last: if a wrapper (a build tool) is itself a JVM, it starts the
            // service's JVM
            Optional<Long> jvm =
                    jvms.among(launched.processes()).stream()
                            .filter(p -> catchesSigquit(proc, p))
                            .reduce((_, later) -> later);
            if (jvm.isPresent()) {
                return jvm.get();
            }
            if (!launched.isAnyAlive()) {
                throw launched.died("before a JVM came up");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw UserError.target(
                "the launched command started no JVM",
                "none of its processes was a HotSpot JVM within "
                        + startLimit.toSeconds()
                        + " s"
                        + launched.lastLines(),
                "run the command by hand and see; services in containers are watched with --pid");
    }

    /// True if a JVM catches SIGQUIT: then it has its signal handlers, so it can be attached to.
    private static boolean catchesSigquit(ProcFs proc, long pid) {
        return proc.status(pid, "SigCgt")
                .map(mask -> (Long.parseUnsignedLong(mask, 16) & 4) != 0)
                .orElse(false);
    }

    public long pid() {
        return pid;
    }

    /// The other JVMs of the launched command, in the order of their start; empty for an attached
    /// target.
    public List<Long> otherJvms() {
        return launched == null
                ? List.of()
                : new Jvms(proc)
                        .among(launched.processes()).stream().filter(p -> p != pid).toList();
    }

    /// The same launched command with another of its JVMs as the observed one. It replaces this
    /// target, which must no longer be used.
    public Target watching(long jvm) {
        removeShared();
        var target = new Target(proc, clock, jvm, launched);
        target.stopLimit = stopLimit;
        return target;
    }

    /// True if this JVM of a launched command has ended, and another process of the command runs: a
    /// launcher may run a JVM for a moment (`java -version` in a start script).
    public boolean isOutlived() {
        return !isAlive() && launched != null && launched.isAnyAlive();
    }

    /// Sets the time for a launched service to end after SIGTERM.
    public void stopsWithin(Duration limit) {
        stopLimit = limit;
    }

    /// True if it was closed and had to be killed, because it had not ended in time.
    public boolean wasKilled() {
        return killed;
    }

    /// True if the JVM was running before jdyno attached to it.
    public boolean attached() {
        return launched == null;
    }

    public Jcmd jcmd() {
        return jcmd;
    }

    /// The folder through which this run and the target exchange files. It is created on the first
    /// call and removed by {@link #close()}.
    ///
    /// @throws IOException when none can be created in its `/tmp`
    public synchronized SharedFolder shared() throws IOException {
        if (shared.isEmpty()) {
            shared = Optional.of(SharedFolder.make(proc, pid, SharedFolder.Purpose.RUN));
        }
        return shared.get();
    }

    /// Removes a file from the shared folder, if it exists; a remaining file is removed with the
    /// folder.
    public synchronized void removeShared(String file) {
        try {
            if (shared.isPresent()) {
                shared.get().remove(file);
            }
        } catch (IOException left) {
            // the target has ended, and its /tmp no longer exists
        }
    }

    private synchronized void removeShared() {
        try {
            if (shared.isPresent()) {
                shared.get().close();
            }
        } catch (IOException notOurs) {
            // its /tmp no longer exists, or its user created folders there, which only that user
            // should remove
        }
        shared = Optional.empty();
    }

    /// The start time of the process, which distinguishes it from a later process with the same
    /// pid.
    Optional<String> startTicks() {
        return startTicks;
    }

    /// True if this process still runs: a reused process id does not count.
    public boolean isAlive() {
        return startTicks.isPresent() && startTicks.equals(proc.startTicksAlive(pid));
    }

    /// @throws UserError with the last lines of its output when it has ended
    public void requireAlive() {
        if (isAlive()) {
            return;
        }
        if (launched != null) {
            throw launched.died("in the middle of the run");
        }
        throw UserError.target(
                "the target ended in the middle of the run",
                "process " + pid + " is gone",
                "see its own log ('An irrecoverable error in Jfr' there means that it could not"
                        + " write the flight recording: give its java.io.tmpdir more room); what was"
                        + " measured so far is kept");
    }

    /// While a service starts, its launcher's JVM may end before the JVM of the service is there.
    ///
    /// @throws UserError with the last lines of its output once no process of a launched command
    ///   runs; of an attached target, when it has ended
    public void requireStarting() {
        if (!isOutlived()) {
            requireAlive();
        }
    }

    /// Facts of the JVM; reading them costs it a few ms.
    public JvmFacts facts() throws InterruptedException {
        requireAlive();
        return JvmFacts.ask(jcmd, pid);
    }

    /// Waits until a process accepts connections on a port.
    ///
    /// @throws UserError when the target ends before that, or the limit passes
    public void awaitPort(InetSocketAddress address, Duration limit) throws InterruptedException {
        long deadline = clock.nanos() + limit.toNanos();
        InetAddress host = address.getAddress();
        while (true) {
            try (Socket probe = new Socket()) {
                probe.connect(new InetSocketAddress(host, address.getPort()), 1000);
                return;
            } catch (IOException notYet) {
                requireStarting();
                if (clock.nanos() > deadline) {
                    throw UserError.target(
                                    "nothing listens on " + address,
                                    "the target runs, but accepted no connection within "
                                            + limit.toSeconds()
                                            + " s"
                                            + (launched == null ? "" : launched.lastLines()),
                                    "check the port in --url against the service's own")
                            .causedBy(notYet);
                }
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /// Ends a launched target with all its descendants; an attached one is not ended. The shared
    /// folder is removed in both cases.
    @Override
    public void close() {
        try {
            if (launched != null) {
                killed = launched.end(stopLimit, clock);
            }
        } catch (InterruptedException hurry) {
            launched.kill();
            Thread.currentThread().interrupt();
        } finally {
            removeShared();
        }
    }
}
