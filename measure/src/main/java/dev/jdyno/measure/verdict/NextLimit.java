package dev.jdyno.measure.verdict;

import java.util.Optional;

/// The second limit of a service with two limits of nearly the same height. The first one is the
/// bottleneck of the {@link Verdict}. If only the first limit is removed, throughput rises no
/// further than the second limit allows.
///
/// @param where the lock, host:port, pool or method; empty when the name is sufficient
/// @param confidence 0…1
/// @param way how the limit was computed
/// @param figure the measured figure from which it was computed, in the unit of `way`
/// @param nowPerS throughput at saturation, in requests/s
/// @param limitPerS throughput at which this resource is saturated if it is the only limit, in
///   requests/s
/// @param gainOfFirst maximum gain of removing only the first limit, as a share of `nowPerS`. It is
///   that of the upper end of `limitPerS`.
/// @param after the lowest known limit without these two; empty if no other limit is known
public record NextLimit(
        Bottleneck bottleneck,
        String where,
        double confidence,
        Way way,
        double figure,
        double nowPerS,
        double limitPerS,
        double gainOfFirst,
        Optional<After> after) {

    /// How a limit was computed.
    public enum Way {
        /// Throughput ÷ utilisation (utilisation law). The figure is the utilisation, 0…1.
        UTILISATION("utilisation"),
        /// Throughput ÷ utilisation, which follows from the mean number of requests that wait for
        /// the resource (open queue). The figure is this number.
        QUEUE("queue"),
        /// Places ÷ the time for which a request holds one if nothing is saturated (F2). The figure
        /// is the number of places.
        PLACES("places"),
        /// Throughput ÷ the share that the resource takes of the time or the CPU that both limits
        /// use. The figure is this share, 0…1.
        SHARE("share");

        private final String key;

        Way(String key) {
            this.key = key;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }
    }

    /// The limit that remains without the first two.
    ///
    /// @param limitPerS throughput at which it is saturated, in requests/s. It is an upper bound,
    ///   because resources that were not measured may limit earlier.
    /// @param gainOfBoth maximum gain of removing both limits, as a share of {@link #nowPerS}
    public record After(Bottleneck bottleneck, double limitPerS, double gainOfBoth) {}

    /// Maximum throughput without the first limit, in requests/s.
    public double atMostPerS() {
        return nowPerS * (1 + gainOfFirst);
    }
}
