package dev.jdyno.cluster;

import java.nio.ByteBuffer;

/// A few 64-bit numbers as a payload.
final class Numbers {
    private Numbers() {}

    /// @param count number of numbers in each message
    static Kind<long[]> kind(int id, String name, int count) {
        int length = Long.BYTES * count;
        return new Kind<>(
                id,
                name,
                length,
                new Payload<>() {
                    @Override
                    public byte[] write(long[] numbers) {
                        ByteBuffer out = ByteBuffer.allocate(length);
                        for (long n : numbers) {
                            out.putLong(n);
                        }
                        return out.array();
                    }

                    @Override
                    public long[] read(byte[] bytes) {
                        if (bytes.length != length) {
                            throw new IllegalArgumentException("no " + name);
                        }
                        long[] numbers = new long[count];
                        ByteBuffer.wrap(bytes).asLongBuffer().get(numbers);
                        return numbers;
                    }
                });
    }
}
