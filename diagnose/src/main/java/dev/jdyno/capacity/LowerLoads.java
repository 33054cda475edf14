package dev.jdyno.capacity;

import java.util.List;
import java.util.stream.Stream;

/// The loads to start with if the lowest measured one is above the knee.
final class LowerLoads {
    private LowerLoads() {}

    /// Returns the loads. One user never queues, and half of the lowest load may queue little.
    ///
    /// @param lowest requests in flight in the lowest round
    /// @return ascending; the last is `lowest`
    static List<Integer> than(int lowest) {
        return Stream.of(1, (int) Math.round(Asymptotes.BASE_SHARE * lowest), lowest)
                .filter(n -> n >= 1)
                .distinct()
                .toList();
    }
}
