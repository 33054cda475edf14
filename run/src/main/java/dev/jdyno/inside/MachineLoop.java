package dev.jdyno.inside;

import dev.jdyno.measure.statistics.Quantiles;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/// Speed of the machine now: the CPU time of a fixed loop. The loop mixes arithmetic with reads
/// that miss the first-level cache, as services do.
public final class MachineLoop {
    private static final int SLOTS = 1 << 16;
    private static final int STEPS = 2_000_000;
    private static final int PASSES = 9;

    private final int[] memory = new int[SLOTS];
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private int sum = 1;

    /// CPU time of one step, in ns: the median of several passes.
    public double nsPerStep() {
        double[] passes = new double[PASSES];
        for (int i = 0; i < PASSES; i++) {
            long start = threads.getCurrentThreadCpuTime();
            walk();
            passes[i] = (double) (threads.getCurrentThreadCpuTime() - start) / STEPS;
        }
        Arrays.sort(passes);
        return Quantiles.median(passes);
    }

    private void walk() {
        int x = sum | 1;
        for (int i = 0; i < STEPS; i++) {
            x ^= x << 13;
            x ^= x >>> 17;
            x ^= x << 5;
            memory[x & (SLOTS - 1)] += x;
        }
        // the result is stored, so that the JIT compiler does not remove the loop
        sum = memory[x & (SLOTS - 1)];
    }
}
