package dev.jdyno.trial;

import dev.jdyno.inside.Inside;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.trial.rounds.QuietWait;
import java.util.Optional;

/// The target of a trial while no request is sent, and the CPU that other processes on its host
/// take from its cores.
final class IdleTarget implements QuietWait.Idle {
    private static final double DRAIN_SECONDS = 1;

    private final Loading loading;
    private final TrialListener listener;
    private long start;

    IdleTarget(Loading loading, TrialListener listener) {
        this.loading = loading;
        this.listener = listener;
    }

    @Override
    public void begin() throws InterruptedException {
        start = loading.clock().nanos();
        loading.drain(DRAIN_SECONDS);
    }

    @Override
    public Optional<CpuUse> look(double seconds) throws InterruptedException {
        loading.waitFor(seconds);
        listener.progress(loading.clock().secondsSince(start), Optional.empty(), Optional.empty());
        Optional<Inside> inside = loading.trialSetup().inside();
        Optional<ServerWindow> did = inside.isPresent() ? inside.get().take() : Optional.empty();
        return did.flatMap(ServerWindow::cpu);
    }

    @Override
    public boolean goesOn() {
        return !loading.stopped() && loading.trialSetup().targetIsAlive();
    }
}
