package dev.jdyno.heapmodel.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/// Runs a workload against a simulated heap, event by event.
///
/// A request waits for a core and allocates at the start of its CPU time. Then it waits for `hold`,
/// with or without its memory, and ends. A collection stops all work: CPU work in progress takes
/// longer by the pause, and timers that expire during it fire at its end. Before the first request,
/// the JVM itself has allocated [#STARTUP_BYTES], of which [#FLOOR_BYTES] stay live.
public final class HeapSimulator {
    /// Bytes that `java` allocates before `main`, and the part of them that stays live. The values
    /// are from the first collection of a program that only loads a few classes, JDK 17 and 25.
    static final long STARTUP_BYTES = 2 * 1024 * 1024;

    static final long FLOOR_BYTES = 750 * 1024;
    private static final long FLOOR_OBJECT_BYTES = 64;

    /// Number of slices in which a request with partly garbage memory allocates garbage and live
    /// objects in turn.
    private static final int SLICES = 8;

    /// Minimum number of minor collections for the second half of a run to show a trend.
    private static final int YOUNG_GCS_FOR_TREND = 40;

    /// Maximum number of requests when a run is repeated to reach that number.
    private static final int REQUESTS_FOR_TREND_MAX = 400_000;

    /// Maximum delay of a timer: Linux's timer slack and a wake-up. Without it, clients that
    /// started together would always stay in step, and none would hold memory while another
    /// allocates.
    private static final double TIMER_SLACK_SECONDS = 150e-6;

    private static final long SEED = 20_110_401L;

    private enum Kind {
        ARRIVE,
        ALLOCATED,
        CPU_DONE,
        WAIT_DONE,
        CACHE_OVER
    }

    private static final class Request {
        private final Life life = Life.begin();
    }

    private record Event(double time, long order, Kind kind, Request request)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final HeapWorkload load;
    private final HeapFlags flags;
    private final GcCosts costs;
    private final SimulatedHeap heap;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<Event> onCpu = new ArrayList<>();
    private final ArrayDeque<Request> waitingForCpu = new ArrayDeque<>();
    private final Random random = new Random(SEED);
    private long order;
    private int begun;
    private int done;
    private double stoppedUntil;
    private final HeapTrend trend;

    private HeapSimulator(HeapFlags flags, HeapWorkload load, GcCosts costs) {
        this.flags = flags;
        this.load = load;
        this.costs = costs;
        heap =
                switch (flags.collector()) {
                    case SERIAL -> new SerialHeap(flags, costs);
                    case PARALLEL -> new ParallelHeap(flags, costs, load.smallBytes().value() > 0);
                    case G1 -> new G1Heap(flags, costs);
                };
        trend = new HeapTrend(flags, load, heap);
    }

    /// Runs the workload with the collector's default costs.
    public static HeapPrediction run(HeapFlags flags, HeapWorkload load) {
        return run(flags, load, GcCosts.of(flags.collector()));
    }

    public static HeapPrediction run(HeapFlags flags, HeapWorkload load, GcCosts costs) {
        HeapPrediction first = new HeapSimulator(flags, load, costs).simulate();
        if (first.outOfMemory() || first.youngGcs() + first.fullGcs() >= YOUNG_GCS_FOR_TREND) {
            return first;
        }
        double perYoung = (double) first.layout().edenBytes() / load.requestBytes().value();
        int enough =
                (int)
                        Math.min(
                                REQUESTS_FOR_TREND_MAX,
                                Math.max(load.requests(), perYoung * YOUNG_GCS_FOR_TREND));
        HeapPrediction longer =
                new HeapSimulator(flags, load.withRequests(enough), costs).simulate();
        return new HeapPrediction(
                first.layout(),
                first.requests(),
                first.elapsedSeconds(),
                first.youngGcs(),
                first.fullGcs(),
                first.promotedBytes(),
                first.directBytes(),
                first.copiedBytes(),
                first.youngGcSeconds(),
                first.fullGcSeconds(),
                longer.fullGcIntervalSeconds(),
                longer.steadyInflow(),
                longer.outOfMemory());
    }

    private HeapPrediction simulate() {
        double now = 0;
        boolean outOfMemory = false;
        try {
            heap.allocate(Life.begin(), FLOOR_OBJECT_BYTES, FLOOR_BYTES / FLOOR_OBJECT_BYTES, now);
            heap.allocate(
                    Life.over(),
                    FLOOR_OBJECT_BYTES,
                    (STARTUP_BYTES - FLOOR_BYTES) / FLOOR_OBJECT_BYTES,
                    now);
            start();
            while (done < load.requests() && !events.isEmpty()) {
                Event e = events.remove();
                now = Math.max(e.time(), Math.max(now, stoppedUntil));
                handle(e, now);
            }
        } catch (HeapExhausted e) {
            outOfMemory = true;
        }
        return result(now, outOfMemory);
    }

    private void start() {
        switch (load.arrivals()) {
            case Arrivals.Closed c -> {
                double round = seconds(load.hold()) + seconds(load.cpu()) + allocationSeconds();
                for (int i = 0; i < c.concurrency(); i++) {
                    at(round * i / c.concurrency(), Kind.ARRIVE, new Request());
                }
            }
            case Arrivals.Open _ -> at(0, Kind.ARRIVE, new Request());
        }
    }

    private void handle(Event e, double now) throws HeapExhausted {
        switch (e.kind()) {
            case ARRIVE -> arrive(e.request(), now);
            case ALLOCATED -> {
                onCpu.remove(e);
                work(e.request(), now);
            }
            case CPU_DONE -> {
                onCpu.remove(e);
                if (load.releaseBeforeWait()) {
                    letGo(e.request(), now);
                }
                at(now + waitSeconds(), Kind.WAIT_DONE, e.request());
                next(now);
            }
            case WAIT_DONE -> finish(e.request(), now);
            case CACHE_OVER -> e.request().life.end();
        }
    }

    private void arrive(Request request, double now) {
        if (begun == load.requests()) {
            return;
        }
        begun++;
        if (load.arrivals() instanceof Arrivals.Open open) {
            double gap = -Math.log(1 - random.nextDouble()) / open.ratePerSecond();
            at(now + gap, Kind.ARRIVE, new Request());
        }
        waitingForCpu.add(request);
        next(now);
    }

    private void next(double now) {
        while (onCpu.size() < load.cores() && !waitingForCpu.isEmpty()) {
            serve(waitingForCpu.remove(), Math.max(now, stoppedUntil));
        }
    }

    private void serve(Request request, double now) {
        onCpu.add(at(now + allocationSeconds(), Kind.ALLOCATED, request));
    }

    private void work(Request request, double now) throws HeapExhausted {
        double stopped = allocate(request, now);
        if (stopped > 0) {
            stoppedUntil = now + stopped;
            delayRunning(stopped);
        }
        onCpu.add(at(now + stopped + seconds(load.cpu()), Kind.CPU_DONE, request));
    }

    private double allocate(Request request, double now) throws HeapExhausted {
        long small = load.smallBytes().value() / FLOOR_OBJECT_BYTES;
        double stopped = heap.allocate(request.life, FLOOR_OBJECT_BYTES, small, now);
        return stopped + allocateArrays(request, now + stopped);
    }

    private double allocateArrays(Request request, double now) throws HeapExhausted {
        long live = load.liveObjectsPerRequest();
        long all = load.objectsPerRequest();
        long each = load.objectHeapBytes();
        if (live == all || all < SLICES) {
            double stopped = heap.allocate(request.life, each, live, now);
            return stopped + heap.allocate(Life.over(), each, all - live, now + stopped);
        }
        double stopped = 0;
        for (int i = 0; i < SLICES; i++) {
            long dead = share(all - live, i);
            stopped += heap.allocate(request.life, each, share(live, i), now + stopped);
            stopped += heap.allocate(Life.over(), each, dead, now + stopped);
        }
        return stopped;
    }

    private static long share(long count, int slice) {
        return count * (slice + 1) / SLICES - count * slice / SLICES;
    }

    private void delayRunning(double seconds) {
        List<Event> running = List.copyOf(onCpu);
        onCpu.clear();
        for (Event e : running) {
            events.remove(e);
            onCpu.add(at(e.time() + seconds, e.kind(), e.request()));
        }
    }

    private void finish(Request request, double now) {
        if (!load.releaseBeforeWait()) {
            letGo(request, now);
        }
        done++;
        if (done == load.requests() / 2) {
            trend.half(now);
        }
        if (load.arrivals() instanceof Arrivals.Closed) {
            at(now, Kind.ARRIVE, new Request());
        }
    }

    private void letGo(Request request, double now) {
        if (load.cachedFor().isZero()) {
            request.life.end();
        } else {
            at(now + seconds(load.cachedFor()), Kind.CACHE_OVER, request);
        }
    }

    private double allocationSeconds() {
        return load.requestBytes().value() * costs.allocatePerByte();
    }

    private double waitSeconds() {
        return load.hold().isZero()
                ? 0
                : seconds(load.hold()) + random.nextDouble() * TIMER_SLACK_SECONDS;
    }

    private Event at(double time, Kind kind, Request request) {
        var e = new Event(time, order++, kind, request);
        events.add(e);
        return e;
    }

    private HeapPrediction result(double now, boolean outOfMemory) {
        HeapTally t = heap.tally();
        HeapLayout layout = HeapLayout.of(flags);
        return new HeapPrediction(
                layout,
                done,
                now,
                t.youngGcs(),
                t.fullGcs(),
                t.promotedBytes(),
                t.directBytes(),
                t.copiedBytes(),
                t.youngSeconds(),
                t.fullSeconds(),
                trend.fullGcInterval(layout, now),
                trend.steadyInflow(done),
                outOfMemory);
    }

    private static double seconds(java.time.Duration d) {
        return d.toNanos() / 1e9;
    }
}
