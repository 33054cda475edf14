package dev.jdyno.observe.jfr;

import dev.jdyno.files.Folder;
import dev.jdyno.files.Handle;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.host.CpuLimits;
import dev.jdyno.observe.host.Headroom;
import dev.jdyno.observe.probe.Probe;
import dev.jdyno.observe.profiler.OtherProfiler;
import dev.jdyno.target.Jcmd;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.SharedFolder;
import dev.jdyno.target.Target;
import dev.jdyno.target.TargetFiles;
import dev.jdyno.target.ToolMark;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// A JFR recording in the target, with jdyno's own settings, over attach. It is guarded while it
/// runs ({@link RecordingGuard}), and written out and removed at the end. Recordings left by a
/// killed jdyno process are removed when the next one starts.
public final class FlightRecording implements Probe {
    /// Maximum size of the recording on the target's disk; older chunks are dropped.
    private static final String SIZE_MAX = "100m";

    /// Maximum time for a JFR command. The first one loads classes, which takes 1.5 s on a busy
    /// machine with 2 cores.
    public static final Duration LIMIT = Duration.ofSeconds(20);

    /// Prefix of the names of jdyno's recordings; the tool's mark follows.
    public static final String PREFIX = "jdyno-";

    /// Maximum duration, longer than any run. After it a recording ends by itself even if its jdyno
    /// process was killed.
    private static final Duration LONGEST = Duration.ofHours(12);

    private static final String OLDER_SAMPLES =
            "; its samples are jdk.ExecutionSample, of Java code alone";

    private static final String NO_CPU_TIME =
            "no jdk.CPUTimeSample, because other code in the JVM uses SIGPROF (a profiler?)"
                    + OLDER_SAMPLES;

    private static final String OTHER_PROFILER =
            "jdk.CPUTimeSample is off: another profiler in the JVM may use its signal SIGPROF (";

    private final Target target;
    private final Jcmd jcmd;
    private final Headroom headroom;
    private final String name;
    private volatile Optional<String> missing = Optional.empty();
    private volatile Optional<String> less = Optional.empty();
    private volatile boolean running;

    /// True if a start was requested and its end is not confirmed: a JVM that answers late starts
    /// the recording nevertheless.
    private boolean mayRecord;

    private Optional<RecordingGuard> guard = Optional.empty();

    /// Folder of the recording's chunks, kept open so that the chunks can be found after the target
    /// was killed.
    private Optional<Folder> repository = Optional.empty();

    private FlightRecording(Target target, Headroom headroom, String name) {
        this.target = target;
        this.jcmd = target.jcmd();
        this.headroom = headroom;
        this.name = name;
    }

    /// Starts recording. If it fails, {@link #missing()} has the reason.
    ///
    /// @param own mark that distinguishes this jdyno's recording from others'
    public static FlightRecording start(Target target, Headroom headroom, ToolMark own)
            throws InterruptedException {
        return start(target, headroom, own, LIMIT);
    }

    public static FlightRecording start(
            Target target, Headroom headroom, ToolMark own, Duration limit)
            throws InterruptedException {
        var recording = new FlightRecording(target, headroom, PREFIX + own);
        recording.begin(limit);
        return recording;
    }

    /// @param seenByTarget path of the settings file, as the target sees it
    static String command(String name, String seenByTarget, Duration longest) {
        // the JVM writes a recording that ends by its duration to a file; without a file name it
        // creates one in the target's working folder
        return "JFR.start name="
                + name
                + " settings="
                + seenByTarget
                + " duration="
                + longest.toSeconds()
                + "s filename=/dev/null";
    }

    /// The kind of samples to request. CPU-time samples are not requested if another tool's
    /// profiler is loaded. It may take SIGPROF at any time, and would count the JVM's timers as its
    /// own samples.
    private SampleKind kind() throws InterruptedException {
        SampleKind kind = SampleKind.ofVersion(target.facts().jdkVersion());
        Optional<String> another = OtherProfiler.in(ProcFs.SYSTEM, target.pid());
        if (kind == SampleKind.EXECUTION || another.isEmpty()) {
            return kind;
        }
        less = Optional.of(OTHER_PROFILER + another.get() + ")" + OLDER_SAMPLES);
        return SampleKind.EXECUTION;
    }

    private synchronized void begin(Duration limit) throws InterruptedException {
        missing = shortOf();
        if (missing.isPresent()) {
            return;
        }
        boolean settled = false;
        try {
            if (jcmd.run("JFR.check", LIMIT).contains("name=" + name + " ")) {
                // jdyno started it before, and the answer came too late
                jcmd.run("JFR.stop name=" + name, LIMIT);
            }
            SampleKind kind = kind();
            var timers = CpuTimers.before(ProcFs.SYSTEM, target.pid());
            String answer = record(kind, limit);
            if (running && kind == SampleKind.CPU_TIME && !timers.cameSince(NanoClock.SYSTEM)) {
                less = Optional.of(NO_CPU_TIME);
                jcmd.run("JFR.stop name=" + name, LIMIT);
                answer = record(SampleKind.EXECUTION, limit);
            }
            if (running) {
                guard = Optional.of(RecordingGuard.over(headroom, this::stopBefore));
                // the flight recorder creates its folder at the first start, so only now it reports
                // the real path
                holdRepository(ChunkFolder.of(jcmd));
            } else {
                missing = Optional.of(firstLine(answer));
                mayRecord = false;
            }
            settled = true;
        } catch (UserError refused) {
            missing = Optional.of(refused.why());
        } catch (IOException notWritten) {
            missing = Optional.of("its /tmp cannot be used: " + notWritten.getMessage());
        } finally {
            // whatever went wrong: a recording that may have begun is ended
            if (!settled && mayRecord) {
                stop();
            }
        }
    }

    private void holdRepository(String seenByTarget) {
        headroom.writesChunksIn(seenByTarget);
        try {
            repository =
                    Optional.of(TargetFiles.of(ProcFs.SYSTEM, target.pid()).folder(seenByTarget));
        } catch (IOException outOfReach) {
            // if the target is killed, no chunk can be read; this is reported then
            repository = Optional.empty();
        }
    }

    /// @return the target's answer
    private String record(SampleKind kind, Duration limit)
            throws IOException, InterruptedException {
        String settings = name + ".jfc";
        SharedFolder shared = target.shared();
        try (InputStream own =
                FlightRecording.class.getResourceAsStream("/dev/jdyno/observe/jdyno.jfc")) {
            if (own == null) {
                throw new IllegalStateException("jdyno.jfc is not in the jar");
            }
            double cores = CpuLimits.of(ProcFs.SYSTEM, target.pid()).availableCores();
            shared.write(
                    settings,
                    kind.in(new String(own.readAllBytes(), StandardCharsets.UTF_8), cores)
                            .getBytes(StandardCharsets.UTF_8));
        }
        mayRecord = true;
        try {
            String answer =
                    jcmd.run(
                            command(name, shared.seenByTarget(settings), LONGEST)
                                    + " maxsize="
                                    + SIZE_MAX,
                            limit);
            running = answer.contains("Started recording");
            return answer;
        } finally {
            target.removeShared(settings);
        }
    }

    /// The reason why nothing can be recorded; empty if recording is possible. File descriptors are
    /// checked first, because the command that reports the folder needs some as well.
    private Optional<String> shortOf() throws InterruptedException {
        Optional<String> danger = headroom.shortOf();
        if (danger.isPresent()) {
            return danger;
        }
        try {
            headroom.writesChunksIn(ChunkFolder.of(jcmd));
            return headroom.shortOf();
        } catch (UserError unknown) {
            return Optional.of(unknown.why());
        }
    }

    /// Name of the recording if its end was not confirmed, so that it may still run; else empty.
    public synchronized String notEnded() {
        return mayRecord ? name : "";
    }

    boolean isRunning() {
        return running;
    }

    /// Stops the recording because of a danger. If the target has ended, the recording is not
    /// stopped, because its data can still be read.
    private synchronized void stopBefore(String danger) throws InterruptedException {
        if (running && target.isAlive()) {
            missing = Optional.of("stopped in the middle: " + danger);
            stop();
        }
    }

    /// Writes the recording to a file of jdyno's and ends it. If the target has ended, only the
    /// finished chunks are available.
    ///
    /// @return true if there is a file
    public synchronized boolean finish(Path file) throws InterruptedException {
        String dump = name + ".jfr";
        try {
            if (!running) {
                return false;
            }
            if (!target.isAlive()) {
                mayRecord = false;
                return salvage(file);
            }
            Optional<String> danger = headroom.shortOf();
            if (danger.isPresent()) {
                missing = danger;
                return false;
            }
            // one command writes the file and stops the recording: with JFR.dump before it, the JVM
            // would do the same work twice
            SharedFolder shared = target.shared();
            jcmd.run("JFR.stop name=" + name + " filename=" + shared.seenByTarget(dump), LIMIT);
            mayRecord = false;
            try (Handle recording = shared.read(dump, RecordingShape.MAX_BYTES);
                    InputStream dumped = recording.stream()) {
                PrivateFiles.copy(dumped, file);
            }
            OwnEvents.keepOnly(file);
            return true;
        } catch (UserError refused) {
            missing = Optional.of(refused.why());
            return false;
        } catch (IOException notCopied) {
            missing = Optional.of("the recording was not written: " + notCopied.getMessage());
            return false;
        } finally {
            running = false;
            guard.ifPresent(RecordingGuard::close);
            if (mayRecord) {
                stop();
            }
            target.removeShared(dump);
            letGoOfRepository();
        }
    }

    /// Ends the recording and discards its data.
    public synchronized void end() throws InterruptedException {
        if (mayRecord) {
            stop();
        }
        letGoOfRepository();
    }

    private void letGoOfRepository() {
        try {
            if (repository.isPresent()) {
                repository.get().close();
            }
        } catch (IOException notClosed) {
            missing = missing.or(() -> Optional.of("not closed: " + notClosed.getMessage()));
        }
        repository = Optional.empty();
    }

    /// Reads the finished chunks of a killed target, as far as they are still accessible.
    private boolean salvage(Path file) throws IOException {
        boolean found =
                repository.isPresent()
                        && FinishedChunks.join(repository.get(), RecordingShape.MAX_BYTES, file)
                                > 0;
        if (found) {
            OwnEvents.keepOnly(file);
        }
        missing =
                Optional.of(
                        "the target ended while it was recorded: "
                                + (found ? "its last chunk is lost" : "no chunk was finished"));
        return found;
    }

    /// Stops the recording even if this thread is interrupted.
    private void stop() throws InterruptedException {
        running = false;
        guard.ifPresent(RecordingGuard::close);
        boolean interrupted = Thread.interrupted();
        try {
            jcmd.run("JFR.stop name=" + name, LIMIT);
            mayRecord = false;
        } catch (UserError gone) {
            missing = missing.or(() -> Optional.of("not stopped: " + gone.why()));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static String firstLine(String answer) {
        return answer.strip().lines().findFirst().orElse("no answer");
    }

    @Override
    public Sheet sheet() {
        return new Sheet(
                "jfr",
                "JDK 11+ (8u262+), 64 free file descriptors, 512 MiB in the target's /tmp and where"
                        + " its chunks lie",
                "1–1.5 s of its CPU once at the start, then about 1 % of the CPU of a busy page");
    }

    @Override
    public Optional<String> missing() {
        return missing;
    }

    @Override
    public Optional<String> less() {
        return less;
    }
}
