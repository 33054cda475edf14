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

/// The JVM under test: launched by us, and then ended by us with everything it started, or attached
/// to while it runs, and then never touched.
public final class Target implements AutoCloseable {
    /// How long a launched command may take until a JVM of it catches signals.
    public static final Duration START_LIMIT = Duration.ofSeconds(30);

    /// How long a launched service gets to end after SIGTERM before it is killed.
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

    /// A JVM that runs, with another way to ask it.
    static Target attach(long pid, Jcmd jcmd) {
        return new Target(ProcFs.SYSTEM, NanoClock.SYSTEM, pid, null, jcmd);
    }

    /// Watches a JVM that runs.
    ///
    /// @throws UserError when there is no such process, it is no HotSpot JVM or not ours to see
    public static Target attach(long pid) {
        new Jvms(ProcFs.SYSTEM).requireHotSpot(pid);
        return new Target(ProcFs.SYSTEM, NanoClock.SYSTEM, pid, null);
    }

    /// The JVMs that this user may watch, without this one.
    public static List<Long> candidates(ProcFs proc) {
        Jvms jvms = new Jvms(proc);
        return proc.pids().stream()
                .filter(pid -> pid != ProcessHandle.current().pid())
                .filter(pid -> jvms.kindOf(pid) == Jvms.Kind.HOTSPOT)
                .toList();
    }

    /// All JVMs that this user may look at, those included that cannot be observed from inside
    /// (OpenJ9), without this one.
    public static List<Long> jvms(ProcFs proc) {
        Jvms jvms = new Jvms(proc);
        return proc.pids().stream()
                .filter(pid -> pid != ProcessHandle.current().pid())
                .filter(pid -> jvms.kindOf(pid).isJvm())
                .toList();
    }

    /// Whether the process is a JVM that cannot be observed from inside.
    public static boolean isOpenJ9(ProcFs proc, long pid) {
        return new Jvms(proc).kindOf(pid) == Jvms.Kind.OPENJ9;
    }

    /// Starts a command line as a shell would: variables, quotes and scripts work.
    public static Target launch(String commandLine, Path output) throws InterruptedException {
        return launch(List.of("sh", "-c", commandLine), output, START_LIMIT);
    }

    /// Starts a command in a session of its own and finds the JVM in it, which may be the command
    /// itself or anything it started.
    ///
    /// @param output where its standard output and error go
    /// @throws UserError with the last lines of its output when no JVM came up
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
            // the last one: a wrapper that is a JVM itself (a build tool) starts the service's
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

    /// A JVM that catches SIGQUIT has its signal handlers, so it can be attached to.
    private static boolean catchesSigquit(ProcFs proc, long pid) {
        return proc.status(pid, "SigCgt")
                .map(mask -> (Long.parseUnsignedLong(mask, 16) & 4) != 0)
                .orElse(false);
    }

    public long pid() {
        return pid;
    }

    /// The other JVMs of the launched command, in the order of their start; none of an attached
    /// target.
    public List<Long> otherJvms() {
        return launched == null
                ? List.of()
                : new Jvms(proc)
                        .among(launched.processes()).stream().filter(p -> p != pid).toList();
    }

    /// The same launched command with another of its JVMs as the one that is watched. It takes the
    /// place of this target, which must not be used any more.
    public Target watching(long jvm) {
        removeShared();
        var target = new Target(proc, clock, jvm, launched);
        target.stopLimit = stopLimit;
        return target;
    }

    /// Gives a launched service another time to end after SIGTERM.
    public void stopsWithin(Duration limit) {
        stopLimit = limit;
    }

    /// Whether it was closed and had to be killed, because it had not ended in time.
    public boolean wasKilled() {
        return killed;
    }

    /// Whether it ran before us.
    public boolean attached() {
        return launched == null;
    }

    public Jcmd jcmd() {
        return jcmd;
    }

    /// The folder through which this run and the target hand files to each other; made when it is
    /// asked for first, removed by {@link #close()}.
    ///
    /// @throws IOException when none can be made in its `/tmp`
    public synchronized SharedFolder shared() throws IOException {
        if (shared.isEmpty()) {
            shared = Optional.of(SharedFolder.make(proc, pid, SharedFolder.Purpose.RUN));
        }
        return shared.get();
    }

    /// Removes a file from the folder that we share, if it is there; what stays goes with the
    /// folder.
    public synchronized void removeShared(String file) {
        try {
            if (shared.isPresent()) {
                shared.get().remove(file);
            }
        } catch (IOException left) {
            // the target's /tmp went away with it
        }
    }

    private synchronized void removeShared() {
        try {
            if (shared.isPresent()) {
                shared.get().close();
            }
        } catch (IOException notOurs) {
            // its /tmp went away with it, or its user put folders of his own there: his to remove
        }
        shared = Optional.empty();
    }

    /// When it started, which tells it from another process with its pid later.
    Optional<String> startTicks() {
        return startTicks;
    }

    /// Whether this very process still runs: a process id that was given away again does not count.
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

    /// What the JVM is; asks it, which costs it a few ms.
    public JvmFacts facts() throws InterruptedException {
        requireAlive();
        return JvmFacts.ask(jcmd, pid);
    }

    /// Waits until something accepts connections on a port.
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
                requireAlive();
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

    /// Ends a launched target with all its descendants; leaves an attached one alone. What we
    /// shared with it goes in either case.
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
