package dev.jdyno.observe.jfr;

import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcDetail;
import dev.jdyno.measure.statistics.Trend;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.SourceLines;
import dev.jdyno.observe.stacks.StackClassifier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;

/// Figures of the collector and of compiled code in a flight recording, stored by time, so that
/// they are available for every round afterwards. The recording is read after the rounds and not
/// during them, because reading takes CPU of the machine that client and target share.
///
/// | event | gives |
/// | --- | --- |
/// | `jdk.GCPhasePause` | every stop for the collector with its length, for every collector |
/// | `jdk.GarbageCollection` | cause of each collection |
/// | `jdk.GCHeapSummary` | used bytes of the heap after full collections |
/// | `jdk.ObjectAllocationSample` (JDK 16+) | allocation: its weights sum up to the bytes |
/// | `jdk.ZAllocationStall` | threads that waited for memory although pauses were short |
/// | `jdk.CPUTimeSample` (JDK 25+), else `jdk.ExecutionSample` | where threads run, and whether that code is compiled |
public final class FlightFigures {
    /// @param start nanoseconds since the epoch
    private record Stretch(long start, long nanos) {
        /// Duration of the stretch inside the window, in nanoseconds.
        long within(long from, long to) {
            return Math.max(0, Math.min(start + nanos, to) - Math.max(start, from));
        }
    }

    /// @param id the id of its heap summary
    /// @param full whether it compacted everything while the application was stopped
    private record Collected(long id, long at, String cause, boolean full) {}

    private record Allocated(long at, long bytes) {}

    /// HotSpot's names of its full collections (`gcName.hpp`).
    private static final Set<String> FULL = Set.of("SerialOld", "ParallelOld", "G1Full");

    private final FlightSamples samples;
    private final List<Stretch> pauses = new ArrayList<>();
    private final List<Stretch> stalls = new ArrayList<>();
    private final List<Collected> collections = new ArrayList<>();
    private final Map<Long, Long> leftBytes = new HashMap<>();
    private final List<Allocated> allocations = new ArrayList<>();
    private final SourceLines lines = new SourceLines();
    private long first = Long.MAX_VALUE;

    private FlightFigures(StackClassifier classifier) {
        this.samples = new FlightSamples(classifier);
    }

    /// @param frames meanings of stack frames
    /// @throws IOException when the file is not a recording or cannot be read
    public static FlightFigures read(Path recording, Frames frames) throws IOException {
        var figures = new FlightFigures(new StackClassifier(frames));
        RecordedEvents.each(recording, figures::add);
        return figures;
    }

    private void add(RecordedEvent e) {
        String type = e.getEventType().getName();
        switch (type) {
            case "jdk.GCPhasePause" -> pauses.add(stretch(e));
            case "jdk.ZAllocationStall" -> stalls.add(stretch(e));
            case "jdk.GarbageCollection" ->
                    collections.add(
                            new Collected(
                                    e.getLong("gcId"),
                                    nanos(e.getStartTime()),
                                    Objects.requireNonNullElse(e.getString("cause"), ""),
                                    FULL.contains(
                                            Objects.requireNonNullElse(e.getString("name"), ""))));
            case "jdk.GCHeapSummary" -> {
                if ("After GC".equals(e.getString("when"))) {
                    leftBytes.put(e.getLong("gcId"), e.getLong("heapUsed"));
                }
            }
            case "jdk.ObjectAllocationSample" ->
                    allocations.add(new Allocated(nanos(e.getStartTime()), e.getLong("weight")));
            // written once a second: they show how far back the recording reaches
            case "jdk.JavaThreadStatistics" -> first = Math.min(first, nanos(e.getStartTime()));
            case SampleKind.LOST -> samples.addLost(e);
            default -> {
                for (SampleKind kind : SampleKind.values()) {
                    if (kind.event().equals(type)) {
                        samples.add(kind, e);
                        FlightStack.lines(e.getStackTrace(), lines);
                    }
                }
            }
        }
    }

    /// Returns at which places in the code the working threads used the CPU. JFR samples a thread
    /// at any instruction. A dump finds it only at a safepoint, which may be in another method.
    /// Empty when there are too few samples.
    ///
    /// @param pools pools whose threads accept requests, named as in the thread samples
    public Optional<FlightSamples.Places> places(Instant from, Instant to, Set<String> pools) {
        return samples.places(from, to, pools);
    }

    /// Share of the running code that was not compiled; empty if there were too few samples.
    public Optional<Signals> code(Instant from, Instant to) {
        return samples.code(from, to);
    }

    /// The lines at which the methods ran.
    public SourceLines lines() {
        return lines;
    }

    private static Stretch stretch(RecordedEvent event) {
        return new Stretch(nanos(event.getStartTime()), event.getDuration().toNanos());
    }

    private static long nanos(Instant at) {
        return ChronoUnit.NANOS.between(Instant.EPOCH, at);
    }

    /// Replaces figures of the round by those of the recording where these are more exact. Returns
    /// the figures unchanged if the recording does not reach back to the round: when a recording
    /// grows too large, its oldest part is dropped.
    ///
    /// @param counted figures of the counters
    /// @param requests number of requests of the round, for the bytes that a request allocates
    ///   (formula F7)
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
                                sum(stalls, start, end) / 1e9 / seconds,
                                afterFull(start, end))),
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

    private List<Trend.Point> afterFull(long from, long to) {
        List<Trend.Point> left = new ArrayList<>();
        for (Collected c : collections) {
            Long bytes = leftBytes.get(c.id());
            if (bytes != null && c.full() && c.at() >= from && c.at() < to) {
                left.add(new Trend.Point(c.at() / 1e9, (double) bytes));
            }
        }
        left.sort(Comparator.comparingDouble(Trend.Point::atS));
        return left;
    }

    /// Allocated bytes per second by the weights of the samples; empty on a JDK without such
    /// samples.
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
