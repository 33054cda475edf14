package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.Jdks;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.heapmodel.simulation.Collector;
import dev.jdyno.heapmodel.simulation.HeapFlags;
import dev.jdyno.heapmodel.simulation.HeapPrediction;
import dev.jdyno.heapmodel.simulation.HeapSimulator;
import dev.jdyno.heapmodel.simulation.HeapWorkload;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One heap under one load, run both by the lab's `memory` service and by the heap model.
///
/// @param load its number of requests is ignored: the model gets as many as were served
record HeapCase(String name, HeapFlags flags, HeapWorkload load, int concurrency) {
    /// Maximum relative distance of the predicted minor collections from the measured ones.
    static final double TOLERANCE = 0.10;

    /// Number of minor collections by which the JVM's own allocations may shift the count.
    private static final double SLACK = 2;

    /// The results of one case.
    ///
    /// @param fullEverySeconds interval of full collections, from their count or from how fast old
    ///   fills
    record Outcome(
            HeapCase given,
            Round round,
            GcActivity gc,
            HeapPrediction predicted,
            Optional<Double> fullEverySeconds) {
        boolean frequent() {
            return fullEverySeconds
                    .map(s -> s < HeapPrediction.FREQUENT_FULL_GC_SECONDS)
                    .orElse(false);
        }

        /// The row for the kind of collection that this load causes: full collections if Parallel
        /// puts arrays directly into the old generation, otherwise young ones.
        Row countRow() {
            boolean large =
                    given.flags.collector() == Collector.PARALLEL
                            && given.load.objectBytes().orElse(given.load.requestBytes()).value()
                                    >= predicted.layout().edenBytes() / 2;
            double expected = large ? predicted.fullGcs() : predicted.youngGcs();
            double measured = large ? gc.full().count() : gc.young().count();
            boolean holds = Math.abs(expected - measured) <= Math.max(SLACK, measured * TOLERANCE);
            return new Row(
                    (large ? "full GCs, " : "minor GCs, ") + given.name,
                    Optional.empty(),
                    Optional.of(expected),
                    measured,
                    "GCs",
                    Optional.of(new Judged(holds, TOLERANCE)));
        }

        /// The row for full collections in a longer time, extrapolated from this run. It is not
        /// judged, because a run of seconds gives only an estimate for minutes.
        Row fullRow(double seconds, double published) {
            return new Row(
                    "full GCs in " + Math.round(seconds / 60) + " min, " + given.name,
                    Optional.of(published),
                    Optional.of(
                            predicted.fullGcIntervalSeconds().isPresent()
                                    ? seconds / predicted.fullGcIntervalSeconds().getAsDouble()
                                    : 0),
                    fullEverySeconds.map(s -> seconds / s).orElse(0.0),
                    "GCs",
                    Optional.empty());
        }

        /// @param published whether full collections were frequent; empty if that case was not
        ///   published
        Row frequentRow(Optional<Boolean> published) {
            boolean holds =
                    frequent() == predicted.fullGcsFrequent()
                            && published.map(p -> p == frequent()).orElse(true);
            return new Row(
                    "full GCs frequent, " + given.name,
                    published.map(HeapCase::asFigure),
                    Optional.of(asFigure(predicted.fullGcsFrequent())),
                    asFigure(frequent()),
                    Comparison.YES_OR_NO,
                    Optional.of(new Judged(holds, 0)));
        }
    }

    private static double asFigure(boolean yes) {
        return yes ? 1 : 0;
    }

    /// Starts the service with these flags on `java`, warms it up, measures it, and ends it.
    Outcome run(Bench bench, Jdks.Jdk java, Duration length) throws InterruptedException {
        HeapFlags here = flags.withJdk(java.feature());
        try (LabService service =
                bench.lab()
                        .startOn(
                                java.home(),
                                "memory.Memory",
                                jvmFlags(here),
                                List.of("--port", "0"))) {
            Round round = bench.steady(name, service, page(), length, concurrency);
            GcActivity gc =
                    round.gc()
                            .orElseThrow(() ->
                                    UserError.target(
                                            "the collections of the service could not be read",
                                            "its hsperfdata was not to be had",
                                            "run jdyno doctor"));
            HeapPrediction predicted =
                    HeapSimulator.run(here, load.withRequests((int) Math.max(1, round.requests())));
            return new Outcome(this, round, gc, predicted, pace(round, gc, predicted));
        }
    }

    private static Optional<Double> pace(Round round, GcActivity gc, HeapPrediction predicted) {
        if (gc.full().count() > 0) {
            return Optional.of(round.seconds() / gc.full().count());
        }
        double old = predicted.layout().oldBytes();
        return gc.promotedBytesPerS().filter(rate -> rate > 0).map(rate -> old / rate);
    }

    private String page() {
        String held =
                String.format(
                        Locale.ROOT,
                        "/memory?bytes=%d&holdMs=%d",
                        load.requestBytes().value(),
                        load.hold().toMillis());
        String chunk = load.objectBytes().map(c -> "&chunk=" + c.value()).orElse("");
        String kept =
                load.cachedFor().isZero()
                        ? ""
                        : "&keep="
                                + load.liveBytes().value()
                                + "&keepMs="
                                + load.cachedFor().toMillis();
        return held + chunk + kept + (load.releaseBeforeWait() ? "&release=true" : "");
    }

    private static List<String> jvmFlags(HeapFlags flags) {
        var all = new ArrayList<String>();
        all.add(
                switch (flags.collector()) {
                    case SERIAL -> "-XX:+UseSerialGC";
                    case PARALLEL -> "-XX:+UseParallelGC";
                    case G1 -> "-XX:+UseG1GC";
                });
        all.add("-Xms" + flags.xmx().value());
        all.add("-Xmx" + flags.xmx().value());
        if (flags.xmn().isPresent()) {
            all.add("-Xmn" + flags.xmn().map(Bytes::value).orElseThrow());
        } else {
            all.add("-XX:NewRatio=" + flags.newRatio());
        }
        if (flags.survivorRatio().isPresent()) {
            all.add("-XX:SurvivorRatio=" + flags.survivorRatio().getAsInt());
        }
        return all;
    }

    /// Returns a label such as `Serial 17: …`.
    static String label(Collector collector, Jdks.Jdk java, String what) {
        String name = collector == Collector.SERIAL ? "Serial" : "Parallel";
        return name + " " + java.feature() + ": " + what;
    }
}
