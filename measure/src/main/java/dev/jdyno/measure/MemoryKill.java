package dev.jdyno.measure;

import java.util.Optional;

/// The end of a target that the kernel killed because its control group reached its memory limit.
///
/// The memory is that of the last readings before the end, up to some seconds earlier.
///
/// @param limitBytes the limit: the lowest one of the group and the groups above it
/// @param anonymousBytes memory of the target that does not come from a file: heap, direct buffers,
///   threads, metaspace, compiled code
/// @param heapBytes committed size of the heap; empty if unknown
public record MemoryKill(long limitBytes, long anonymousBytes, Optional<Long> heapBytes) {
    /// Minimum of the memory outside the heap: the target's memory minus the heap's size. The real
    /// figure is higher if the JVM has not used the whole heap. Empty if the size of the heap is
    /// unknown.
    public Optional<Long> outsideHeapBytes() {
        return heapBytes.map(heap -> Math.max(0, anonymousBytes - heap));
    }
}
