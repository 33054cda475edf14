package dev.jdyno.tune;

import dev.jdyno.heapmodel.forecast.HeapForecast;
import dev.jdyno.heapmodel.forecast.HeapForecaster;
import dev.jdyno.heapmodel.forecast.ReplayForecast;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Returns the few sizes with the shortest pauses that the heap model predicts from a diagnosis: of
/// the young generation, of the survivor spaces, and a heap twice as large. Pure.
///
/// @param seen data of the diagnosis's GC log
/// @param flags the service's launch flags
record ModelSizes(HeapObservation seen, List<String> flags) {
    /// Shares of the heap for which the model predicts a young generation.
    private static final double[] YOUNG_SHARES = {0.25, 0.4, 0.5, HeapDivision.MAX_YOUNG};

    /// Maximum number of young sizes to try.
    private static final int MAX_YOUNG_SIZES = 2;

    /// Minimum size of the old generation, as a multiple of the live set. A smaller one would be
    /// full at once.
    private static final double OLD_IN_LIVE_SETS = 1.2;

    /// Ratios that the model predicts: a survivor space of a third to an eighth of the young
    /// generation.
    private static final int[] SURVIVOR_RATIOS = {1, 2, 3, 4, 6};

    private static final String RATIO_FLAG = "-XX:SurvivorRatio=";

    /// Minimum promoted share of copied bytes for which larger survivor spaces may help.
    private static final double PROMOTES = 0.05;

    private static final double MIB = 1 << 20;

    ModelSizes {
        flags = List.copyOf(flags);
    }

    /// One size with its predicted pauses.
    ///
    /// @param pauses total pause time with this size ÷ total pause time of the diagnosis
    record Sized(String id, String says, List<Change.Launch> changes, double pauses) {
        Sized {
            changes = List.copyOf(changes);
        }

        /// True if this size is of the young generation.
        boolean isOfYoung() {
            return changes.stream()
                    .anyMatch(c -> c instanceof Change.JvmFlag f && f.name().equals("-Xmn"));
        }

        /// Throughput with this size ÷ throughput now, if everything else stays the same.
        ///
        /// @param share present share of time in pauses
        double qpsRatio(double share) {
            double now = share / (1 - share);
            return (1 + now) / (1 + now * pauses);
        }
    }

    /// Returns the sizes; within each kind, the one with the shortest pauses comes first.
    ///
    /// @param memoryBytes memory available to the whole service; 0 if unknown
    List<Sized> best(double memoryBytes) {
        if (seen.pauseMs() <= 0 || seen.kind().isPauseless()) {
            return List.of();
        }
        HeapForecaster forecaster = HeapForecaster.of(seen, ratioGiven());
        List<Sized> all = new ArrayList<>();
        forecaster
                .replay()
                .filter(_ -> seen.kind().isFixed() && seen.youngBytes().isPresent())
                .ifPresent(replay -> {
                    all.addAll(young(replay));
                    survivors(replay).ifPresent(all::add);
                });
        heap(forecaster, memoryBytes).ifPresent(all::add);
        return all;
    }

    private List<Sized> young(ReplayForecast replay) {
        double now = seen.youngBytes().orElseThrow();
        return DoubleStream.of(YOUNG_SHARES)
                .map(share -> Math.floor(share * seen.heapBytes() / MIB))
                .filter(mib -> mib * MIB > HeapDivision.LARGER * now)
                .filter(mib -> seen.heapBytes() - mib * MIB >= OLD_IN_LIVE_SETS * seen.liveBytes())
                .boxed()
                .flatMap(mib ->
                        replay.at(heapNow(), Optional.of(mib * MIB)).stream()
                                .map(f -> young(mib, f)))
                .sorted(Comparator.comparingDouble(Sized::pauses))
                .limit(MAX_YOUNG_SIZES)
                .toList();
    }

    private Sized young(double mib, HeapForecast forecast) {
        String size = String.format(Locale.ROOT, "%.0fm", mib);
        return new Sized(
                "young-" + size,
                "young generation of " + size,
                List.of(new Change.JvmFlag("-Xmn", size)),
                pauses(forecast));
    }

    /// Returns another size of the survivor spaces, if many objects are promoted because these
    /// spaces are too small.
    private Optional<Sized> survivors(ReplayForecast replay) {
        boolean promotes =
                seen.copying()
                        .filter(c -> c.promotedBytes() >= PROMOTES * c.copiedBytes())
                        .isPresent();
        if (!promotes) {
            return Optional.empty();
        }
        return IntStream.of(SURVIVOR_RATIOS)
                .filter(ratio -> ratio != ratioGiven().orElse(0))
                .boxed()
                .flatMap(ratio ->
                        replay.at(heapNow(), seen.youngBytes(), OptionalInt.of(ratio)).stream()
                                .map(f -> survivors(ratio, f)))
                .min(Comparator.comparingDouble(Sized::pauses));
    }

    private Sized survivors(int ratio, HeapForecast forecast) {
        return new Sized(
                "survivors-" + ratio,
                "survivor spaces of 1/" + (ratio + 2) + " of the young generation",
                List.of(new Change.JvmFlag("-XX:SurvivorRatio", Integer.toString(ratio))),
                pauses(forecast));
    }

    private OptionalInt ratioGiven() {
        return flags.stream()
                .filter(f -> f.matches(RATIO_FLAG + "\\d{1,4}"))
                .mapToInt(f -> Integer.parseInt(f.substring(RATIO_FLAG.length())))
                .reduce((_, later) -> later);
    }

    /// Returns twice the heap if there is memory for it. A young generation that a flag fixes
    /// stays.
    private Optional<Sized> heap(HeapForecaster forecaster, double memoryBytes) {
        double twice = 2 * seen.heapBytes();
        if (memoryBytes > 0 && twice > GcLimits.HEAP_OF_MEMORY * memoryBytes) {
            return Optional.empty();
        }
        var heap = new Bytes((long) twice);
        boolean fixedYoung = HeapDivision.youngBytes(flags).isPresent();
        Optional<HeapForecast> forecast =
                fixedYoung
                        ? forecaster.replay().flatMap(r -> r.at(heap, seen.youngBytes()))
                        : Optional.of(forecaster.at(heap));
        String size = String.format(Locale.ROOT, "%.0fm", twice / MIB);
        return forecast.map(f ->
                new Sized(
                        "heap-" + size,
                        "heap of " + size,
                        List.of(new Change.JvmFlag("-Xmx", size), new Change.JvmFlag("-Xms", size)),
                        pauses(f)));
    }

    private Bytes heapNow() {
        return new Bytes((long) seen.heapBytes());
    }

    private double pauses(HeapForecast forecast) {
        return forecast.pauseMs() / seen.pauseMs();
    }
}
