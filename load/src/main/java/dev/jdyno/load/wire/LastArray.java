package dev.jdyno.load.wire;

import java.lang.foreign.MemorySegment;

/// The segment of the array used last. A loop reads into one buffer and mostly sends one request:
/// remembering spares an allocation per call.
final class LastArray {
    private byte[] array = new byte[0];
    private MemorySegment segment = MemorySegment.ofArray(array);

    // identity is meant: the segment belongs to this very array, whatever its contents
    @SuppressWarnings("ReferenceEquality")
    MemorySegment segment(byte[] wanted, int offset, int length) {
        if (wanted != array) {
            array = wanted;
            segment = MemorySegment.ofArray(wanted);
        }
        return offset == 0 ? segment : segment.asSlice(offset, length);
    }
}
