package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.statistics.Bootstrap;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Reason;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Fits the utilisation law to windows of natural traffic.
public final class NaturalLoad {
    /// Minimum number of windows for an interval.
    private static final int FEWEST = 12;

    /// Maximum half width of the interval, as a share of the limit. A wider one is not given.
    private static final double WIDEST = 0.4;

    /// Length of a window in seconds. Shorter ones count requests whose CPU time is in the next
    /// one, which makes the slope too flat.
    public static final double WINDOW_S = 5;

    private static final long SEED = 20_261_129;

    private NaturalLoad() {}

    /// @param looked windows in order of time, each of a length up to {@link #WINDOW_S}
    public static Headroom headroom(List<LoadWindow> looked) {
        List<LoadWindow> windows = joined(looked);
        if (looked.isEmpty()) {
            return new Unknown(Reason.NO_THROUGHPUT, Optional.empty());
        }
        if (windows.size() < FEWEST) {
            return new Unknown(Reason.TOO_FEW_WINDOWS, Optional.of(FEWEST * WINDOW_S));
        }
        double[] perS = windows.stream().mapToDouble(LoadWindow::perS).toArray();
        double[] cores = windows.stream().mapToDouble(LoadWindow::cores).toArray();
        double available =
                Quantiles.median(
                        windows.stream().mapToDouble(LoadWindow::availableCores).toArray());
        int[] all = IntStream.range(0, perS.length).toArray();
        Optional<UtilisationLaw> law = UtilisationLaw.fit(perS, cores, all);
        if (law.isEmpty() || law.get().demandS() <= 0) {
            return new Unknown(Reason.TOO_LITTLE_VARIATION, Optional.empty());
        }
        // other processes may take more CPU as the traffic grows, as a proxy beside the service
        // does: the limit is where the free cores reach zero, not where the present ones are used
        double[] lessFree =
                windows.stream().mapToDouble(w -> w.cores() - w.availableCores()).toArray();
        Optional<UtilisationLaw> free = UtilisationLaw.fit(perS, lessFree, all);
        if (free.isEmpty() || free.get().demandS() <= 0) {
            return new Unknown(Reason.TOO_LITTLE_VARIATION, Optional.empty());
        }
        double limit = free.get().perSAt(0);
        Interval ci95 = interval(perS, lessFree, l -> l.perSAt(0));
        double half = ci95.width() / 2 / limit;
        double seconds = windows.stream().mapToDouble(LoadWindow::seconds).sum();
        if (!(half <= WIDEST)) {
            double more = half / WIDEST;
            return new Unknown(
                    Reason.TOO_LITTLE_VARIATION,
                    Optional.of(seconds * more * more).filter(Double::isFinite));
        }
        Interval demand = interval(perS, cores, l -> 1000 * l.demandS());
        return new Known(
                limit,
                ci95,
                1000 * law.get().demandS(),
                demand,
                law.get().baseCores(),
                available,
                seconds / windows.size(),
                windows.stream().mapToDouble(LoadWindow::requests).sum() / seconds,
                Arrays.stream(perS).max().orElseThrow(),
                Quantiles.of(cores, 0.95) / available,
                windows.size());
    }

    /// Joins the windows into windows of at least {@link #WINDOW_S}; the rest at the end is left
    /// out.
    private static List<LoadWindow> joined(List<LoadWindow> looked) {
        List<LoadWindow> joined = new ArrayList<>();
        Optional<LoadWindow> open = Optional.empty();
        for (LoadWindow window : looked) {
            LoadWindow longer = open.map(o -> o.and(window)).orElse(window);
            if (longer.seconds() >= WINDOW_S) {
                joined.add(longer);
                open = Optional.empty();
            } else {
                open = Optional.of(longer);
            }
        }
        return joined;
    }

    /// Returns the 95 % interval by a moving-block bootstrap (Künsch 1989). Consecutive windows are
    /// alike, so blocks of them are drawn.
    private static Interval interval(
            double[] perS, double[] cores, ToDoubleFunction<UtilisationLaw> figure) {
        int n = perS.length;
        int block = (int) Math.max(1, Math.round(Math.cbrt(n)));
        return Bootstrap.ci95(
                random ->
                        UtilisationLaw.fit(perS, cores, blocks(n, block, random))
                                .map(figure::applyAsDouble)
                                .orElse(Double.POSITIVE_INFINITY),
                SEED);
    }

    private static int[] blocks(int n, int block, SplittableRandom random) {
        int[] drawn = new int[n];
        for (int i = 0; i < n; i += block) {
            int from = random.nextInt(n - block + 1);
            for (int k = 0; k < block && i + k < n; k++) {
                drawn[i + k] = from + k;
            }
        }
        return drawn;
    }
}
