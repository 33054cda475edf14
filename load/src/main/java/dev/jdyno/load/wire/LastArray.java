package dev.jdyno.load.wire;

import java.lang.foreign.MemorySegment;

/// Remembers the memory segment of the array used last. A loop reads into one buffer, and a
/// connection mostly sends the same request, so this saves an allocation per call.
final class LastArray {
    private static final byte[] NONE = new byte[0];
    private static final MemorySegment OF_NONE = MemorySegment.ofArray(NONE);

    private byte[] array = NONE;
    private MemorySegment segment = OF_NONE;

    // identity on purpose: the segment belongs to this array object, whatever its contents
    @SuppressWarnings("ReferenceEquality")
    MemorySegment segment(byte[] wanted, int offset, int length) {
        if (wanted != array) {
            array = wanted;
            segment = MemorySegment.ofArray(wanted);
        }
        return offset == 0 ? segment : segment.asSlice(offset, length);
    }
}
