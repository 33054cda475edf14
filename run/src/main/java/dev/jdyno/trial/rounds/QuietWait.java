package dev.jdyno.trial.rounds;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.NanoClock;
import java.util.Optional;

/// Waits until others leave the cores again that they took in a round, before its load is measured
/// again: at once it would only be disturbed once more. The time is bounded for the whole run,
/// because a neighbour that stays is part of the machine.
public final class QuietWait {
    /// Seconds that a run waits in all for others to leave the cores: most builds of a file, tests
    /// and cron jobs are over by then.
    public static final double MOST_SECONDS = 30;

    private static final double LOOK_SECONDS = 1;

    /// What it looks at: the target without load.
    public interface Idle {
        /// Sends nothing from now on, and begins to look at the CPU.
        void begin() throws InterruptedException;

        /// CPU since the look before; empty where it was not seen, or not yet.
        Optional<CpuUse> look(double seconds) throws InterruptedException;

        /// Whether there is a target to wait for, and the run is not stopped.
        boolean goesOn();
    }

    private final Idle idle;
    private final NanoClock clock;
    private double left = MOST_SECONDS;

    public QuietWait(Idle idle, NanoClock clock) {
        this.idle = idle;
        this.clock = clock;
    }

    /// Seconds that may still be waited.
    public double left() {
        return Math.max(0, left);
    }

    /// Whether it would wait at all: not where the machine lacked a neighbour, for its return
    /// cannot be predicted.
    public boolean waitsFor(Disturbance by) {
        return by.more() && left > 0;
    }

    /// Sends nothing meanwhile.
    ///
    /// @param usualAtRest cores that others usually take while the target has no load: what they
    ///   took in the round has a part that requests brought about
    public void await(Disturbance by, double usualAtRest) throws InterruptedException {
        if (!waitsFor(by)) {
            return;
        }
        double cores = usualAtRest + by.difference() / 2;
        long start = clock.nanos();
        double before = left;
        idle.begin();
        boolean isQuiet = false;
        while (!isQuiet && idle.goesOn() && left > 0) {
            isQuiet =
                    idle.look(LOOK_SECONDS)
                            .filter(cpu -> DisturbedRounds.takenCores(cpu) <= cores)
                            .isPresent();
            left = before - clock.secondsSince(start);
        }
    }
}
