package dev.jdyno.heapmodel;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Runs the workload of the heap model as a real program: `CONCURRENCY REQUESTS BYTES OBJECT_BYTES
/// HOLD_MS`. Prints the number of collections of each collector during the run.
public final class Allocating {
    private Allocating() {}

    public static void main(String[] args) throws InterruptedException {
        int concurrency = Integer.parseInt(args[0]);
        var left = new AtomicInteger(Integer.parseInt(args[1]));
        int bytes = Integer.parseInt(args[2]);
        int objectBytes = Integer.parseInt(args[3]);
        long holdNanos = Long.parseLong(args[4]) * 1_000_000;
        var clients = new ArrayList<Thread>();
        for (int i = 0; i < concurrency; i++) {
            clients.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                while (left.getAndDecrement() > 0) {
                                    request(bytes, objectBytes, holdNanos);
                                }
                            }));
        }
        for (Thread client : clients) {
            client.join();
        }
        for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            System.out.println(collector.getName() + "=" + collector.getCollectionCount());
        }
    }

    private static void request(int bytes, int objectBytes, long holdNanos) {
        List<byte[]> held = new ArrayList<>();
        try {
            for (int left = bytes; left > 0; left -= objectBytes) {
                held.add(new byte[Math.min(left, objectBytes)]);
            }
            // sleeps: a request that holds its memory for this time
            LockSupport.parkNanos(holdNanos);
        } finally {
            Reference.reachabilityFence(held);
        }
    }
}
