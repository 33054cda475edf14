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

/// Uses CPU time: a fixed number of steps for each requested millisecond.
///
/// The number of steps per millisecond is measured once at start-up, after the loop is compiled and
/// with all cores busy. Under load the cores are busy too, and two logical cores may share a
/// physical one. The work is fixed and does not depend on the clock. A thread that waits for a core
/// therefore uses no CPU meanwhile, and a slower CPU makes requests cost more, as in a real
/// service.
public final class Burn {
    /// Number of calls before the measurement: enough for the loop to reach the last compiler.
    private static final int WARM_UP_CALLS = 40_000;

    private static final long WARM_UP_STEPS = 1000;

    /// Number of samples on each core; the median counts.
    private static final int SAMPLES = 15;

    private static final long SAMPLE_STEPS = 8_000_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /// Receives the results, so that no compiler can remove the work.
    private static volatile long sink;

    private final double stepsPerMilli;

    private Burn(double stepsPerMilli) {
        this.stepsPerMilli = stepsPerMilli;
    }

    /// Measures this machine, which takes about half a second of every core.
    public static Burn calibrated() {
        return new Burn(median(measureOnAllCores(Runtime.getRuntime().availableProcessors())));
    }

    /// Uses CPU time on the calling thread.
    public void millis(double cpuMillis) {
        steps((long) (cpuMillis * stepsPerMilli));
    }

    /// Executes a given number of steps, without a time limit.
    public static void steps(long count) {
        sink = walk(sink | 1, count);
    }

    /// Number of steps that took a millisecond of CPU time in the measurement.
    public double stepsPerMilli() {
        return stepsPerMilli;
    }

    /// Marsaglia's xorshift: each step depends on the previous one, so steps cannot be skipped or
    /// run in parallel.
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
