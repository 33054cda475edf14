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
import java.util.concurrent.TimeUnit;

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
                boolean ended = process.waitFor(VERSION_SECONDS, TimeUnit.SECONDS);
                if (ended && process.exitValue() == 0) {
                    return Optional.empty();
                }
                String said =
                        ended
                                ? new String(
                                        process.getInputStream().readAllBytes(),
                                        StandardCharsets.UTF_8)
                                : "java -version does not end with it";
                return Optional.of(
                        said.lines()
                                .filter(l -> !l.startsWith("Picked up "))
                                .findFirst()
                                .orElse("it says nothing"));
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException cannotAsk) {
            // the service's own start will show it
            return Optional.empty();
        }
    }

    @Override
    public double machineStepNs() {
        return machine.nsPerStep();
    }
}
