package dev.jdyno.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.FreePort;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Drive;
import dev.jdyno.target.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrivenLoadTest {
    private static final Level FOUR = new Level.Closed(4, Duration.ZERO);

    /// Prints the output of wrk without sending a request.
    private static final String PRINTED =
            "echo 'Running 1s test @ x'; echo ' Latency 2.00ms 1.00ms 9.00ms 70.00%%';"
                    + " echo '  %d requests in 1.00s, 1.00KB read'; : {n} {seconds}";

    @TempDir private Path folder;

    private DrivenLoad load(String command) {
        return load(Drive.parse(command), 1);
    }

    private DrivenLoad load(Drive drive, int servicePort) {
        return load(drive, servicePort, Optional.empty());
    }

    private DrivenLoad load(Drive drive, int servicePort, Optional<ServiceCounts> counts) {
        return DrivenLoad.start(
                drive,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), servicePort),
                folder,
                NanoClock.SYSTEM,
                counts);
    }

    private static LoadWindow window(DrivenLoad load) throws InterruptedException {
        assertThat(load.awaitWindow(() -> false)).isTrue();
        load.cut();
        return load.take();
    }

    private void assertRefused(String command, String what, String why) {
        try (var load = load(command)) {
            load.apply(FOUR);
            assertRefused(load, what, why);
        }
    }

    private static void assertRefused(DrivenLoad load, String what, String why) {
        assertThatThrownBy(() -> window(load))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.what()).contains(what);
                            assertThat(e.why()).contains(why);
                            assertThat(e.fix()).isNotBlank();
                        });
    }

    /// Counters of a service, which give the same in each window.
    private static final class Counters implements ServiceCounts {
        private final Optional<Served> served;
        private int begun;
        private boolean closed;

        Counters(Optional<Served> served) {
            this.served = served;
        }

        /// Good and failed requests in 2 s, 7.5 ms each.
        static Counters of(long requests, long failed) {
            return new Counters(
                    Optional.of(
                            new Served(
                                    "metrics",
                                    2,
                                    requests,
                                    failed,
                                    Optional.of(7.5),
                                    List.of("percentiles: only sums"))));
        }

        @Override
        public void begin() {
            begun++;
        }

        @Override
        public Optional<Served> end() {
            return served;
        }

        @Override
        public double readingSeconds() {
            return 0;
        }

        @Override
        public List<String> failures() {
            return List.of("metrics: no page");
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private DrivenLoad unknown(Counters counters) {
        return load(Drive.parse("echo all fine; : {n} {seconds}"), 1, Optional.of(counters));
    }

    @Test
    void serviceCountsForDriverOfUnknownForm() throws InterruptedException {
        // so many that a window of some microseconds has enough of them
        Counters counters = Counters.of(9_000_000_000_000L, 1_000_000_000_000L);
        try (var load = unknown(counters)) {
            load.apply(FOUR);
            assertThat(window(load).counted()).as("its counters were not read before it").isFalse();

            LoadWindow seen = window(load);

            assertThat(seen.counted()).isTrue();
            assertThat((double) seen.errors() / seen.requests()).isCloseTo(1.0 / 9, within(0.001));
            assertThat(seen.qps() / 4.5e12).isCloseTo(1, within(0.001));
            assertThat(seen.errorKinds()).containsOnlyKeys("status");
            assertThat(seen.latency().mean()).isEqualTo(7.5);
            assertThat(seen.latency().p50()).isNaN();
            assertThat(load.driver().orElseThrow().source()).isEqualTo("metrics");
            assertThat(load.driver().orElseThrow().missing())
                    .containsExactly("percentiles: only sums");
        }
        assertThat(counters.closed).isTrue();
    }

    @Test
    void unknownFormIsRefusedIfTheServiceCountsNothing() throws InterruptedException {
        try (var load = unknown(new Counters(Optional.empty()))) {
            load.apply(FOUR);
            assertThat(window(load).counted()).isFalse();

            assertRefused(load, "form that is not known", "all fine");
            assertRefused(load, "form that is not known", "metrics: no page");
        }
        try (var load = unknown(Counters.of(0, 0))) {
            load.apply(FOUR);
            assertThat(window(load).counted()).isFalse();

            assertRefused(load, "sent no request", "0 requests");
        }
    }

    @Test
    void countersAreNotReadIfTheFormIsKnown() throws InterruptedException {
        Counters counters = Counters.of(1, 0);
        try (var load = load(Drive.parse(PRINTED.formatted(500)), 1, Optional.of(counters))) {
            load.apply(FOUR);

            assertThat(window(load).counted()).isTrue();
            assertThat(load.driver().orElseThrow().source()).isEqualTo("wrk");
            assertThat(counters.begun).isZero();
        }
    }

    @Test
    void theRateOfTheRunIsTheWindows() throws InterruptedException {
        try (var load = load(PRINTED.formatted(500))) {
            load.apply(FOUR);
            LoadWindow seen = window(load);

            assertThat(seen.counted()).isTrue();
            // 4 in flight at 500 a second: Little's law
            assertThat(seen.latency().mean()).isEqualTo(8);
            assertThat(seen.latency().p99()).isNaN();
            assertThat(load.driver().orElseThrow().source()).isEqualTo("wrk");
            assertThat(load.driver().orElseThrow().missing()).isNotEmpty();
            assertThat(load.driver().orElseThrow().runSeconds()).isPresent();
        }
    }

    @Test
    void waitsUntilASlowProgramSends() throws InterruptedException {
        // its report has one second, so the other one is its start
        try (var load = load("sleep 2; " + PRINTED.formatted(500))) {
            load.apply(FOUR);
            window(load);
            long from = System.nanoTime();
            load.apply(FOUR);
            load.awaitSending(() -> false);

            assertThat(System.nanoTime() - from).isGreaterThan(1_000_000_000L);
            load.awaitSending(() -> true);
        }
    }

    /// A program behind the proxy sends when the proxy has counted an answer.
    @Test
    void waitsForTheFirstAnswerBehindTheProxy() throws Exception {
        assumeThat(Path.of("/usr/bin/wrk")).exists();
        HttpServer server = server(new AtomicLong());
        server.start();
        int through = FreePort.get();
        Drive drive =
                Drive.parse(
                                "sleep 1; /usr/bin/wrk -t1 -c{n} -d{seconds}s http://127.0.0.1:"
                                        + through
                                        + "/ > /dev/null")
                        .withThrough(through);
        try (var load = load(drive, server.getAddress().getPort())) {
            load.apply(FOUR);
            long from = System.nanoTime();
            load.awaitSending(() -> false);
            Duration waited = Duration.ofNanos(System.nanoTime() - from);

            // on a machine that starts wrk slowly, the waiting has an end
            assertThat(load.take().requests() > 0 || waited.toSeconds() >= 5).isTrue();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void runWithoutWindowHasNoCounts() throws InterruptedException {
        try (var load = load("sleep {seconds}; : {n}")) {
            load.apply(FOUR);

            assertThat(load.take().counted()).isFalse();
            assertThat(Program.processes()).isNotEmpty();

            load.apply(new Level.Idle());
            assertThat(Program.processes()).isEmpty();
        }
    }

    @Test
    void closeEndsProcessesOfDriver() throws InterruptedException {
        var load = load("sleep 600 & sleep {seconds}; : {n}");
        load.apply(FOUR);
        load.close();

        assertThat(Program.processes()).isEmpty();
    }

    @Test
    void reportsMissingDriver() {
        assertRefused("no-such-tool-here {n} {seconds}", "exit code 127", "not found");
    }

    @Test
    void reportsFailedDriver() {
        assertRefused("echo broken script; exit 3; {n} {seconds}", "exit code 3", "broken script");
    }

    @Test
    void aDriverOfAnUnknownForm() {
        assertRefused("echo all fine; : {n} {seconds}", "form that is not known", "all fine");
    }

    @Test
    void reportsDriverWithoutRequests() {
        assertRefused(PRINTED.formatted(0), "sent no request", "0 requests");
    }

    @Test
    void aDriverHoldsNoRate() {
        try (var load = load("sleep {seconds}; : {n}")) {
            assertThatThrownBy(() -> load.apply(new Level.Open(4, 100, Arrivals.POISSON)))
                    .isInstanceOf(UserError.class);
        }
    }

    /// The counts come from the proxy, whatever the tool prints.
    @Test
    void ignoresDriverOutputBehindOwnProxy() throws Exception {
        assumeThat(Path.of("/usr/bin/wrk")).exists();
        var served = new AtomicLong();
        HttpServer server = server(served, 20);
        try (var threads = Executors.newCachedThreadPool()) {
            server.setExecutor(threads);
            server.start();
            int through = FreePort.get();
            Drive drive =
                    Drive.parse(
                                    "/usr/bin/wrk -t1 -c{n} -d{seconds}s http://127.0.0.1:"
                                            + through
                                            + "/ > /dev/null")
                            .withThrough(through);
            try (var load = load(drive, server.getAddress().getPort())) {
                load.apply(FOUR);
                assertThat(load.awaitWindow(() -> false)).isFalse();
                while (load.take().requests() == 0) {
                    Thread.onSpinWait();
                }
                long beforeFrom = served.get();
                load.take();
                long afterFrom = served.get();
                long beforeTo = nextWindow(load, served);
                LoadWindow seen = load.take();
                long afterTo = served.get();
                // a stop at the edge of a window changes the mean of a short one
                while (!isFourInFlight(seen) && seen.seconds() < 60) {
                    beforeTo = nextWindow(load, served);
                    seen = seen.plus(load.take());
                    afterTo = served.get();
                }

                // at the beginning and at the end, 4 requests are in the server and not counted yet
                assertThat(seen.requests())
                        .isBetween(beforeTo - afterFrom - 4, afterTo - beforeFrom + 4);
                assertThat(seen.latency().p999()).isPositive();
                assertThat(inFlight(seen)).as("Little: 4 in flight").isBetween(2.5, 4.2);
            }
        } finally {
            server.stop(0);
        }
    }

    /// Returns the number of requests at the end of a further window.
    private static long nextWindow(DrivenLoad load, AtomicLong served) throws InterruptedException {
        // sleeps: as long as the window lasts
        TimeUnit.NANOSECONDS.sleep(load.window().toNanos());
        return served.get();
    }

    private static double inFlight(LoadWindow seen) {
        return seen.qps() * seen.latency().mean() / 1000;
    }

    private static boolean isFourInFlight(LoadWindow seen) {
        return inFlight(seen) >= 2.5 && inFlight(seen) <= 4.2;
    }

    private static HttpServer server(AtomicLong served) throws IOException {
        return server(served, 0);
    }

    /// @param ms time of a request in the server. It is much longer than the network time, so
    ///   nearly all requests in flight are in the server
    private static HttpServer server(AtomicLong served, int ms) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    served.incrementAndGet();
                    // sleeps: the time of a request
                    LockSupport.parkNanos(ms * 1_000_000L);
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        return server;
    }

    /// A window at whose end the driver still runs. If the machine stops meanwhile, the run may be
    /// over by then, and the next window counts.
    private static LoadWindow windowInsideItsRun(DrivenLoad load) throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            load.awaitWindow(() -> false);
            // sleeps: as long as the window lasts
            TimeUnit.NANOSECONDS.sleep(load.window().toNanos());
            load.cut();
            boolean inside =
                    Program.processes().stream().anyMatch(pid -> ProcessHandle.of(pid).isPresent());
            LoadWindow seen = load.take();
            if (inside) {
                return seen;
            }
        }
        throw new AssertionError("none of ten windows ended before its run did");
    }

    /// Real tools report the number of requests that the server counted, except for the requests in
    /// flight at the end.
    @ParameterizedTest
    @CsvSource({
        "/usr/bin/wrk, -t1 -c{n} -d{seconds}s --latency --timeout 60s",
        "/usr/bin/ab, -q -c{n} -s 60 -t{seconds} -n 1000000 -e {out}"
    })
    void realToolsCountWhatTheServerCounts(String tool, String options) throws Exception {
        assumeThat(Path.of(tool)).exists();
        var served = new AtomicLong();
        HttpServer server = server(served);
        try (var threads = Executors.newCachedThreadPool()) {
            server.setExecutor(threads);
            server.start();
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
            Drive drive = Drive.parse(tool + " " + options + " " + url);
            try (var run = DriverRun.start(drive, 4, 2, folder, NanoClock.SYSTEM)) {
                assertThat(run.await(Duration.ofMinutes(5))).isTrue();
                DriverReport report =
                        run.report(new DriverOutput.Window(0, Long.MAX_VALUE)).orElseThrow();

                assertThat(served.get() - report.requests()).isBetween(0L, 4L);
                assertThat(report.errors()).isZero();
            } finally {
                server.stop(0);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/usr/bin/wrk, -t1 -c{n} -d{seconds}s --latency --timeout 60s",
        "/usr/bin/ab, -q -c{n} -s 60 -t{seconds} -n 1000000 -e {out}"
    })
    void realToolsKeepFourInFlight(String tool, String options) throws Exception {
        assumeThat(Path.of(tool)).exists();
        var served = new AtomicLong();
        HttpServer server = server(served);
        try (var threads = Executors.newCachedThreadPool()) {
            server.setExecutor(threads);
            server.start();
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
            try (var load = load(tool + " " + options + " " + url)) {
                load.apply(FOUR);
                LoadWindow seen = windowInsideItsRun(load);

                assertThat(seen.requests()).isPositive();
                assertThat(seen.errors()).isZero();
                assertThat(inFlight(seen)).as("Little: 4 in flight").isBetween(3.0, 4.2);
                assertThat(seen.client().cpuPct()).isPositive();
                assertThat(seen.client().busiestLoopPct()).isBetween(1.0, 101.0);
                assertThat(Files.size(folder.resolve("driver.out"))).isPositive();
            } finally {
                server.stop(0);
            }
        }
    }
}
