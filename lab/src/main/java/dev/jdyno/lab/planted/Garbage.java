package dev.jdyno.lab.planted;

import java.util.concurrent.ThreadLocalRandom;

/// Allocation that no compiler can leave out.
final class Garbage {
    private static volatile byte[] last = new byte[0];

    private Garbage() {}

    /// Allocates so many bytes in arrays of so many, each dead once the next is there.
    static int allocate(long bytes, int each) {
        for (long left = bytes; left > 0; left -= each) {
            last = array(each);
        }
        return last.length;
    }

    /// An array with something in it.
    static byte[] array(int bytes) {
        byte[] array = new byte[bytes];
        array[ThreadLocalRandom.current().nextInt(bytes)] = 1;
        return array;
    }
}
