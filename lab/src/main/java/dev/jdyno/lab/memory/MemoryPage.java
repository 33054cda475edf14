package dev.jdyno.lab.memory;

import dev.jdyno.lab.service.Page;
import dev.jdyno.lab.service.Query;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/// `/memory?bytes=2m&holdMs=10`: allocates, writes a byte to each memory page, holds it all for a
/// while (E2, E5, E20 a). With `release=true` it lets go before it waits (E20 b). One array, or
/// arrays of `chunk` bytes: a single large array is humongous for G1.
final class MemoryPage implements Page {
    /// Bytes of a memory page.
    private static final int PAGE = 4096;

    @Override
    public String answer(Query query) throws InterruptedException {
        int bytes = query.bytes("bytes", 1 << 20);
        int chunk = query.bytes("chunk", bytes);
        long hold = Math.round(query.millis("holdMs", 0));
        long sum;
        if (query.flag("release")) {
            sum = sum(allocate(bytes, chunk));
            Thread.sleep(hold);
        } else {
            List<byte[]> held = allocate(bytes, chunk);
            try {
                sum = sum(held);
                Thread.sleep(hold);
            } finally {
                // without it the compiler may see the last use above and let it go early
                Reference.reachabilityFence(held);
            }
        }
        return "bytes=" + bytes + " sum=" + sum + "\n";
    }

    private static List<byte[]> allocate(int bytes, int chunk) {
        List<byte[]> arrays = new ArrayList<>();
        for (int left = bytes; left > 0; left -= chunk) {
            byte[] array = new byte[Math.min(chunk, left)];
            for (int at = 0; at < array.length; at += PAGE) {
                array[at] = 1;
            }
            arrays.add(array);
        }
        return arrays;
    }

    /// Goes into the answer, so that nothing above can be left out.
    private static long sum(List<byte[]> arrays) {
        long sum = 0;
        for (byte[] array : arrays) {
            for (int at = 0; at < array.length; at += PAGE) {
                sum += array[at];
            }
        }
        return sum;
    }
}
