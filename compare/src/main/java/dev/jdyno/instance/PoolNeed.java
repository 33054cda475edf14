package dev.jdyno.instance;

import dev.jdyno.measure.service.PoolDemand;
import java.util.Optional;

/// The size that a pool needs for the tested rate.
///
/// @param seen use of the pool in the test from which the size follows
/// @param usesPerRequest times that a request takes a member; empty if it cannot be seen
/// @param least places by the lower end of the interval of the use
/// @param places proposed places: those of the upper end of the interval, or the next larger value
///   of the knob; {@link #MAX_PLACES} also stands for more
/// @param setting how its size is set
/// @param less the next smaller places that the knob has; empty without a knob, or if it has none
/// @param holds what is known of the smallest size of the instance with these places
/// @param lessHolds the same with the next smaller places
public record PoolNeed(
        PoolDemand seen,
        Optional<Double> usesPerRequest,
        int least,
        int places,
        Setting setting,
        Optional<Integer> less,
        Known holds,
        Known lessHolds) {
    /// Highest number of places that is computed or set. A test in which few requests ended gives
    /// more than any pool has.
    public static final int MAX_PLACES = 100_000;

    /// How the size of a pool is set.
    ///
    /// @param name property of the framework, or the name in the library; empty if neither is known
    /// @param property whether it is a property of the framework
    /// @param knob name of the plan's knob; empty without one
    /// @param written the knob with the proposed places, as a user writes it
    public record Setting(
            Optional<String> name,
            boolean property,
            Optional<String> knob,
            Optional<String> written) {}

    /// What is known of a number of places.
    public enum Known {
        HOLDS("holds"),
        FAILS("fails"),
        NOT_DECIDED("not-decided"),
        /// There was no time, or the search ended before.
        NOT_TESTED("not-tested"),
        /// The plan has no knob for the pool, so that the size is computed only.
        NO_KNOB("no-knob"),
        /// Its knob or property also sets a pool that needs more places, and is proposed for that.
        SHARED("shared"),
        /// The knob has no smaller value.
        NONE("none");

        private final String key;

        Known(String key) {
            this.key = key;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }

        static Known of(SizeTest test) {
            return switch (test.outcome()) {
                case GOOD -> HOLDS;
                case BAD -> FAILS;
                case OPEN -> NOT_DECIDED;
            };
        }
    }

    PoolNeed known(Known here, Known below) {
        return new PoolNeed(seen, usesPerRequest, least, places, setting, less, here, below);
    }

    /// Present number of places, rounded, if it is known.
    public Optional<Integer> present() {
        return seen.size().map(n -> (int) Math.min(Integer.MAX_VALUE, Math.round(n)));
    }

    /// True if the rate needs more places than are computed, so that no number is proposed.
    public boolean exceedsMaximum() {
        return places >= MAX_PLACES;
    }

    /// True if the plan has a knob for it that is set to its places.
    boolean isSettable() {
        return setting.knob().isPresent() && holds != Known.SHARED;
    }

    /// What sets the size; empty if that is not known to be the same for another pool.
    Optional<String> setBy() {
        return setting.knob().or(() -> setting.name().filter(_ -> setting.property()));
    }

    /// The need of a pool whose setting is that of another pool, too.
    PoolNeed shared() {
        var own = new Setting(setting.name(), setting.property(), setting.knob(), Optional.empty());
        return new PoolNeed(
                seen,
                usesPerRequest,
                least,
                places,
                own,
                Optional.empty(),
                Known.SHARED,
                Known.SHARED);
    }

    /// True if the tests of the instance ran with the proposed places.
    public boolean isPresent() {
        return present().filter(n -> n == places).isPresent();
    }
}
