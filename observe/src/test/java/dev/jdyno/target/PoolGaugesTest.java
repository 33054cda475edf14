package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.PoolQueue;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class PoolGaugesTest {
    @TempDir Path dir;

    /// Twelve threads share five connections.
    @Test
    void readsWaitersFromConnectionPoolMBean() throws Exception {
        try (Target target = HikariVictim.launch(dir, 5)) {
            LocalConnector.start(target);
            try (var jmx = JmxSession.to(LocalConnector.address(target).orElseThrow())) {
                List<LibraryQueue> pools = jmx.ask(PoolGauges::read);

                assertThat(pools)
                        .singleElement()
                        .satisfies(q -> {
                            PoolQueue p = q.queue();
                            assertThat(q.library()).contains("HikariCP");
                            assertThat(p.pool()).isEqualTo("orders");
                            assertThat(p.kind()).isEqualTo(PoolQueue.Kind.LENT);
                            assertThat(p.size().orElseThrow()).isBetween(1.0, 5.0);
                            assertThat(p.length().orElseThrow()).isBetween(1.0, 12.0);
                            assertThat(p.from()).isEqualTo("HikariCP's MBean");
                        });
            }
        }
    }

    /// Five threads and twenty connections, each with a request that holds its thread.
    @ParameterizedTest
    @CsvSource({
        "jetty, qtp, Jetty's thread pool MBean, true",
        // its executor does not report the number of threads with a task
        "undertow, XNIO-1 task-, Undertow's worker MBean, false",
        "tomcat, tomcat-exec-, Tomcat's executor MBean, true"
    })
    void readsQueueLengthFromThreadPoolMBean(
            String container, String named, String from, boolean saysBusy) throws Exception {
        try (Target target = ContainerVictim.launch(dir, container, 5, 600_000)) {
            LocalConnector.start(target);
            List<Socket> asked = ContainerVictim.ask(dir, 20);
            try (var jmx = JmxSession.to(LocalConnector.address(target).orElseThrow())) {
                PoolQueue reported = awaitQueue(jmx, 15);

                assertThat(reported.pool()).startsWith(named);
                assertThat(reported.kind()).isEqualTo(PoolQueue.Kind.THREADS);
                assertThat(reported.size()).contains(5.0);
                assertThat(reported.busy())
                        .isEqualTo(saysBusy ? Optional.of(5.0) : Optional.empty());
                assertThat(reported.from()).isEqualTo(from);
            } finally {
                for (Socket socket : asked) {
                    socket.close();
                }
            }
        }
    }

    /// The first reported queue of at least this length.
    private static PoolQueue awaitQueue(JmxSession jmx, double length) throws Exception {
        while (true) {
            List<LibraryQueue> pools = jmx.ask(PoolGauges::read);
            assertThat(pools).hasSize(1);
            if (pools.getFirst().queue().length().orElseThrow() == length) {
                return pools.getFirst().queue();
            }
            // sleeps: interval between two requests to a JVM
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
