package dev.jdyno.measure.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// In a closed loop, requests with a thread plus queued requests are at most the requests in
/// flight.
class ClosedQueueTest {
    private static ThreadSamples.Pool exec(double busy) {
        return new ThreadSamples.Pool("exec", 41, busy, 41 - busy, 0, true, false, 1, Map.of());
    }

    /// 5 requests are in flight. The queue was counted at other moments than the threads.
    @ParameterizedTest
    @CsvSource({"4.9, 1.4, 0.1", "3, 1.4, 1.4", "5, 2, 0"})
    void aQueueHasOnlyRequestsWithoutAThread(double busy, double counted, double shown) {
        var queue =
                new PoolQueue(
                        "exec",
                        PoolQueue.Kind.THREADS,
                        Optional.of(41.0),
                        Optional.of(busy),
                        Optional.of(counted),
                        false,
                        "sockets with an unread request");
        var samples =
                SamplesVariant.withQueues(
                        new ThreadSamples(
                                5,
                                100,
                                10,
                                1,
                                List.of(exec(busy)),
                                List.of(),
                                0,
                                0,
                                List.of(),
                                new Signals(Map.of())),
                        queue);

        assertThat(samples.closed(List.of(exec(busy)), List.of()).queues())
                .extracting(q -> q.length().orElseThrow())
                .satisfiesExactly(n -> assertThat(n).isCloseTo(shown, within(1e-9)));
    }
}
