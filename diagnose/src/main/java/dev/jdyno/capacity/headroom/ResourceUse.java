package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.AtLeast;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Limit;
import dev.jdyno.measure.verdict.Headroom.Reason;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// The use of one resource over the windows in which it was measured.
final class ResourceUse {
    /// Minimum number of windows for an interval.
    private static final int FEWEST = 12;

    private static final double HIGH = 0.95;
    private static final double BUSY = 0.9;

    /// Use of a request near saturation ÷ its use at the load that was watched, for a lower bound.
    /// Caches, context switches and cores that share a processor make it grow. On services whose
    /// traffic gave no limit, a bound without this factor was up to 1.35 times the measured maximum
    /// (`bench/headroom`).
    static final double GROWTH = 1.4;

    /// Ratio of busy to quiet windows (90 % and 10 % quantiles of requests/s) from which the
    /// traffic is not the reason for a wide interval.
    private static final double VARIES = 2;

    /// One window.
    ///
    /// @param used units in use
    /// @param available units that could have been in use
    /// @param all units that may be used at all; empty if unknown
    private record Window(
            double seconds, double requests, double used, double available, Optional<Double> all) {}

    private final List<Window> windows = new ArrayList<>();

    /// Adds a window of a resource whose available units are all its units.
    void add(LoadWindow window, double used, double available) {
        add(window, used, available, Optional.of(available));
    }

    /// @param used units in use
    /// @param available units that could have been in use
    /// @param all units that may be used at all; empty if unknown
    void add(LoadWindow window, double used, double available, Optional<Double> all) {
        windows.add(new Window(window.seconds(), window.requests(), used, available, all));
    }

    /// Returns the use in the busiest windows (95 % quantile), as a share of the units available.
    double highestUtilisation() {
        return Quantiles.of(each(w -> w.used() / w.available()), HIGH);
    }

    private double[] each(ToDoubleFunction<Window> figure) {
        return windows.stream().mapToDouble(figure).toArray();
    }

    /// Fits the utilisation law.
    ///
    /// @param usualS usual length of a window, in seconds
    Limit limit(double usualS) {
        if (windows.size() < FEWEST) {
            return new Unknown(Reason.TOO_FEW_WINDOWS, Optional.of(FEWEST * usualS), atLeast(0));
        }
        double[] perS = perS();
        double[] used = each(Window::used);
        // The limit is the throughput at which no unit is free. The units that are available today
        // are no criterion, because other processes, such as a proxy, may use more of them as the
        // traffic grows.
        double[] lessFree = each(w -> w.used() - w.available());
        Optional<UtilisationLaw> law = UtilisationLaw.fit(perS, used);
        Optional<UtilisationLaw> free = UtilisationLaw.fit(perS, lessFree);
        if (law.isEmpty() || free.isEmpty()) {
            return new Unknown(wide(perS), Optional.empty(), atLeast(0));
        }
        int n = windows.size();
        double limit = free.get().perSAt(0);
        Interval ci95 =
                Resamples.of(
                                n,
                                UtilisationLaw.PARAMETERS,
                                drawn -> free.get().again(perS, lessFree, drawn))
                        .ci95(l -> l.perSAt(0));
        double half = ci95.width() / 2 / limit;
        // NaN if no limit or no width is known
        if (law.get().demandS() <= 0 || !(half <= Headroom.WIDEST)) {
            return new Unknown(
                    wide(perS),
                    Optional.of(seconds() * half / Headroom.WIDEST * half / Headroom.WIDEST)
                            .filter(s -> Double.isFinite(s) && half > Headroom.WIDEST),
                    atLeast(ci95.lo()));
        }
        Interval demandCi95 =
                Resamples.of(
                                n,
                                UtilisationLaw.PARAMETERS,
                                drawn -> law.get().again(perS, used, drawn))
                        .ci95(l -> 1000 * l.demandS());
        return known(limit, ci95, 1000 * law.get().demandS(), demandCi95, law.get().base());
    }

    /// Why the interval is too wide.
    private static Reason wide(double[] perS) {
        double quiet = Quantiles.of(perS, 1 - BUSY);
        double busy = Quantiles.of(perS, BUSY);
        return busy > 0 && busy >= VARIES * quiet
                ? Reason.TOO_MUCH_SCATTER
                : Reason.TOO_LITTLE_VARIATION;
    }

    private double[] perS() {
        return each(w -> w.requests() / w.seconds());
    }

    private double seconds() {
        return windows.stream().mapToDouble(Window::seconds).sum();
    }

    private double meanPerS() {
        return windows.stream().mapToDouble(Window::requests).sum() / seconds();
    }

    /// A limit, with the figures of these windows.
    ///
    /// @param demandMs time for which a request uses one unit
    /// @param base units in use without requests
    Known known(
            double limitPerS, Interval ci95, double demandMs, Interval demandCi95, double base) {
        return new Known(
                limitPerS,
                ci95,
                demandMs,
                demandCi95,
                base,
                Quantiles.median(each(Window::available)),
                seconds() / windows.size(),
                meanPerS(),
                Arrays.stream(perS()).max().orElseThrow(),
                highestUtilisation(),
                windows.size());
    }

    /// The higher one of two lower bounds, that of the line and that of the mean use, if a request
    /// takes {@link #GROWTH} times as much near saturation. It is at least the throughput of the
    /// busiest windows (95 % quantile), which was served.
    ///
    /// @param lo lower end of the line's interval; may be negative or infinite
    private Optional<AtLeast> atLeast(double lo) {
        return Stream.of(Optional.of(lo).filter(Double::isFinite), byMeanUse())
                .flatMap(Optional::stream)
                .max(Double::compare)
                .filter(limit -> limit > 0)
                .map(limit -> Math.min(limit, ofAllUnits()) / GROWTH)
                .map(limit -> Math.max(limit, Quantiles.of(perS(), HIGH)))
                .map(limit -> new AtLeast(limit, meanPerS()));
    }

    /// The throughput at which the requests would use all units, if none were used without them. A
    /// line of the free units can reach farther while other processes give some back. Infinite if
    /// it is unknown how many units there are.
    private double ofAllUnits() {
        double all =
                windows.stream()
                        .mapToDouble(w -> w.all().orElse(Double.POSITIVE_INFINITY) * w.seconds())
                        .sum();
        double used = windows.stream().mapToDouble(w -> w.used() * w.seconds()).sum();
        return used > 0 ? all / used * meanPerS() : Double.POSITIVE_INFINITY;
    }

    /// Empty if there are too few windows, or it is unknown in one how much other processes used.
    private Optional<Double> byMeanUse() {
        double[] all =
                windows.stream().flatMap(w -> w.all().stream()).mapToDouble(n -> n).toArray();
        return windows.size() < LowerBound.FEWEST || all.length < windows.size()
                ? Optional.empty()
                : LowerBound.of(perS(), all, each(w -> w.available() - w.used()));
    }
}
