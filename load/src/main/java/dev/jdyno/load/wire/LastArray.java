package dev.jdyno.load.wire;

import java.lang.foreign.MemorySegment;

/// The segment of the array used last. A loop reads into one buffer, and a connection mostly sends
/// one request: remembering spares an allocation per call.
final class LastArray {
    private static final byte[] NONE = new byte[0];
    private static final MemorySegment OF_NONE = MemorySegment.ofArray(NONE);

    private byte[] array = NONE;
    private MemorySegment segment = OF_NONE;

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
