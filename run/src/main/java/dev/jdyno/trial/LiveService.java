package dev.jdyno.trial;

import dev.jdyno.inside.MachineLoop;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.observe.host.AvailableMemory;
import dev.jdyno.observe.host.MemoryLimit;
import dev.jdyno.target.ProcFs;
import dev.jdyno.plan.Plan;
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

    /// Time to end for a service that had to be killed before. What it does then is not measured,
    /// and its shutdown hooks would take a large part of the budget at each start.
    private static final Duration SHORT_STOP = Duration.ofSeconds(2);

    private final MachineLoop machine = new MachineLoop();

    /// Commands that had to be killed. Numbers are masked in them, because each start has another
    /// port.
    private final Set<String> killed = ConcurrentHashMap.newKeySet();

    @Override
    public TrialOutcome trial(Plan plan, Session session) throws InterruptedException {
        return new Trial(plan, session).run();
    }

    @Override
    public Side open(Plan plan, Session session) throws InterruptedException {
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
            // the service's own start will show the error
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
        return machine.nsPerStep();
    }

    @Override
    public Optional<Bytes> availableMemory() {
        Optional<Bytes> machine =
                ProcFs.text(Path.of("/proc/meminfo")).flatMap(AvailableMemory::of);
        // processes that this one starts share its limit
        Optional<Bytes> limit = MemoryLimit.of(ProcessHandle.current().pid());
        return machine.map(m -> limit.filter(l -> l.compareTo(m) < 0).orElse(m));
    }
}
