package dev.jdyno.lab.traffic;

import dev.jdyno.lab.service.Query;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Asynchronous operations (E25): `/job?ms=50` accepts one and answers at once, `/effect?id=N`
/// reports whether it is done. A few workers process them, each one operation at a time.
final class Jobs {
    private static final int MAX_WAITING = 10_000;

    private final AtomicLong lastId = new AtomicLong();
    private final Set<Long> open = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor workers;

    Jobs(int workers) {
        this.workers =
                new ThreadPoolExecutor(
                        workers,
                        workers,
                        1,
                        TimeUnit.MINUTES,
                        new ArrayBlockingQueue<>(MAX_WAITING),
                        work -> {
                            Thread thread = new Thread(work, "worker");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /// @throws IOException if too many operations wait
    String accept(Query query) throws IOException {
        long ms = Math.round(query.millis("ms", 50));
        long id = lastId.incrementAndGet();
        open.add(id);
        try {
            workers.execute(() -> work(id, ms));
        } catch (RejectedExecutionException e) {
            open.remove(id);
            throw new IOException("more than " + MAX_WAITING + " operations wait", e);
        }
        return "{\"id\": " + id + "}\n";
    }

    private void work(long id, long ms) {
        try {
            Thread.sleep(ms);
            open.remove(id);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    String effect(Query query) {
        long id = query.id("id");
        String state =
                id < 1 || id > lastId.get() ? "unknown" : open.contains(id) ? "open" : "done";
        return "{\"state\": \"" + state + "\"}\n";
    }
}
