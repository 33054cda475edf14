package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import java.util.Optional;
import java.util.OptionalInt;

/// Forecasts one run on heaps of other sizes. The run is analysed once, which takes much longer
/// than a forecast for one heap.
public final class HeapForecaster {
    private final HeapObservation seen;
    private final Optional<ReplayForecast> replay;
    private final Optional<ZgcForecast> zgc;
    private final Optional<ShenandoahForecast> shenandoah;

    private HeapForecaster(HeapObservation seen, OptionalInt survivorRatio) {
        this.seen = seen;
        replay = ReplayForecast.of(seen, survivorRatio);
        zgc = seen.kind() == HeapObservation.Kind.ZGC ? ZgcForecast.of(seen) : Optional.empty();
        shenandoah =
                seen.kind() == HeapObservation.Kind.SHENANDOAH
                        ? ShenandoahForecast.of(seen)
                        : Optional.empty();
    }

    public static HeapForecaster of(HeapObservation seen) {
        return of(seen, OptionalInt.empty());
    }

    /// @param survivorRatio `-XX:SurvivorRatio` with which the JVM was started; empty for the
    ///   default
    public static HeapForecaster of(HeapObservation seen, OptionalInt survivorRatio) {
        return new HeapForecaster(seen, survivorRatio);
    }

    public HeapForecast at(Bytes heap) {
        return seen.kind().isPauseless()
                ? zgc.flatMap(z -> z.at(heap))
                        .orElseGet(() -> CycleForecast.of(seen, shenandoah, heap))
                : replay.flatMap(r -> r.at(heap))
                        .orElseGet(() -> FirstOrderForecast.of(seen, heap));
    }

    /// The forecast by simulation, if it is possible. It also covers other shares of the
    /// generations.
    public Optional<ReplayForecast> replay() {
        return replay;
    }
}
