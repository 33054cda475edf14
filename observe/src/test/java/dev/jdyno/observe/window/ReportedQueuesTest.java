package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.PoolQueue.Kind;
import dev.jdyno.target.LibraryQueue;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportedQueuesTest {
    private static LibraryQueue threads(String pool, double length, String from) {
        return LibraryQueue.ofThreads(queue(pool, Kind.THREADS, length, from));
    }

    private static LibraryQueue lent(String library, String pool, double length, String from) {
        return new LibraryQueue(queue(pool, Kind.LENT, length, from), Optional.of(library));
    }

    private static PoolQueue queue(String pool, Kind kind, double length, String from) {
        return new PoolQueue(
                pool, kind, Optional.of(4.0), Optional.of(4.0), Optional.of(length), false, from);
    }

    @Test
    void prefersQueueReportedByPoolToObservedQueue() {
        List<LibraryQueue> seen =
                List.of(
                        threads("XNIO-1 task", 0, "sockets"),
                        threads("XNIO-1 Accept", 0, "loops"),
                        threads("XNIO-1 I/O", 0, "loops"),
                        threads("qtp", 1, "sockets"),
                        lent("HikariCP", "HikariCP in com.acme.Page.get", 15, "threads"),
                        lent("commons-pool", "commons-pool", 3, "threads"));

        List<PoolQueue> reported =
                ReportedQueues.of(
                        seen,
                        List.of(
                                threads("XNIO-1 task-1", 7, "Undertow's worker MBean"),
                                threads("qtp1751075886-1", 9, "Jetty's"),
                                threads("shared-1", 3, "Tomcat's executor MBean"),
                                lent("HikariCP", "orders", 14, "HikariCP's MBean"),
                                lent("HikariCP", "audit", 2, "HikariCP's MBean")));

        assertThat(reported)
                .extracting(PoolQueue::pool, q -> q.length().orElseThrow())
                .containsExactlyInAnyOrder(
                        tuple("XNIO-1 task", 7.0),
                        tuple("XNIO-1 Accept", 0.0),
                        tuple("XNIO-1 I/O", 0.0),
                        tuple("qtp", 9.0),
                        tuple("shared", 3.0),
                        tuple("orders", 14.0),
                        tuple("audit", 2.0),
                        tuple("commons-pool", 3.0));
    }

    @Test
    void settingsOfContainerHaveNameOfItsThreads() {
        List<LayerLimit> reported =
                ReportedQueues.limits(
                        List.of(),
                        List.of(
                                limit("http-nio-80-exec-1", LayerLimit.Kind.THREADS, 200),
                                limit("http-nio-80", LayerLimit.Kind.CONNECTIONS, 8192)));

        assertThat(reported)
                .extracting(LayerLimit::layer, LayerLimit::atOnce)
                .containsExactly(tuple("http-nio-80-exec", 200.0), tuple("http-nio-80", 8192.0));
    }

    private static LayerLimit limit(String layer, LayerLimit.Kind kind, double atOnce) {
        return new LayerLimit(layer, kind, atOnce, "Tomcat's connector MBean");
    }
}
