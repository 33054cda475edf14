package dev.jdyno.sizing;

import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Distribution;
import dev.jdyno.heapmodel.simulation.DeadWood;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The data of a GC log as input to the heap model.
///
/// @param longestPauseMs longest pause, without full collections
public record HeapReading(Analysis analysis, HeapObservation seen, double longestPauseMs) {
    /// Reads a whole log, which begins at the start of the JVM.
    ///
    /// @throws UserError of kind invalid if the log has too little data
    public static HeapReading of(Analysis a) {
        return new HeapReading(a, observation(a), longest(a));
    }

    /// Reads the log of a diagnosis, which was switched on in a running JVM.
    ///
    /// @param flags the JVM's flags, as {@link TappedLog} needs them
    /// @return empty if the log has too little data
    /// @throws UserError of kind usage if the log cannot be read
    public static Optional<HeapObservation> tapped(Path log, String flags) {
        Analysis a = TappedLog.read(log, flags);
        return isComplete(a) ? Optional.of(observation(a)) : Optional.empty();
    }

    /// Bytes that a request allocates; empty if the log does not show the allocation rate.
    ///
    /// @param qps requests per second that the JVM served
    public Optional<Double> requestBytes(double qps) {
        return analysis.allocBytesPerS().map(rate -> rate / qps);
    }

    /// Size of the young generation, in bytes, above which more size gains little, by the formula
    /// for a large enough young generation (F9).
    public static double youngEnough(double requestBytes) {
        return requestBytes * GcLimits.REQUESTS_IN_YOUNG;
    }

    /// The capacity of the survivor spaces, and the bytes that survive. Empty if the log does not
    /// show the ages of objects.
    public Optional<Survivors> survivors() {
        Analysis.Ages ages = analysis.ages();
        return ages.meanBytes().isEmpty() || ages.desiredBytes() <= 0
                ? Optional.empty()
                : Optional.of(new Survivors(ages.meanBytes().getFirst(), ages.desiredBytes()));
    }

    /// @param ageOneBytes mean bytes that survive their first collection
    /// @param keptBytes bytes that a survivor space keeps before the tenuring threshold falls
    public record Survivors(double ageOneBytes, double keptBytes) {
        /// Size of a survivor space, as a multiple of the objects of age 1. The tenuring threshold
        /// stays if they fill at most half of the space (dynamic age, F11).
        private static final double SPACE_IN_AGE_ONE = 2;

        public boolean isEnough() {
            return ageOneBytes <= keptBytes;
        }

        public Bytes ageOne() {
            return new Bytes(Math.round(ageOneBytes));
        }

        public Bytes kept() {
            return new Bytes(Math.round(keptBytes));
        }

        /// The size of a survivor space that keeps all objects of age 1.
        public Bytes advised() {
            return new Bytes(Math.round(SPACE_IN_AGE_ONE * ageOneBytes));
        }
    }

    private static double longest(Analysis a) {
        return a.pausesByKind().entrySet().stream()
                .filter(e -> e.getKey() != PauseKind.FULL)
                .mapToDouble(e -> e.getValue().max())
                .max()
                .orElse(0);
    }

    /// Returns a text that names the part of the log that forecasts replay; empty if they replay
    /// all of it.
    public static Optional<String> leftOut(Analysis a) {
        return leftOut(a.zgcYoung().size(), a.zgcYoungLogged(), "young collections")
                .or(() ->
                        leftOut(a.shenandoahCycles().size(), a.shenandoahCyclesLogged(), "cycles"));
    }

    private static Optional<String> leftOut(int replayed, long logged, String what) {
        return logged > replayed
                ? Optional.of(
                        "forecasts replay the first "
                                + replayed
                                + " of the "
                                + logged
                                + " "
                                + what
                                + " in the log")
                : Optional.empty();
    }

    /// True if the log has a heap size, time stamps and a collection.
    public static boolean isComplete(Analysis a) {
        return a.heap().maxBytes().orElse(0.0) > 0 && a.spanS() > 0 && a.pauses().count() > 0;
    }

    /// @throws UserError of kind invalid if the log has too little data
    public static HeapObservation observation(Analysis a) {
        HeapObservation.Kind kind = kind(a);
        double heap = a.heap().sizeBytes().orElse(0.0);
        boolean grown = heap == a.heap().maxBytes().orElse(0.0);
        if (!isComplete(a)) {
            throw new UserError(
                    UserError.Kind.INVALID,
                    a.source() + " tells too little for advice",
                    "it has no heap size, no time stamps or no collection",
                    "log with -Xlog:gc* for a while under load");
        }
        double young = 0;
        double full = 0;
        double steps = 0;
        long youngCount = 0;
        long fullCount = 0;
        for (var e : a.pausesByKind().entrySet()) {
            Distribution d = e.getValue();
            if (e.getKey() == PauseKind.FULL || e.getKey() == PauseKind.DEGENERATED) {
                full += d.total();
                fullCount += d.count();
            } else if (e.getKey().isYoung() || e.getKey() == PauseKind.MIXED) {
                young += d.total();
                youngCount += d.count();
            } else {
                steps += d.total();
            }
        }
        boolean cycles = kind.isPauseless();
        return new HeapObservation(
                kind,
                a.setup().feature(),
                heap,
                grown
                        ? a.heap().oldCapacityBytes().filter(o -> o < heap).map(o -> heap - o)
                        : a.heap().youngBytes().filter(y -> y < heap),
                live(a),
                a.heap().liveIsUpperBound(),
                oldBytes(a),
                a.spanS(),
                a.allocatedBytes(),
                a.promotedBytes(),
                cycles ? 0 : youngCount,
                fullCount,
                cycles ? a.count("concurrent") : 0,
                young,
                full,
                steps,
                a.copying()
                        .map(c ->
                                new HeapObservation.Copying(
                                        c.edenBytes(),
                                        c.survivedBytes(),
                                        c.promotedBytes(),
                                        c.copiedTotalBytes(),
                                        c.pauseMs(),
                                        c.single())),
                a.zgcYoung(),
                a.shenandoahCycles());
    }

    /// Bytes of live objects, without dead objects that full collections do not remove.
    private static double live(Analysis a) {
        double live = a.heap().liveBytes().orElse(0.0);
        if (a.heap().liveIsUpperBound() || a.heap().oldCapacityBytes().isEmpty()) {
            return live;
        }
        double old = a.heap().oldCapacityBytes().get();
        List<Double> left = a.heap().floors().stream().map(f -> (double) f.bytes()).toList();
        return switch (a.collector()) {
            case SERIAL -> DeadWood.withoutSerial(live, left, old);
            case PARALLEL -> DeadWood.withoutParallel(live, a.setup().feature(), old);
            default -> live;
        };
    }

    /// Mean bytes in the heap after a collection.
    private static double oldBytes(Analysis a) {
        return a.series().stream()
                .filter(p -> p.afterBytes() > 0)
                .mapToLong(Analysis.Point::afterBytes)
                .average()
                .orElse(0);
    }

    private static HeapObservation.Kind kind(Analysis a) {
        return switch (a.collector()) {
            case SERIAL, UNKNOWN, EPSILON -> HeapObservation.Kind.SERIAL;
            case PARALLEL -> HeapObservation.Kind.PARALLEL;
            case PARNEW, CMS -> HeapObservation.Kind.SWEPT;
            case G1 -> HeapObservation.Kind.REGIONS;
            case ZGC -> HeapObservation.Kind.ZGC;
            case SHENANDOAH -> HeapObservation.Kind.SHENANDOAH;
        };
    }
}
