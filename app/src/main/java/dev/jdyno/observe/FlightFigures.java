package dev.jdyno.observe;

import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.GcActivity;
import dev.jdyno.measure.GcDetail;
import dev.jdyno.measure.Signals;
import dev.jdyno.measure.Signals.Sign;
import dev.jdyno.measure.Trend;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/// What a flight recording says of the collector and of compiled code, kept by time, so that every
/// round can be asked for afterwards. The recording is read when the rounds are over and not while
/// they run: reading takes CPU of the machine that client and target share.
///
/// | event | gives |
/// | --- | --- |
/// | `jdk.GCPhasePause` | every stop for the collector with its length, for every collector |
/// | `jdk.GarbageCollection` | why it collected |
/// | `jdk.GCHeapSummary` | what full collections left |
/// | `jdk.ObjectAllocationSample` (JDK 16+) | allocation: its weights sum up to the bytes |
/// | `jdk.ZAllocationStall` | threads that waited for memory while pauses looked perfect |
/// | `jdk.ExecutionSample` | where threads run, and whether that code is compiled |
public final class FlightFigures {
    /// @param start nanoseconds since the epoch
    private record Stretch(long start, long nanos) {
        /// Nanoseconds of it that lie in the window.
        long within(long from, long to) {
            return Math.max(0, Math.min(start + nanos, to) - Math.max(start, from));
        }
    }

    /// @param id that tells its heap summary
    /// @param full compacted everything while the application stood still
    private record Collected(long id, long at, String cause, boolean full) {}

    private record Allocated(long at, long bytes) {}

    /// Of a running Java thread.
    ///
    /// @param pool the thread's
    /// @param atWork whether its stack shows a request or a task; a deep one is cut off below
    /// @param place of its work; empty where it was none of the application's (it wrote a log line)
    /// @param interpreted the method; empty where the code at its top is compiled
    private record Sampled(
            long at,
            String pool,
            boolean atWork,
            Optional<String> place,
            Optional<String> interpreted) {}

    /// Samples from which these tell places better than the dumps of one evidence window, which are
    /// as many and in the wrong places: a share of 0.3 is then known to ± 0.16.
    private static final int SAMPLES_FOR_PLACES = 30;

    /// What HotSpot calls its full collections (`gcName.hpp`).
    private static final Set<String> FULL = Set.of("SerialOld", "ParallelOld", "G1Full");

    /// Samples below which a share of them says little: 95 % of the time a true share of 0.2 shows
    /// as less than 0.4.
    private static final int SAMPLES_AT_LEAST = 20;

    private final StackClassifier classifier;
    private final List<Stretch> pauses = new ArrayList<>();
    private final List<Stretch> stalls = new ArrayList<>();
    private final List<Collected> collections = new ArrayList<>();
    private final Map<Long, Long> leftBytes = new HashMap<>();
    private final List<Allocated> allocations = new ArrayList<>();
    private final List<Sampled> samples = new ArrayList<>();
    private long first = Long.MAX_VALUE;

    private FlightFigures(StackClassifier classifier) {
        this.classifier = classifier;
    }

    /// @param frames what stack frames mean
    /// @throws IOException when the file is no recording or cannot be read
    public static FlightFigures read(Path recording, Frames frames) throws IOException {
        var figures = new FlightFigures(new StackClassifier(frames));
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
                                    new Collected(
                                            e.getLong("gcId"),
                                            nanos(e.getStartTime()),
                                            e.getString("cause"),
                                            FULL.contains(e.getString("name")))));
            events.onEvent(
                    "jdk.GCHeapSummary",
                    e -> {
                        if ("After GC".equals(e.getString("when"))) {
                            figures.leftBytes.put(e.getLong("gcId"), e.getLong("heapUsed"));
                        }
                    });
            events.onEvent(
                    "jdk.ObjectAllocationSample",
                    e ->
                            figures.allocations.add(
                                    new Allocated(nanos(e.getStartTime()), e.getLong("weight"))));
            events.onEvent("jdk.ExecutionSample", figures::sample);
            // written once a second: they tell how far back the recording reaches
            events.onEvent(
                    "jdk.JavaThreadStatistics",
                    e -> figures.first = Math.min(figures.first, nanos(e.getStartTime())));
            events.start();
        }
        return figures;
    }

    private void sample(RecordedEvent event) {
        RecordedStackTrace stack = event.getStackTrace();
        if (stack == null || stack.getFrames().isEmpty()) {
            return;
        }
        RecordedThread thread = event.getThread("sampledThread");
        String name = thread == null || thread.getJavaName() == null ? "" : thread.getJavaName();
        List<String> frames = FlightStack.frames(stack);
        Classified found =
                classifier.classify(FlightStack.thread(name, ThreadDump.State.RUNNABLE, frames));
        boolean interpreted = stack.getFrames().getFirst().getType().equals("Interpreted");
        samples.add(
                new Sampled(
                        nanos(event.getStartTime()),
                        PoolName.of(name),
                        found.isAtWork(),
                        found.doing().filter(d -> d.cause() == Cause.CPU).map(Doing::where),
                        interpreted ? FlightStack.caller(frames) : Optional.empty()));
    }

    /// Where the CPU of the threads at work went: JFR samples them wherever they are, while a dump
    /// finds them at a safepoint, so at the places where the compiler put one. Empty when there are
    /// too few samples.
    ///
    /// @param pools whose threads take requests, as the census names them
    /// @return shares by place, as a census names it; they add up to 1
    public Optional<Map<String, Double>> places(Instant from, Instant to, Set<String> pools) {
        long start = nanos(from);
        long end = nanos(to);
        Map<String, Long> counts =
                samples.stream()
                        .filter(s -> s.at() >= start && s.at() < end)
                        .filter(s -> s.atWork() || pools.contains(s.pool()))
                        .flatMap(s -> s.place().stream())
                        .collect(Collectors.groupingBy(p -> p, Collectors.counting()));
        long all = counts.values().stream().mapToLong(n -> n).sum();
        if (all < SAMPLES_FOR_PLACES) {
            return Optional.empty();
        }
        Map<String, Double> shares = new HashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(place ->
                        shares.merge(
                                shares.size() < Census.CPU_PLACES
                                        ? place.getKey()
                                        : Census.ELSEWHERE,
                                (double) place.getValue() / all,
                                Double::sum));
        return Optional.of(shares);
    }

    /// How much of the running code was not compiled; empty where there were too few samples.
    public Optional<Signals> code(Instant from, Instant to) {
        long start = nanos(from);
        long end = nanos(to);
        List<Sampled> then = samples.stream().filter(s -> s.at() >= start && s.at() < end).toList();
        if (then.size() < SAMPLES_AT_LEAST) {
            return Optional.empty();
        }
        Map<String, Long> methods =
                then.stream()
                        .flatMap(s -> s.interpreted().stream())
                        .collect(Collectors.groupingBy(m -> m, Collectors.counting()));
        long interpreted = methods.values().stream().mapToLong(n -> n).sum();
        Map<Sign, String> place =
                methods.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .map(m -> Map.of(Sign.INTERPRETED_SHARE, m.getKey()))
                        .orElse(Map.of());
        return Optional.of(
                new Signals(
                        Map.of(Sign.INTERPRETED_SHARE, (double) interpreted / then.size()), place));
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
