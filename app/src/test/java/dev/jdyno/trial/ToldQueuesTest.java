package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.Census;
import dev.jdyno.measure.PoolQueue;
import dev.jdyno.measure.PoolQueue.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ToldQueuesTest {
    private static PoolQueue queue(String pool, Kind kind, double length, String from) {
        return new PoolQueue(
                pool, kind, Optional.of(4.0), Optional.of(4.0), Optional.of(length), false, from);
    }

    @Test
    void whatAPoolTellsItselfStandsInPlaceOfWhatWasSeenOfIt() {
        Census seen =
                new Census(1, 1, 10, 1, List.of(), List.of(), 0, 0)
                        .withQueues(
                                List.of(
                                        queue("XNIO-1 task", Kind.THREADS, 0, "sockets"),
                                        queue("XNIO-1 I/O", Kind.THREADS, 0, "loops"),
                                        queue("HikariCP", Kind.LENT, 15, "threads")));

        Census told =
                ToldQueues.in(
                        seen,
                        List.of(
                                queue("XNIO-1", Kind.THREADS, 7, "Undertow's worker MBean"),
                                queue("orders", Kind.LENT, 14, "HikariCP's MBean"),
                                queue("audit", Kind.LENT, 2, "HikariCP's MBean")));

        assertThat(told.queues())
                .extracting(PoolQueue::pool, q -> q.length().orElseThrow())
                .containsExactlyInAnyOrder(
                        tuple("XNIO-1 task", 7.0),
                        tuple("XNIO-1 I/O", 0.0),
                        tuple("orders", 14.0),
                        tuple("audit", 2.0));
    }
}
