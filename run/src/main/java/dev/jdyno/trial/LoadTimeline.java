package dev.jdyno.trial;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.statistics.Reported;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.statistics.Latency;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/// The client's measurements from the warm-up to the last round, in bounded memory. A point is one
/// slice of a second. If there are more than {@link #MAX} points, neighbouring ones under one load
/// are merged. Their histograms are added up, so the quantiles are those of all requests.
final class LoadTimeline {
    /// Maximum number of points, unless the run has more loads than this.
    static final int MAX = 400;

    /// Longest gap between two slices of one stretch of load.
    private static final double LONGEST_GAP_S = 0.5;

    /// Maximum number of slices in a point, more than any run has.
    private static final int MAX_SLICES = 1 << 24;

    private final long originNanos;
    private List<Stretch> stretches = new ArrayList<>();
    private int slicesPerPoint = 1;

    /// @param originNanos time of the client's clock from which seconds are counted
    LoadTimeline(long originNanos) {
        this.originNanos = originNanos;
    }

    /// @param level the load that was held
    void add(LoadPoint.Part part, Level level, LoadWindow seen) {
        if (seen.seconds() <= 0) {
            return;
        }
        append(stretches, Stretch.of(part, level, seen));
        if (stretches.size() > MAX && slicesPerPoint < MAX_SLICES) {
            slicesPerPoint *= 2;
            List<Stretch> fewer = new ArrayList<>();
            stretches.forEach(s -> append(fewer, s));
            stretches = fewer;
        }
    }

    private void append(List<Stretch> to, Stretch next) {
        if (!to.isEmpty() && to.getLast().takes(next, slicesPerPoint)) {
            to.set(to.size() - 1, to.getLast().plus(next));
        } else {
            to.add(next);
        }
    }

    List<LoadPoint> points() {
        return stretches.stream().map(s -> s.point(originNanos)).toList();
    }

    /// Consecutive slices under one load.
    ///
    /// @param packed the histogram of their response times: about 2 kB instead of 200 kB
    /// @param summary summary of a driver that gives no histogram
    private record Stretch(
            LoadPoint.Part part,
            Level level,
            long startNanos,
            long endNanos,
            int slices,
            long requests,
            long errors,
            ByteBuffer packed,
            Optional<Latency> summary) {

        static Stretch of(LoadPoint.Part part, Level level, LoadWindow seen) {
            return new Stretch(
                    part,
                    level,
                    seen.startNanos(),
                    seen.endNanos(),
                    1,
                    seen.requests(),
                    seen.errors(),
                    pack(seen.latencyNanos()),
                    seen.reported().flatMap(Reported::latency));
        }

        boolean takes(Stretch next, int max) {
            return part == next.part
                    && level.equals(next.level)
                    && slices + next.slices <= max
                    && (next.startNanos - endNanos) / 1e9 < LONGEST_GAP_S;
        }

        Stretch plus(Stretch next) {
            Histogram sum = histogram();
            sum.add(next.histogram());
            return new Stretch(
                    part,
                    level,
                    startNanos,
                    next.endNanos,
                    slices + next.slices,
                    requests + next.requests,
                    errors + next.errors,
                    pack(sum),
                    summary.flatMap(a ->
                            next.summary.map(b -> Latency.between(a, requests, b, next.requests))));
        }

        LoadPoint point(long originNanos) {
            double seconds = (endNanos - startNanos) / 1e9;
            Latency rtMs = summary.orElseGet(() -> Latency.of(histogram()));
            double inFlight = requests / seconds * rtMs.mean() / 1000;
            return new LoadPoint(
                    (startNanos - originNanos) / 1e9,
                    seconds,
                    part,
                    level instanceof Level.Closed closed
                            ? closed.connections()
                            : (int) Math.max(1, Math.round(inFlight)),
                    level instanceof Level.Open open
                            ? Optional.of(open.ratePerS())
                            : Optional.empty(),
                    requests,
                    errors,
                    rtMs);
        }

        private Histogram histogram() {
            try {
                Histogram unpacked =
                        Histogram.decodeFromCompressedByteBuffer(packed.duplicate(), 0);
                unpacked.setAutoResize(true);
                return unpacked;
            } catch (DataFormatException e) {
                throw new IllegalStateException("a histogram that was packed here", e);
            }
        }

        private static ByteBuffer pack(Histogram histogram) {
            var encoded = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
            int length = histogram.encodeIntoCompressedByteBuffer(encoded, Deflater.BEST_SPEED);
            var packed = ByteBuffer.allocate(length);
            packed.put(encoded.array(), 0, length).flip();
            return packed;
        }
    }
}
