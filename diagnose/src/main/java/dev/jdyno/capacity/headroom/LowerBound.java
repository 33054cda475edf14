package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.statistics.Bootstrap;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/// A lower bound of the throughput at which a resource is saturated, also for traffic that does not
/// vary. U is the use by all processes, because that of a proxy may grow with the traffic, too.
/// With the utilisation law U = X · D + U0, no unit of A is free at X · (A - U0) / (U - U0). As
/// long as U < A, that grows with U0. The use without requests, U0, is not negative, so the limit
/// is at least X · A / U.
final class LowerBound {
    /// Minimum number of windows: 45 s, so that a diagnosis of one minute has a bound.
    static final int FEWEST = 9;

    private LowerBound() {}

    /// @param perS requests per second of at least {@link #FEWEST} windows
    /// @param all units of the resource in each window
    /// @param free units of them that no process used
    /// @return the bound in requests/s at 97.5 % confidence, from resamples of blocks of windows;
    ///   empty if all units were free
    static Optional<Double> of(double[] perS, double[] all, double[] free) {
        var random = new SplittableRandom(Resamples.SEED);
        double[] limits = new double[Bootstrap.RESAMPLES];
        for (int r = 0; r < limits.length; r++) {
            int[] drawn = Resamples.blocks(perS.length, random);
            double units = sum(all, drawn);
            double used = units - sum(free, drawn);
            limits[r] = sum(perS, drawn) / drawn.length * (used <= 0 ? 0 : units / used);
        }
        Arrays.sort(limits);
        double bound =
                limits[
                        (int)
                                (Resamples.tail(perS.length, UtilisationLaw.PARAMETERS)
                                        * (limits.length - 1))];
        return Optional.of(bound).filter(b -> b > 0);
    }

    private static double sum(double[] values, int[] drawn) {
        return Arrays.stream(drawn).mapToDouble(i -> values[i]).sum();
    }
}
