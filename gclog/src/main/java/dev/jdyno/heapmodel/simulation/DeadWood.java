package dev.jdyno.heapmodel.simulation;

import java.util.List;
import java.util.OptionalInt;

/// What is alive, from what full collections leave: these do not compact everything. HotSpot leaves
/// dead objects where they are ("dead wood") at the bottom of the old generation, up to 5 % of its
/// size (`MarkSweepDeadRatio`), so that it need not move what lies above. Serial does so three
/// times out of four (`MarkSweepAlwaysCompactCount`). Seen in logs of programs whose live set is
/// known: Serial of JDK 17 and 25 leaves 42 MiB each fourth time and up to 5 % of old more else;
/// Parallel of JDK 25 leaves 5 % of old more nearly always, at every one of seven sizes, that of
/// JDK 17 nothing.
public final class DeadWood {
    private static final double SHARE_OF_OLD = 0.05;

    /// `MarkSweepAlwaysCompactCount`: each so many-th full collection of Serial leaves none.
    private static final int SERIAL_COMPACTS_EACH = 4;

    /// From this release on Parallel leaves dead wood; releases between 17 and it were not tried.
    private static final int PARALLEL_FROM = 25;

    private DeadWood() {}

    /// @param liveBytes what a usual full collection of Serial leaves
    /// @param left bytes that full collections left, in order
    /// @param oldBytes size of the old generation
    /// @return what is alive: the least that the last four left, as far as dead wood explains it
    public static double withoutSerial(double liveBytes, List<Double> left, double oldBytes) {
        double least =
                left.subList(Math.max(0, left.size() - SERIAL_COMPACTS_EACH), left.size()).stream()
                        .mapToDouble(Double::doubleValue)
                        .min()
                        .orElse(liveBytes);
        return Math.max(Math.min(least, liveBytes), liveBytes - SHARE_OF_OLD * oldBytes);
    }

    /// @param liveBytes what a usual full collection of Parallel leaves
    /// @param jdk feature release; empty for unknown, which is taken for the newest
    /// @return what is alive; half of what is left at least
    public static double withoutParallel(double liveBytes, OptionalInt jdk, double oldBytes) {
        return jdk.orElse(PARALLEL_FROM) < PARALLEL_FROM
                ? liveBytes
                : Math.max(liveBytes / 2, liveBytes - SHARE_OF_OLD * oldBytes);
    }
}
