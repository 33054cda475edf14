package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.jdyno.measure.NanoClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Counts what the event loop allocates per request once it is warm.
class HotPathTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /// Requests before counting: the loop's code is compiled with its allocations removed by then.
    private static final int WARM = 30_000;

    private static final int COUNTED = 10_000;

    /// The loop's code allocates nothing; some bytes are left for what is not compiled yet.
    private static final double MOST_BYTES_PER_REQUEST = 8;

    /// Nothing is taken while counting: each take makes new histograms.
    private static double bytesPerRequest(LoadSpec.Builder spec, AtomicInteger requests) {
        try (var session = LoadSession.start(spec.loops(1).build(), NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(4, Duration.ZERO));
            long loop =
                    Thread.getAllStackTraces().keySet().stream()
                            .filter(t -> t.getName().equals("load-0"))
                            .mapToLong(Thread::threadId)
                            .max()
                            .orElseThrow();
            await(requests, WARM);
            long before = THREADS.getThreadAllocatedBytes(loop);
            int first = requests.get();
            await(requests, first + COUNTED);
            long allocated = THREADS.getThreadAllocatedBytes(loop) - before;
            return (double) allocated / (requests.get() - first);
        }
    }

    private static void await(AtomicInteger requests, int wanted) {
        long start = NanoClock.SYSTEM.nanos();
        while (requests.get() < wanted) {
            assertThat(NanoClock.SYSTEM.secondsSince(start)).isLessThan(60);
            LockSupport.parkNanos(10_000_000);
        }
    }

    @Test
    void aRequestOverHttp1AllocatesNothing() throws IOException {
        try (var server = ScriptedServer.saying(ScriptedServer.OK)) {
            double bytes = bytesPerRequest(LoadSpec.to(server.url()), server.requests);

            assertThat(bytes).isLessThan(MOST_BYTES_PER_REQUEST);
        }
    }

    @Test
    void aRequestOverHttp2AllocatesNothing() throws IOException {
        var answered = new AtomicInteger();
        try (var server =
                new ScriptedHttp2Server(
                        new byte[0],
                        (_, number, peer) -> {
                            if (number > 0) {
                                answered.incrementAndGet();
                                peer.ok(2 * number - 1);
                            }
                        })) {
            double bytes = bytesPerRequest(LoadSpec.to(server.url()).http2(1), answered);

            assertThat(bytes).isLessThan(MOST_BYTES_PER_REQUEST);
        }
    }
}
