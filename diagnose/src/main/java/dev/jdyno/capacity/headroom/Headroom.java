package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.statistics.Bootstrap;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// How much more load the CPU of a service will take, by the utilisation law over windows of
/// natural traffic. Locks, pools and downstream services that limit only near saturation are beyond
/// what such windows show: {@link Known#highestUtilisation} says how far was seen.
public sealed interface Headroom {
    /// @param limitPerS requests/s at which the process uses all cores that it can have
    /// @param ci95 of `limitPerS`
    /// @param demandMs CPU of a request
    /// @param demandCi95 of `demandMs`
    /// @param baseCores CPU without requests, in cores
    /// @param availableCores median of the cores that the process could have had
    /// @param perS mean throughput of all windows
    /// @param busiestPerS throughput of the busiest window
    /// @param highestUtilisation CPU of the busiest windows (95 % quantile), as a share of
    ///   `availableCores`
    /// @param windows number of windows that the law was fitted to
    record Known(
            double limitPerS,
            Interval ci95,
            double demandMs,
            Interval demandCi95,
            double baseCores,
            double availableCores,
            double perS,
            double busiestPerS,
            double highestUtilisation,
            int windows)
            implements Headroom {
        /// Limit as a multiple of the busiest window's throughput.
        public double timesBusiest() {
            return limitPerS / busiestPerS;
        }

        /// Half of the interval, as a share of the limit.
        public double halfWidth() {
            return ci95.width() / 2 / limitPerS;
        }
    }

    /// @param watchS seconds of such traffic that would be enough; empty where no time would be,
    ///   because the traffic does not vary
    record Unknown(Reason reason, Optional<Double> watchS) implements Headroom {}

    enum Reason {
        /// Too few windows in which requests were counted and the CPU was read.
        TOO_FEW_WINDOWS,
        /// The CPU does not follow the number of requests, or the throughput does not vary enough
        /// for an interval narrower than ±40 %.
        TOO_LITTLE_VARIATION
    }

    /// Fewer windows give no interval.
    int FEWEST = 12;

    /// Half width of the interval, as a share of the limit, from which it is not given.
    double WIDEST = 0.4;

    /// Seconds of a window. Shorter ones count requests whose CPU falls into the next one, which
    /// makes the slope too flat.
    double WINDOW_S = 5;

    long SEED = 20_261_129;

    /// @param looked windows in the order of time, of any length up to {@link #WINDOW_S}
    static Headroom of(List<LoadWindow> looked) {
        List<LoadWindow> windows = joined(looked);
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
        double limit = law.get().perSAt(available);
        Interval ci95 = interval(perS, cores, l -> l.perSAt(available));
        double half = ci95.width() / 2 / limit;
        if (!(half <= WIDEST)) {
            double seconds = windows.stream().mapToDouble(LoadWindow::seconds).sum();
            double more = half / WIDEST;
            return new Unknown(
                    Reason.TOO_LITTLE_VARIATION,
                    Optional.of(seconds * more * more).filter(Double::isFinite));
        }
        Interval demand = interval(perS, cores, l -> 1000 * l.demandS());
        double seconds = windows.stream().mapToDouble(LoadWindow::seconds).sum();
        return new Known(
                limit,
                ci95,
                1000 * law.get().demandS(),
                demand,
                law.get().baseCores(),
                available,
                windows.stream().mapToDouble(LoadWindow::requests).sum() / seconds,
                Arrays.stream(perS).max().orElseThrow(),
                Quantiles.of(cores, 0.95) / available,
                windows.size());
    }

    /// The windows as some of {@link #WINDOW_S} and more; the rest at the end is left out.
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

    /// The 95 % interval by a moving-block bootstrap (Künsch 1989): windows that follow each other
    /// are alike, so blocks of them are drawn.
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
