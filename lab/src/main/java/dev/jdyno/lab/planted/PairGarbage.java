package dev.jdyno.lab.planted;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Garbage and CPU time of which each takes half of the time: the collector stops the service for
/// as long as its requests compute. The ratio is measured at the start.
final class PairGarbage {
    private static final int MEGABYTES = 8;
    private static final int NODES = 4000;

    /// Duration of the measurement on each core, after one of the same duration as a warm-up.
    private static final long MEASURED_NANOS = 1_500_000_000L;

    /// Smallest and largest CPU time of a request, in ms.
    private static final double MIN_MS = 0.1;

    private static final double MAX_MS = 200;

    private PairGarbage() {}

    /// The collector's part: garbage, and small objects that live as long as the request.
    static PairPart garbage(CaseSetup caseSetup, double perS) {
        return PairGarbage::request;
    }

    /// The application's part: the CPU time that makes both parts equal.
    ///
    /// @param perS 100 for equal parts; more for less CPU time
    static PairPart work(CaseSetup caseSetup, double perS) {
        int cores = Runtime.getRuntime().availableProcessors();
        measure(cores);
        double[] perRequest = measure(cores);
        double stopped = perRequest[0];
        double running = perRequest[1];
        double equal = Math.max(0, stopped - running) * cores;
        double ms = Math.max(MIN_MS, Math.min(MAX_MS, equal * 100 / perS));
        System.err.printf(
                Locale.ROOT,
                "a request stops the service for %.2f ms and takes %.2f ms of all cores; %.2f ms of"
                        + " CPU time are added%n",
                stopped,
                running,
                ms);
        return () -> caseSetup.burn().millis(ms);
    }

    private static void request() {
        List<long[]> live = new ArrayList<>(NODES);
        try {
            for (int i = 0; i < NODES; i++) {
                live.add(new long[4]);
            }
            Garbage.allocate(MEGABYTES * 1024L * 1024, 8192);
        } finally {
            Reference.reachabilityFence(live);
        }
    }

    /// Returns the stops of the collector, and the rest of the time, in ms of one request.
    private static double[] measure(int cores) {
        long stoppedBefore = stoppedMs();
        long begin = System.nanoTime();
        long[] requests = new long[cores];
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < cores; i++) {
            int at = i;
            Thread thread =
                    new Thread(() -> {
                        while (System.nanoTime() - begin < MEASURED_NANOS) {
                            request();
                            requests[at]++;
                        }
                    });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted during the measurement", e);
            }
        }
        double all = (System.nanoTime() - begin) / 1e6;
        double stopped = stoppedMs() - stoppedBefore;
        long served = 0;
        for (long each : requests) {
            served += each;
        }
        return new double[] {stopped / Math.max(1, served), (all - stopped) / Math.max(1, served)};
    }

    private static long stoppedMs() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }
}
