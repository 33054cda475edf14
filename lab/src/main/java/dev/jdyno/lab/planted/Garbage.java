package dev.jdyno.lab.planted;

import java.util.concurrent.ThreadLocalRandom;

/// Allocation that no compiler can remove.
final class Garbage {
    private static volatile byte[] last = new byte[0];

    private Garbage() {}

    /// Allocates this many bytes in arrays of `each` bytes; each array becomes garbage when the
    /// next is allocated.
    static int allocate(long bytes, int each) {
        for (long left = bytes; left > 0; left -= each) {
            last = array(each);
        }
        return last.length;
    }

    /// Returns an array with one byte set.
    static byte[] array(int bytes) {
        byte[] array = new byte[bytes];
        array[ThreadLocalRandom.current().nextInt(bytes)] = 1;
        return array;
    }
}
