package dev.jdyno.observe;

import dev.jdyno.measure.GcActivity;
import dev.jdyno.measure.GcDetail;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// What a flight recording says of the collector, kept by time, so that every round can be asked
/// for afterwards. The recording is read when the rounds are over and not while they run: reading
/// takes CPU of the machine that client and target share.
///
/// | event | gives |
/// | --- | --- |
/// | `jdk.GCPhasePause` | every stop for the collector with its length, for every collector |
/// | `jdk.GarbageCollection` | why it collected |
/// | `jdk.ObjectAllocationSample` (JDK 16+) | allocation: its weights sum up to the bytes |
/// | `jdk.ZAllocationStall` | threads that waited for memory while pauses looked perfect |
public final class FlightFigures {
    /// @param start nanoseconds since the epoch
    private record Stretch(long start, long nanos) {
        /// Nanoseconds of it that lie in the window.
        long within(long from, long to) {
            return Math.max(0, Math.min(start + nanos, to) - Math.max(start, from));
        }
    }

    private record Collected(long at, String cause) {}

    private record Allocated(long at, long bytes) {}

    private final List<Stretch> pauses = new ArrayList<>();
    private final List<Stretch> stalls = new ArrayList<>();
    private final List<Collected> collections = new ArrayList<>();
    private final List<Allocated> allocations = new ArrayList<>();
    private long first = Long.MAX_VALUE;

    private FlightFigures() {}

    /// @throws IOException when the file is no recording or cannot be read
    public static FlightFigures read(Path recording) throws IOException {
        var figures = new FlightFigures();
        // a stream takes a file that is none for one without events; this throws
        new RecordingFile(recording).close();
        try (EventStream events = EventStream.openFile(recording)) {
            events.setReuse(true);
            events.setOrdered(false);
            events.onEvent("jdk.GCPhasePause", e -> figures.pauses.add(stretch(e)));
            events.onEvent("jdk.ZAllocationStall", e -> figures.stalls.add(stretch(e)));
            events.onEvent(
                    "jdk.GarbageCollection",
                    e ->
                            figures.collections.add(
                                    new Collected(nanos(e.getStartTime()), e.getString("cause"))));
            events.onEvent(
                    "jdk.ObjectAllocationSample",
                    e ->
                            figures.allocations.add(
                                    new Allocated(nanos(e.getStartTime()), e.getLong("weight"))));
            // written once a second: they tell how far back the recording reaches
            events.onEvent(
                    "jdk.JavaThreadStatistics",
                    e -> figures.first = Math.min(figures.first, nanos(e.getStartTime())));
            events.start();
        }
        return figures;
    }

    private static Stretch stretch(RecordedEvent event) {
        return new Stretch(nanos(event.getStartTime()), event.getDuration().toNanos());
    }

    private static long nanos(Instant at) {
        return ChronoUnit.NANOS.between(Instant.EPOCH, at);
    }

    /// The round's figures with what the recording knows better; unchanged when it does not reach
    /// back to the round (its oldest part is thrown away when it grows too large).
    ///
    /// @param counted what the counters say
    /// @param requests of the round, for the bytes of one (F7)
    public GcActivity refine(GcActivity counted, Instant from, Instant to, long requests) {
        long start = nanos(from);
        long end = nanos(to);
        if (start < first || end <= start) {
            return counted;
        }
        double seconds = (end - start) / 1e9;
        Optional<Double> allocPerS = counted.allocBytesPerS().or(() -> sampled(start, end));
        return new GcActivity(
                counted.young(),
                counted.full(),
                sum(pauses, start, end) / 1e9 / seconds,
                allocPerS,
                counted.promotedBytesPerS(),
                counted.requestBytes()
                        .or(() ->
                                requests == 0
                                        ? Optional.empty()
                                        : allocPerS.map(a -> a * seconds / requests)),
                counted.oldUsedBytes(),
                counted.oldCapacityBytes(),
                Optional.of(
                        new GcDetail(
                                longest(start, end) / 1e6,
                                causes(start, end),
                                sum(stalls, start, end) / 1e9 / seconds)),
                counted.why());
    }

    private static long sum(List<Stretch> stretches, long from, long to) {
        return stretches.stream().mapToLong(s -> s.within(from, to)).sum();
    }

    private long longest(long from, long to) {
        return pauses.stream()
                .filter(p -> p.within(from, to) > 0)
                .mapToLong(Stretch::nanos)
                .max()
                .orElse(0);
    }

    private Map<String, Long> causes(long from, long to) {
        Map<String, Long> causes = new HashMap<>();
        for (Collected c : collections) {
            if (c.at() >= from && c.at() < to) {
                causes.merge(c.cause(), 1L, Long::sum);
            }
        }
        return causes;
    }

    /// Bytes per second by the samples' weights; empty on a JDK that takes none.
    private Optional<Double> sampled(long from, long to) {
        if (allocations.isEmpty()) {
            return Optional.empty();
        }
        long bytes = 0;
        for (Allocated a : allocations) {
            if (a.at() >= from && a.at() < to) {
                bytes += a.bytes();
            }
        }
        return Optional.of(bytes * 1e9 / (to - from));
    }
}
