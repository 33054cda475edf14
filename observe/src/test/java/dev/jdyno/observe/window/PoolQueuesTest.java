package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.target.LibraryQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolQueuesTest {
    private static ThreadSamples.Pool server(String name, double size, int minIdle) {
        return new ThreadSamples.Pool(name, size, size - minIdle, minIdle, minIdle, true);
    }

    private static ThreadSamples.Pool executor(double size, int minIdle) {
        return new ThreadSamples.Pool(
                "pool-2-thread", size, size - minIdle, minIdle, minIdle, false, false, 0, Map.of());
    }

    private record Seen(ThreadPlaces places, PoolQueues.Requests requests) {}

    private static Seen census(
            double unread,
            Optional<Double> inside,
            List<ThreadSamples.Busy> busy,
            ThreadSamples.Pool... pools) {
        var places = new ThreadPlaces(List.of(pools), busy, List.of());
        return new Seen(
                places, new PoolQueues.Requests(places.busyThreads() + unread, inside.orElse(0.0)));
    }

    private static List<PoolQueue> queues(Seen seen, Map<Integer, Double> unread) {
        return PoolQueues.of(seen.places(), seen.requests(), unread).stream()
                .map(LibraryQueue::queue)
                .toList();
    }

    private static ThreadSamples.Busy busy(Cause cause, String where, double threads) {
        return new ThreadSamples.Busy(cause, PlaceText.place(cause, where), threads);
    }

    private static PoolQueue of(Seen threadSamples, Map<Integer, Double> unread, String pool) {
        return queues(threadSamples, unread).stream()
                .filter(q -> q.pool().equals(pool))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void unreadRequestsWaitForServingPool() {
        Seen threadSamples =
                census(
                        18.3,
                        Optional.empty(),
                        List.of(busy(Cause.SLEEP, "com.acme.Page.get", 4)),
                        server("http-nio-8080-exec", 4, 0),
                        executor(8, 3));

        PoolQueue queue = of(threadSamples, Map.of(8080, 18.3), "http-nio-8080-exec");

        assertThat(queue.length()).contains(18.3);
        assertThat(queue.size()).contains(4.0);
        assertThat(queue.from()).contains("sockets with an unread request");
        assertThat(of(threadSamples, Map.of(8080, 18.3), "pool-2-thread").length()).contains(0.0);
    }

    /// Undertow's event loops read requests and pass them to workers, which are all busy.
    @Test
    void readRequestsWithoutThreadAreInQueueOfPool() {
        Seen threadSamples =
                census(
                        0,
                        Optional.of(20.0),
                        List.of(busy(Cause.SLEEP, "com.acme.Page.get", 4)),
                        server("XNIO-1 task", 4, 0),
                        new ThreadSamples.Pool(
                                "XNIO-1 I/O", 2, 0.1, 1.9, 1, true, true, 0, Map.of()));

        PoolQueue queue = of(threadSamples, Map.of(8080, 0.0), "XNIO-1 task");

        assertThat(queue.length()).contains(16.0);
        assertThat(queue.from()).contains("requests inside that no thread has");
        PoolQueue loop = of(threadSamples, Map.of(8080, 0.0), "XNIO-1 I/O");
        assertThat(loop.length()).isEmpty();
        assertThat(loop.from()).contains("own memory");
    }

    @Test
    void eachOfTwoServersReadsFromThePortInItsName() {
        Seen threadSamples =
                census(
                        5,
                        Optional.empty(),
                        List.of(),
                        server("http-nio-8080-exec", 4, 0),
                        server("http-nio-8081-exec", 4, 0));
        Map<Integer, Double> unread = Map.of(8080, 4.0, 8081, 1.0);

        assertThat(of(threadSamples, unread, "http-nio-8080-exec").length()).contains(4.0);
        assertThat(of(threadSamples, unread, "http-nio-8081-exec").length()).contains(1.0);
    }

    @Test
    void doesNotGuessServerOfUnreadRequests() {
        Seen threadSamples =
                census(5, Optional.empty(), List.of(), server("a", 4, 0), server("b", 4, 0));

        PoolQueue queue = of(threadSamples, Map.of(8080, 5.0), "a");

        assertThat(queue.length()).isEmpty();
        assertThat(queue.from()).contains("several pools");
    }

    @Test
    void resultWaitersOfFullExecutorHaveQueuedTasks() {
        Seen threadSamples =
                census(
                        0,
                        Optional.empty(),
                        List.of(
                                busy(Cause.FUTURE, "result of another task", 19),
                                busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 4)),
                        server("http-nio-8080-exec", 40, 20),
                        executor(4, 0));

        PoolQueue queue = of(threadSamples, Map.of(8080, 0.0), "pool-2-thread");

        assertThat(queue.length()).contains(15.0);
        assertThat(queue.atLeast()).isTrue();
    }

    @Test
    void queueOfFullExecutorWithoutWaitersIsUnknown() {
        Seen threadSamples = census(0, Optional.empty(), List.of(), executor(4, 0));

        PoolQueue queue = of(threadSamples, Map.of(), "pool-2-thread");

        assertThat(queue.length()).isEmpty();
        assertThat(queue.from()).contains("own memory");
    }

    @Test
    void borrowersAreQueueOfConnectionPool() {
        List<ThreadSamples.Busy> busy = new ArrayList<>(List.of(busy(Cause.POOL, "HikariCP", 15)));
        busy.add(busy(Cause.DATABASE, "H2 127.0.0.1:9092", 5));

        List<PoolQueue> seen =
                queues(
                        census(0, Optional.empty(), busy, server("http-nio-8080-exec", 40, 20)),
                        Map.of(8080, 0.0));

        assertThat(seen)
                .filteredOn(q -> q.kind() == PoolQueue.Kind.LENT)
                .singleElement()
                .satisfies(q -> {
                    assertThat(q.pool()).isEqualTo("HikariCP");
                    assertThat(q.length()).contains(15.0);
                });
    }

    @Test
    void virtualThreadsWithoutACarrierAreTheQueueOfCarriers() {
        var virtual =
                new ThreadSamples.Pool(
                        "virtual", 90, 90, 0, 0, false, false, 0, Map.of(Cause.RUN_QUEUE, 60.0));

        assertThat(
                        of(census(0, Optional.empty(), List.of(), virtual), Map.of(), "virtual")
                                .length())
                .contains(60.0);
    }
}
