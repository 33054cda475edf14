package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.PoolQueue.Kind;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportedQueuesTest {
    private static PoolQueue queue(String pool, Kind kind, double length, String from) {
        return new PoolQueue(
                pool, kind, Optional.of(4.0), Optional.of(4.0), Optional.of(length), false, from);
    }

    @Test
    void whatAPoolTellsItselfStandsInPlaceOfWhatWasSeenOfIt() {
        ThreadSamples seen =
                new ThreadSamples(1, 1, 10, 1, List.of(), List.of(), 0, 0)
                        .withQueues(
                                List.of(
                                        queue("XNIO-1 task", Kind.THREADS, 0, "sockets"),
                                        queue("XNIO-1 Accept", Kind.THREADS, 0, "loops"),
                                        queue("XNIO-1 I/O", Kind.THREADS, 0, "loops"),
                                        queue("qtp", Kind.THREADS, 1, "sockets"),
                                        queue("HikariCP", Kind.LENT, 15, "threads")));

        ThreadSamples reported =
                ReportedQueues.in(
                        seen,
                        List.of(
                                queue("XNIO-1 task-1", Kind.THREADS, 7, "Undertow's worker MBean"),
                                queue("qtp1751075886-1", Kind.THREADS, 9, "Jetty's"),
                                queue("shared-1", Kind.THREADS, 3, "Tomcat's executor MBean"),
                                queue("orders", Kind.LENT, 14, "HikariCP's MBean"),
                                queue("audit", Kind.LENT, 2, "HikariCP's MBean")));

        assertThat(reported.queues())
                .extracting(PoolQueue::pool, q -> q.length().orElseThrow())
                .containsExactlyInAnyOrder(
                        tuple("XNIO-1 task", 7.0),
                        tuple("XNIO-1 Accept", 0.0),
                        tuple("XNIO-1 I/O", 0.0),
                        tuple("qtp", 9.0),
                        tuple("shared", 3.0),
                        tuple("orders", 14.0),
                        tuple("audit", 2.0));
    }

    @Test
    void whatAContainerIsSetToHasTheNameOfItsThreads() {
        ThreadSamples seen = new ThreadSamples(1, 1, 10, 1, List.of(), List.of(), 0, 0);

        ThreadSamples reported =
                ReportedQueues.limited(
                        seen,
                        List.of(
                                limit("http-nio-80-exec-1", LayerLimit.Kind.THREADS, 200),
                                limit("http-nio-80", LayerLimit.Kind.CONNECTIONS, 8192)));

        assertThat(reported.limits())
                .extracting(LayerLimit::layer, LayerLimit::atOnce)
                .containsExactly(tuple("http-nio-80-exec", 200.0), tuple("http-nio-80", 8192.0));
    }

    private static LayerLimit limit(String layer, LayerLimit.Kind kind, double atOnce) {
        return new LayerLimit(layer, kind, atOnce, "Tomcat's connector MBean");
    }
}
