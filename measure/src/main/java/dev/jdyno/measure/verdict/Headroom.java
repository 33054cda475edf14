package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.Interval;
import java.util.Locale;
import java.util.Optional;

/// The load that the CPU of a service can still take, by the utilisation law over windows of
/// natural traffic. Such windows do not show locks, pools and downstream services that limit only
/// near saturation. {@link Known#highestUtilisation} is the highest observed utilisation.
public sealed interface Headroom {
    /// @param limitPerS requests/s at which the process uses all cores that it can have
    /// @param ci95 of `limitPerS`
    /// @param demandMs CPU of a request
    /// @param demandCi95 of `demandMs`
    /// @param baseCores CPU without requests, in cores
    /// @param availableCores median of the cores that the process could have had
    /// @param windowS seconds of a window
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
            double windowS,
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

    /// @param watchS sufficient seconds of such traffic; empty if no time is sufficient, because
    ///   the traffic does not vary
    record Unknown(Reason reason, Optional<Double> watchS) implements Headroom {}

    enum Reason {
        /// No source counted requests.
        NO_THROUGHPUT("requests were not counted"),
        /// Too few windows in which requests were counted and the CPU was read.
        TOO_FEW_WINDOWS("it was watched for too short a time"),
        /// The CPU does not follow the number of requests, or the throughput does not vary enough
        /// for an interval narrower than ±40 %.
        TOO_LITTLE_VARIATION("the traffic varied too little for an interval narrower than ±40 %");

        private final String says;

        Reason(String says) {
            this.says = says;
        }

        public String says() {
            return says;
        }

        /// The text form, as in JSON.
        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
