package dev.jdyno.measure;

import java.util.Optional;

/// The end of a target that the kernel killed because its control group reached its memory limit.
///
/// The memory is that of the last readings before the end, up to some seconds earlier.
///
/// @param limitBytes the limit: the lowest one of the group and the groups above it
/// @param anonymousBytes memory of the target that is no copy of a file: heap, direct buffers,
///   threads, metaspace, compiled code
/// @param heapBytes size of the heap without what it only reserved; empty if unknown
public record MemoryKill(long limitBytes, long anonymousBytes, Optional<Long> heapBytes) {
    /// Memory outside the heap: at least this, because the JVM may not have used all of the heap's
    /// size. Empty if the size of the heap is unknown.
    public Optional<Long> outsideHeapBytes() {
        return heapBytes.map(heap -> Math.max(0, anonymousBytes - heap));
    }
}
