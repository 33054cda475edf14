package dev.jdyno.trial;

import dev.jdyno.inside.MachineLoop;
import dev.jdyno.plan.Plan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Starts or attaches real JVMs and sends them load.
public final class LiveService implements Service {
    /// A JVM prints its version within this, or does not start.
    private static final long VERSION_SECONDS = 30;

    private final MachineLoop machine = new MachineLoop();

    @Override
    public TrialOutcome trial(Plan plan, Session session) throws InterruptedException {
        return new Trial(plan, session).run();
    }

    @Override
    public Side open(Plan plan, Session session) throws InterruptedException {
        return LiveSide.open(plan, session);
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
