package dev.jdyno.trial.rounds;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.NanoClock;
import java.util.Optional;

/// Waits until other processes leave the cores that they took in a round, before its load is
/// measured again. An immediate repetition would only be disturbed, too. The time is bounded for
/// the whole run, because a neighbour that stays is part of the machine.
public final class QuietWait {
    /// Maximum seconds in a run to wait for other processes to leave the cores. Most builds of a
    /// file, tests and cron jobs are over by then.
    public static final double MAX_SECONDS = 30;

    private static final double SAMPLE_SECONDS = 1;

    /// The target without load.
    public interface Idle {
        /// Sends no request from now on, and begins to measure the CPU use.
        void begin() throws InterruptedException;

        /// CPU use since the last call; empty if it was not measured, or not yet.
        Optional<CpuUse> look(double seconds) throws InterruptedException;

        /// True if there is a target to wait for and the run is not stopped.
        boolean goesOn();
    }

    private final Idle idle;
    private final NanoClock clock;
    private double left = MAX_SECONDS;

    public QuietWait(Idle idle, NanoClock clock) {
        this.idle = idle;
        this.clock = clock;
    }

    /// Seconds of waiting left.
    public double left() {
        return Math.max(0, left);
    }

    /// True if a wait would help. It does not help if a usual neighbour was missing, because its
    /// return cannot be predicted.
    public boolean waitsFor(Disturbance by) {
        return by.more() && left > 0;
    }

    /// Waits without sending.
    ///
    /// @param usualAtRest cores that other processes usually use while the target has no load; part
    ///   of their use in the round is due to the requests
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
                    idle.look(SAMPLE_SECONDS)
                            .filter(cpu -> DisturbedRounds.takenCores(cpu) <= cores)
                            .isPresent();
            left = before - clock.secondsSince(start);
        }
    }
}
