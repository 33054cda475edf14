package dev.jdyno.trial.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.service.Framework;
import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.observe.metrics.ServiceMetrics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeldPoolsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final NanoClock clock = nanos::get;
    private final AtomicLong reads = new AtomicLong();
    private HttpServer server;

    /// Duration of each answer.
    private long answerNanos;

    private boolean withoutPools;

    /// Each second 100 uses of 40 ms end, and 20 or 22 threads are busy.
    @BeforeEach
    void serve() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/actuator/prometheus",
                exchange -> {
                    long second = nanos.get() / 1_000_000_000;
                    reads.incrementAndGet();
                    nanos.addAndGet(answerNanos);
                    String text = withoutPools ? "jvm_threads_live_threads 20.0\n" : page(second);
                    byte[] page = text.getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().set("Content-Type", "text/plain");
                    exchange.sendResponseHeaders(200, page.length);
                    exchange.getResponseBody().write(page);
                    exchange.close();
                });
        server.start();
    }

    private static String page(long second) {
        return String.format(
                Locale.ROOT,
                """
                hikaricp_connections_max{pool="orders"} 10.0
                hikaricp_connections_active{pool="orders"} 1.0
                hikaricp_connections_usage_seconds_count{pool="orders"} %1$d
                hikaricp_connections_usage_seconds_sum{pool="orders"} %2$.3f
                tomcat_threads_busy_threads{name="http-nio-8080"} %3$d
                tomcat_threads_config_max_threads{name="http-nio-8080"} 200.0
                aimd_concurrent_requests{socketName="@default"} 7.0
                """,
                100 * second,
                4.0 * second,
                20 + 2 * (second % 2));
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private HeldPools held(double everyS) {
        URI at =
                URI.create(
                        "http://127.0.0.1:"
                                + server.getAddress().getPort()
                                + "/actuator/prometheus");
        return new HeldPools(ServiceMetrics.at(at, clock), clock, everyS);
    }

    private void seconds(HeldPools pools, int n) throws InterruptedException {
        for (int i = 0; i < n; i++) {
            nanos.addAndGet(1_000_000_000);
            pools.look();
        }
    }

    @Test
    void timersAndGaugesGiveTheMeanNumberInUse() throws Exception {
        HeldPools pools = held(1);
        pools.begin();
        seconds(pools, 20);

        PoolDemand.Pools seen = pools.pools(50).orElseThrow();

        assertThat(seen.framework()).contains(Framework.SPRING_BOOT);
        assertThat(seen.pools())
                .extracting(PoolDemand::library)
                .containsExactly("Tomcat", "HikariCP");
        PoolDemand threads = seen.pools().getFirst();
        assertThat(threads.inUse()).isCloseTo(21, within(1e-9));
        assertThat(threads.usesPerS()).isEmpty();
        PoolDemand orders = seen.pools().getLast();
        assertThat(orders.inUse()).isCloseTo(4, within(1e-9));
        assertThat(orders.heldMs().orElseThrow()).isCloseTo(40, within(1e-9));
        assertThat(orders.usesPerS().orElseThrow()).isCloseTo(100, within(1e-6));
        assertThat(orders.size()).contains(10.0);
        assertThat(orders.ci95().contains(4)).isTrue();
    }

    @Test
    void isReadNoMoreOftenThanWanted() throws Exception {
        HeldPools pools = held(10);
        pools.begin();
        seconds(pools, 40);

        assertThat(reads).hasValue(5);
    }

    @Test
    void beginForgetsEarlierReadings() throws Exception {
        HeldPools pools = held(1);
        pools.begin();
        seconds(pools, 3);
        pools.begin();

        assertThat(pools.pools(50)).isEmpty();
    }

    /// A slow answer delays the load, so there is one at the beginning and one at the end.
    @Test
    void slowMetricsAreReadOnceMoreAtTheEnd() throws Exception {
        answerNanos = 1_500_000_000;
        HeldPools pools = held(1);
        pools.begin();
        seconds(pools, 20);

        assertThat(reads).hasValue(1);
        PoolDemand.Pools seen = pools.pools(50).orElseThrow();

        assertThat(reads).hasValue(2);
        assertThat(pools.missing()).isEmpty();
        assertThat(seen.pools())
                .extracting(PoolDemand::library)
                .containsExactly("Tomcat", "HikariCP");
        assertThat(seen.pools().getLast().inUse()).isCloseTo(4, within(0.2));
    }

    @Test
    void slowMetricsOfAnEarlierTryDoNotCount() throws Exception {
        answerNanos = 1_500_000_000;
        HeldPools pools = held(1);
        pools.begin();
        answerNanos = 0;
        pools.begin();
        seconds(pools, 3);

        assertThat(reads).hasValue(5);
    }

    @Test
    void pageWithoutPoolsHasNoneWithItsReason() throws Exception {
        withoutPools = true;
        HeldPools pools = held(1);
        pools.begin();
        seconds(pools, 3);

        assertThat(pools.pools(50).orElseThrow().pools()).isEmpty();
        assertThat(pools.missing()).hasSize(1);
    }

    @Test
    void metricsThatCannotBeReadGiveNoPoolsWithTheReason() throws Exception {
        HeldPools pools = held(1);
        server.stop(0);
        pools.begin();
        seconds(pools, 3);

        assertThat(pools.pools(50)).isEmpty();
        assertThat(pools.missing()).isNotEmpty();
    }

    @Test
    void readsNothingWithoutAnAddress() throws Exception {
        HeldPools none = HeldPools.none();
        none.begin();
        none.look();

        assertThat(none.found()).isFalse();
        assertThat(none.pools(50)).isEmpty();
    }

    /// The mean of 5 ± 1 in 16 windows has a standard error of about a quarter.
    @Test
    void intervalFollowsFromTheWindows() {
        List<Double> windows = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            windows.add(i % 2 == 0 ? 4.0 : 6.0);
        }

        Interval own = HeldPools.interval(5, windows, false);
        Interval shared = HeldPools.interval(5, windows, true);

        // 2.131 is the quantile of Student's t with 15 degrees of freedom
        assertThat(own.width() / 2).isCloseTo(2.131 * Math.sqrt(16.0 / 15 / 16), within(0.005));
        assertThat(shared.width() / own.width()).isCloseTo(Math.sqrt(2), within(1e-9));
        // three windows have two degrees of freedom, with the quantile 4.303
        assertThat(HeldPools.interval(5, List.of(4.0, 5.0, 6.0), false).width() / 2)
                .isCloseTo(4.303 / Math.sqrt(3), within(0.005));
        assertThat(HeldPools.interval(4, List.of(4.0), false).width())
                .isCloseTo(4 * Interval.NORMAL_95, within(1e-9));
    }
}
