package dev.jdyno.trial;

import dev.jdyno.inside.HostAtRest;
import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.DisturbanceText;
import dev.jdyno.trial.rounds.MeasuredRounds;
import java.util.Locale;
import java.util.Optional;

/// Waits until others leave the cores again that they took in a round, before its load is measured
/// again: at once it would only be disturbed once more. The time is bounded for the whole run, as
/// who stays is a part of the machine.
final class QuietWait {
    private static final double LOOK_SECONDS = 1;

    private final Loading loading;
    private final TrialListener listener;
    private double left = MeasuredRounds.MOST_WAIT_SECONDS;

    QuietWait(Loading loading, TrialListener listener) {
        this.loading = loading;
        this.listener = listener;
    }

    /// Seconds that may still be waited.
    double left() {
        return left;
    }

    /// Sends nothing meanwhile. Returns at once where the machine lacked a neighbour: its return
    /// cannot be predicted.
    void await(Disturbance by) throws InterruptedException {
        if (!by.more() || left <= 0) {
            return;
        }
        double cores = by.usualCores() + (by.takenCores() - by.usualCores()) / 2;
        listener.phase(
                String.format(
                        Locale.ROOT,
                        "waiting up to %.0f s for others to leave the cores: %s",
                        left,
                        DisturbanceText.who(by)));
        loading.drain(LOOK_SECONDS);
        long start = loading.clock().nanos();
        Optional<HostAtRest.Totals> before = Preflight.atRest(loading);
        while (before.isPresent() && left > 0 && !loading.stopped()) {
            long from = loading.clock().nanos();
            loading.waitFor(LOOK_SECONDS);
            Optional<HostAtRest.Totals> now = Preflight.atRest(loading);
            double seconds = loading.clock().secondsSince(from);
            left -= seconds;
            listener.progress(
                    loading.clock().secondsSince(start), Optional.empty(), Optional.empty());
            if (now.isEmpty() || isQuiet(before.get(), now.get(), seconds, cores)) {
                return;
            }
            before = now;
        }
    }

    private static boolean isQuiet(
            HostAtRest.Totals from, HostAtRest.Totals to, double seconds, double cores) {
        HostAtRest.Seen seen = HostAtRest.between(from, to, seconds);
        double machine = Runtime.getRuntime().availableProcessors();
        return seen.othersCores() + seen.stealPct() / 100 * machine <= cores;
    }
}
