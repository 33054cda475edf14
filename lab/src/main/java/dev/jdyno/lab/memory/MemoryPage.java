package dev.jdyno.lab.memory;

import dev.jdyno.lab.service.Page;
import dev.jdyno.lab.service.Query;
import dev.jdyno.lab.work.Burn;
import java.lang.ref.Reference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/// `/memory?bytes=2m&holdMs=10`: allocates memory, writes a byte to each memory page, and holds it
/// for a while (E2, E5, E20 a). With `release=true`, it releases the memory before it waits (E20
/// b). It allocates one array, or arrays of `chunk` bytes, because a single large array is
/// humongous for G1. With `keep=110k&keepMs=1000`, that much stays in a cache for that time,
/// whatever happens to the rest (E21). With `steps=3000000`, it also takes that many steps of CPU
/// work while it holds the memory (E11).
final class MemoryPage implements Page {
    /// Size of a memory page in bytes.
    private static final int PAGE = 4096;

    private record Kept(long untilNanos, List<byte[]> arrays) {}

    /// Size of each long-lived object, in bytes: as small as a service's own data.
    private static final int LIVING = 128;

    private final Queue<Kept> cache = new ArrayDeque<>();

    /// Objects that live as long as the service. Every full collection must trace them in addition
    /// to objects of requests.
    private final List<byte[]> live;

    /// @param liveBytes size of the objects that live as long as the service
    MemoryPage(long liveBytes) {
        List<byte[]> all = new ArrayList<>();
        for (long left = liveBytes; left > 0; left -= LIVING) {
            all.add(new byte[LIVING]);
        }
        live = List.copyOf(all);
    }

    @Override
    public String answer(Query query) throws InterruptedException {
        try {
            return made(query);
        } finally {
            Reference.reachabilityFence(live);
        }
    }

    private String made(Query query) throws InterruptedException {
        int bytes = query.bytes("bytes", 1 << 20);
        int chunk = query.bytes("chunk", bytes);
        int keep = Math.min(bytes, query.bytes("keep", 0));
        long keepNanos = Math.round(query.millis("keepMs", 0) * 1e6);
        long hold = Math.round(query.millis("holdMs", 0));
        long steps = query.id("steps");
        long sum;
        if (query.flag("release")) {
            sum = sumOfReleased(bytes, chunk, (double) keep / bytes, keepNanos);
            Burn.steps(steps);
            Thread.sleep(hold);
        } else {
            List<byte[]> held = allocate(bytes, chunk);
            try {
                sum = sum(held);
                keep(held, (double) keep / bytes, keepNanos);
                Burn.steps(steps);
                Thread.sleep(hold);
            } finally {
                // without this use, the JIT compiler may let the collector free the array early
                Reference.reachabilityFence(held);
            }
        }
        return "bytes=" + bytes + " sum=" + sum + "\n";
    }

    /// Allocates arrays, returns their sum and releases them. After this call, only arrays in the
    /// cache are still referenced.
    private long sumOfReleased(int bytes, int chunk, double keepShare, long keepNanos) {
        List<byte[]> all = allocate(bytes, chunk);
        keep(all, keepShare, keepNanos);
        return sum(all);
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

    /// Caches an evenly distributed share of the arrays and removes expired ones.
    private void keep(List<byte[]> all, double share, long nanos) {
        if (share <= 0 || nanos <= 0) {
            return;
        }
        List<byte[]> some = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if ((long) ((i + 1) * share) > (long) (i * share)) {
                some.add(all.get(i));
            }
        }
        long now = System.nanoTime();
        synchronized (cache) {
            while (!cache.isEmpty() && cache.element().untilNanos() - now < 0) {
                cache.remove();
            }
            cache.add(new Kept(now + nanos, some));
        }
    }

    /// Returns a sum that becomes part of the reply, so that no compiler can remove the allocation.
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
