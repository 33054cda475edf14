package dev.jdyno.lab.work;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.DoubleStream;

/// Burns CPU time: a fixed number of steps for each millisecond asked.
///
/// The steps per millisecond are measured once, at start-up, after the loop has been compiled and
/// with every core busy at once, for under load the cores are busy too (and two logical cores may
/// share one real core). Fixed work, not a wait on the clock: a thread that waits for a core burns
/// nothing meanwhile, and what makes the CPU slower makes the request dearer, as it would in a real
/// service.
public final class Burn {
    /// Calls of the loop before it is timed: enough for the last compiler to have taken it.
    private static final int WARM_UP_CALLS = 40_000;

    private static final long WARM_UP_STEPS = 1000;

    /// Timed samples on each core; the median is taken.
    private static final int SAMPLES = 15;

    private static final long SAMPLE_STEPS = 8_000_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /// Where results go, so that no compiler can leave the work out.
    private static volatile long sink;

    private final double stepsPerMilli;

    private Burn(double stepsPerMilli) {
        this.stepsPerMilli = stepsPerMilli;
    }

    /// Measures this machine; takes about half a second of every core.
    public static Burn calibrated() {
        return new Burn(median(measureOnAllCores(Runtime.getRuntime().availableProcessors())));
    }

    /// Burns CPU time on the calling thread.
    public void millis(double cpuMillis) {
        steps((long) (cpuMillis * stepsPerMilli));
    }

    /// Takes a number of steps, whatever time they cost.
    public static void steps(long count) {
        sink = walk(sink | 1, count);
    }

    /// Steps that cost a millisecond of CPU time when measured.
    public double stepsPerMilli() {
        return stepsPerMilli;
    }

    /// Marsaglia's xorshift: each step needs the one before it, so nothing can be skipped or done
    /// side by side.
    private static long walk(long from, long steps) {
        long x = from;
        for (long i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    private static double[] measureOnAllCores(int cores) {
        ExecutorService threads = Executors.newFixedThreadPool(cores);
        CyclicBarrier together = new CyclicBarrier(cores);
        try {
            List<Future<double[]>> running = new ArrayList<>();
            for (int i = 0; i < cores; i++) {
                running.add(threads.submit(() -> measure(together)));
            }
            DoubleStream all = DoubleStream.empty();
            for (Future<double[]> one : running) {
                all = DoubleStream.concat(all, DoubleStream.of(one.get()));
            }
            return all.toArray();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("the CPU could not be measured", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static double[] measure(CyclicBarrier together) throws Exception {
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            steps(WARM_UP_STEPS);
        }
        together.await();
        double[] stepsPerMilli = new double[SAMPLES];
        for (int i = 0; i < SAMPLES; i++) {
            long before = THREADS.getCurrentThreadCpuTime();
            steps(SAMPLE_STEPS);
            long cpuNanos = THREADS.getCurrentThreadCpuTime() - before;
            stepsPerMilli[i] = SAMPLE_STEPS / (cpuNanos / 1e6);
        }
        return stepsPerMilli;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
