package dev.jdyno.heapmodel.simulation;

import java.util.List;
import java.util.OptionalInt;

/// Corrects the live set after full collections, which do not compact everything. HotSpot leaves
/// dead objects ("dead wood") at the bottom of the old generation, up to 5 % of its size
/// (`MarkSweepDeadRatio`). It then need not move the objects above them. Serial does this three
/// times out of four (`MarkSweepAlwaysCompactCount`).
///
/// In logs of programs with a known live set, Serial of JDK 17 and 25 leaves 42 MiB every fourth
/// time. Otherwise, it leaves up to 5 % of the old generation in addition. Parallel of JDK 25
/// leaves 5 % of it in addition nearly always, at each of seven sizes. Parallel of JDK 17 leaves
/// nothing.
public final class DeadWood {
    private static final double SHARE_OF_OLD = 0.05;

    /// `MarkSweepAlwaysCompactCount`: each fourth full collection of Serial leaves no dead wood.
    private static final int SERIAL_COMPACTS_EACH = 4;

    /// First release in which Parallel leaves dead wood. Releases between 17 and this one were not
    /// tested.
    private static final int PARALLEL_FROM = 25;

    private DeadWood() {}

    /// @param liveBytes bytes that a usual full collection of Serial leaves
    /// @param left bytes that full collections left, in order
    /// @param oldBytes size of the old generation
    /// @return the live set: the minimum after the last four, as far as dead wood explains the
    ///   difference
    public static double withoutSerial(double liveBytes, List<Double> left, double oldBytes) {
        double min =
                left.subList(Math.max(0, left.size() - SERIAL_COMPACTS_EACH), left.size()).stream()
                        .mapToDouble(Double::doubleValue)
                        .min()
                        .orElse(liveBytes);
        return Math.max(Math.min(min, liveBytes), liveBytes - SHARE_OF_OLD * oldBytes);
    }

    /// @param liveBytes bytes that a usual full collection of Parallel leaves
    /// @param jdk feature release; empty if unknown, then the newest is assumed
    /// @return the live set, at least half of `liveBytes`
    public static double withoutParallel(double liveBytes, OptionalInt jdk, double oldBytes) {
        return jdk.orElse(PARALLEL_FROM) < PARALLEL_FROM
                ? liveBytes
                : Math.max(liveBytes / 2, liveBytes - SHARE_OF_OLD * oldBytes);
    }
}
