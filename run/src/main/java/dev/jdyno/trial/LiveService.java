package dev.jdyno.trial;

import dev.jdyno.inside.MachineLoop;
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

/// Starts or attaches real JVMs and sends them load.
public final class LiveService implements Service {
    /// A JVM prints its version within this, or does not start.
    private static final long VERSION_SECONDS = 30;

    /// How long a service gets to end that had to be killed before: what it does then is not
    /// measured, and its hooks would take a good part of the budget at each start.
    private static final Duration SHORT_STOP = Duration.ofSeconds(2);

    private final MachineLoop machine = new MachineLoop();

    /// Commands that had to be killed; their ports are left out, for each start has another.
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
                // read meanwhile: a JVM waits when nothing takes more than 64 KiB of its output
                var said = new FutureTask<>(() -> firstLine(process));
                Thread.ofVirtual().name("jdyno-java-version").start(said);
                if (!process.waitFor(VERSION_SECONDS, TimeUnit.SECONDS)) {
                    return Optional.of("java -version does not end with it");
                }
                return process.exitValue() == 0
                        ? Optional.empty()
                        : Optional.of(said.get(VERSION_SECONDS, TimeUnit.SECONDS));
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException | ExecutionException | TimeoutException cannotAsk) {
            // the service's own start will show it
            return Optional.empty();
        }
    }

    private static String firstLine(Process process) throws IOException {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            List<String> said = new ArrayList<>();
            lines.lines()
                    .filter(l -> said.isEmpty() && !l.startsWith("Picked up "))
                    .forEach(said::add);
            return said.isEmpty() ? "it says nothing" : said.getFirst();
        }
    }

    @Override
    public double machineStepNs() {
        return machine.nsPerStep();
    }
}
