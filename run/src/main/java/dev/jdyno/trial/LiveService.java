package dev.jdyno.trial;

import dev.jdyno.inside.Inside;
import dev.jdyno.inside.MachineFacts;
import dev.jdyno.inside.MachineLoop;
import dev.jdyno.inside.remote.RemoteLaunch;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.observe.host.AvailableMemory;
import dev.jdyno.observe.host.MemoryLimit;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.Selector;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Starts real JVMs, or attaches to running ones, and sends them load.
public final class LiveService implements Service {
    /// Maximum time for a JVM to print its version.
    private static final long VERSION_SECONDS = 30;

    /// Time to end for a service that had to be killed the last time. Its end is not measured, and
    /// its shutdown hooks would take a large part of the budget at each start.
    public static final Duration SHORT_STOP = Duration.ofSeconds(2);

    private final Optional<AgentServices> agents;
    private final MachineLoop machineLoop = new MachineLoop();

    /// Commands that had to be killed. Numbers are masked in them, because each start has another
    /// port.
    private final Set<String> killed = ConcurrentHashMap.newKeySet();

    public LiveService() {
        this.agents = Optional.empty();
    }

    /// @param agents starts the services of other hosts
    public LiveService(AgentServices agents) {
        this.agents = Optional.of(agents);
    }

    /// The machine on which this process runs.
    public static Machine machine() {
        return MachineFacts.read();
    }

    @Override
    public TrialOutcome trial(Plan plan, Session session) throws InterruptedException {
        Optional<RemoteLaunch> away = away(plan, session);
        if (away.isEmpty()) {
            return new Trial(plan, session).run();
        }
        try (Inside started = away.get().inside()) {
            return new Trial(at(plan, away.get()), session).away((_, _) -> started).run();
        }
    }

    /// Starts the service of the plan if its host's agent does so; otherwise empty.
    private Optional<RemoteLaunch> away(Plan plan, Session session) throws InterruptedException {
        return agents.isPresent()
                        && plan.target() instanceof Plan.TargetPlan.Observed target
                        && target.which() instanceof Selector.Launch which
                ? Optional.of(
                        agents.get()
                                .start(
                                        target,
                                        which,
                                        plan.limits(),
                                        session.clock(),
                                        session.stop()))
                : Optional.empty();
    }

    private static Plan at(Plan plan, RemoteLaunch started) {
        return plan.withUrl(HttpUrl.at(plan.url(), started.port()));
    }

    @Override
    public Side open(Plan plan, Session session) throws InterruptedException {
        Optional<RemoteLaunch> away = away(plan, session);
        if (away.isPresent()) {
            Inside started = away.get().inside();
            try {
                return LiveSide.startedAway(at(plan, away.get()), session, started);
            } catch (RuntimeException | InterruptedException notReady) {
                started.close();
                throw notReady;
            }
        }
        String command =
                plan.target() instanceof Plan.TargetPlan.Launch(String line)
                        ? line.replaceAll("[0-9]+", "#")
                        : "";
        return LiveSide.open(
                plan,
                session,
                killed.contains(command) ? SHORT_STOP : Target.STOP_LIMIT,
                () -> {
                    if (killed.add(command)) {
                        session.listener()
                                .note(
                                        "the service was killed: it had not ended "
                                                + Target.STOP_LIMIT.toSeconds()
                                                + " s after SIGTERM (a shutdown hook, or streams"
                                                + " that stay open); at its next starts it gets "
                                                + SHORT_STOP.toSeconds()
                                                + " s");
                    }
                });
    }

    @Override
    public Optional<String> refusal(Path java, List<String> flags) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(flags);
        command.add("-version");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try {
                // read concurrently: a JVM blocks if more than 64 KiB of its output are not read
                var versionLine = new FutureTask<>(() -> firstLine(process));
                Thread.ofVirtual().name("jdyno-java-version").start(versionLine);
                if (!process.waitFor(VERSION_SECONDS, TimeUnit.SECONDS)) {
                    return Optional.of("java -version does not end with it");
                }
                return process.exitValue() == 0
                        ? Optional.empty()
                        : Optional.of(versionLine.get(VERSION_SECONDS, TimeUnit.SECONDS));
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException | ExecutionException | TimeoutException cannotAsk) {
            // the start of the service will report the same error
            return Optional.empty();
        }
    }

    private static String firstLine(Process process) throws IOException {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            List<String> versionLine = new ArrayList<>();
            lines.lines()
                    .filter(l -> versionLine.isEmpty() && !l.startsWith("Picked up "))
                    .forEach(versionLine::add);
            return versionLine.isEmpty() ? "it says nothing" : versionLine.getFirst();
        }
    }

    @Override
    public double machineStepNs() {
        return machineLoop.nsPerStep();
    }

    @Override
    public Optional<Bytes> availableMemory() {
        Optional<Bytes> machine =
                ProcFs.text(Path.of("/proc/meminfo")).flatMap(AvailableMemory::of);
        // processes that this one starts share its limit
        Optional<Bytes> left = MemoryLimit.left(ProcessHandle.current().pid());
        return machine.map(m -> left.filter(l -> l.compareTo(m) < 0).orElse(m));
    }
}
