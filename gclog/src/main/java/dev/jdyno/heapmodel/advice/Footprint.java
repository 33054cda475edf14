package dev.jdyno.heapmodel.advice;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import java.util.Optional;
import java.util.OptionalLong;

/// Memory of a JVM: the heap, and the memory that a container must allow in addition. It determines
/// the possible number of threads (F13).
///
/// @param tables the collector's own memory: card tables, bitmaps, remembered sets
/// @param stacks stacks of all threads at their full size
/// @param direct buffers outside the heap
public record Footprint(
        Bytes heap, Bytes tables, Bytes metaspace, Bytes code, Bytes stacks, Bytes direct) {
    private static final double MIB = 1024.0 * 1024.0;

    /// Default stack size of a thread (`-Xss`) on 64-bit Linux.
    private static final long STACK_BYTES = 1024 * 1024;

    /// Number of the JVM's own threads: collector, compilers, housekeeping.
    private static final int OWN_THREADS = 25;

    /// Factor for the growth of metaspace by code that a short log has not seen.
    private static final double METASPACE_GROWTH = 1.25;

    /// Metaspace if the log does not show it, for a service with a web framework.
    private static final double METASPACE_UNKNOWN = 96 * MIB;

    /// Compiled code of a service. The JVM reserves at most 240 MiB.
    private static final double CODE = 64 * MIB;

    /// Memory outside the heap that does not belong to the collector.
    ///
    /// @param metaspaceBytes used metaspace; empty if it is unknown
    public record Outside(Optional<Double> metaspaceBytes, int threads, Bytes direct) {
        /// Number of threads of a service with 200 worker threads, the default of common
        /// containers.
        public static final int THREADS = 200;

        public Outside {
            if (threads < 1) {
                throw new IllegalArgumentException("a JVM has threads, not " + threads);
            }
        }
    }

    static Footprint of(HeapObservation.Kind kind, Bytes heap, Outside outside) {
        return new Footprint(
                heap,
                bytes(tables(kind, (double) heap.value())),
                bytes(
                        outside.metaspaceBytes()
                                .map(m -> m * METASPACE_GROWTH)
                                .orElse(METASPACE_UNKNOWN)),
                bytes(CODE),
                new Bytes((outside.threads() + OWN_THREADS) * STACK_BYTES),
                outside.direct());
    }

    /// The collector's own memory, from native memory tracking of idle JVMs with touched heaps of
    /// 512 MiB and 2 GiB, JDK 25: a fixed part and a share of the heap.
    private static double tables(HeapObservation.Kind kind, double heap) {
        return switch (kind) {
            case SERIAL, SWEPT -> 0.0034 * heap;
            case PARALLEL -> 6 * MIB + 0.020 * heap;
            case REGIONS -> 38 * MIB + 0.021 * heap;
            case ZGC -> MIB + 0.001 * heap;
            case SHENANDOAH -> 2 * MIB + 0.033 * heap;
        };
    }

    public Bytes total() {
        return new Bytes(
                heap.value()
                        + tables.value()
                        + metaspace.value()
                        + code.value()
                        + stacks.value()
                        + direct.value());
    }

    /// Number of threads that fit within a memory limit (F13). Empty if the heap alone does not
    /// fit.
    public OptionalLong threadsWithin(Bytes limit) {
        long left = limit.value() - (total().value() - stacks.value());
        long threads = left / STACK_BYTES - OWN_THREADS;
        return threads > 0 ? OptionalLong.of(threads) : OptionalLong.empty();
    }

    private static Bytes bytes(double value) {
        return new Bytes(Math.round(value));
    }
}
