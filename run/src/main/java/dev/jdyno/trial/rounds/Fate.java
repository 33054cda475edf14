package dev.jdyno.trial.rounds;

import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.SameCores;
import dev.jdyno.plan.Plan;
import java.util.Locale;

/// The decision about a round that other processes disturbed.
public enum Fate {
    /// The round is part of the result, because there is no better one. Its figures are scaled to
    /// the usual cores.
    COUNTS_SCALED,
    /// The round is part of the result with the measured figures, because its cores did not limit
    /// it.
    COUNTS,
    /// The round is not part of the result, and its load is measured again.
    AGAIN,
    /// The round is not part of the result. Another round at its load is, or may be at the end.
    LEFT_OUT;

    /// @param rounds all rounds, with this one
    /// @param cores of the machine
    /// @param round one of them that other processes disturbed, as it is marked there
    public static Fate of(Plan plan, MeasuredRounds rounds, int cores, Round round) {
        if (round.disturbance().filter(Disturbance::kept).isPresent()) {
            return SameCores.isScaled(round, rounds.counted()) ? COUNTS_SCALED : COUNTS;
        }
        return NextRound.comesAgain(plan, rounds, cores, round.concurrency()) ? AGAIN : LEFT_OUT;
    }

    /// Text for a line of progress.
    ///
    /// @param againSeconds time to measure the round again
    /// @param waitSeconds maximum wait before that
    public String says(double againSeconds, double waitSeconds) {
        return switch (this) {
            case COUNTS_SCALED ->
                    "it counts, and its figures are scaled to the usual number of cores";
            case COUNTS -> "it counts with the figures that were measured";
            case AGAIN ->
                    String.format(
                            Locale.ROOT,
                            "it does not count and is measured again (%.0f s%s)",
                            againSeconds,
                            waitSeconds > 0
                                    ? String.format(
                                            Locale.ROOT,
                                            ", and up to %.0f s until others leave",
                                            waitSeconds)
                                    : "");
            case LEFT_OUT -> "it does not count";
        };
    }
}
