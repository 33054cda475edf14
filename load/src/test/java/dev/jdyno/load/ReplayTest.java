package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Part;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.Timetable;
import dev.jdyno.measure.load.Workload;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {
    private static final long GAP_NANOS = 4_000_000;

    private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    private HttpServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(
                Executors.newCachedThreadPool(r -> Thread.ofPlatform().daemon().unstarted(r)));
        server.createContext(
                "/",
                exchange -> {
                    String path = exchange.getRequestURI().getPath();
                    seen.add(exchange.getRequestMethod() + " " + path);
                    exchange.sendResponseHeaders(path.startsWith("/gone") ? 404 : 200, -1);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    private static Map<String, String> row(String method, String path, String status) {
        return Map.of("method", method, "path", path, "status", status);
    }

    private static Workload replay(List<Map<String, String>> rows) {
        var step =
                new Workload.Step(
                        "replay", "${method}", "${path}", Map.of(), "", List.of(), List.of());
        var starts =
                Timetable.of(LongStream.range(0, rows.size()).map(i -> i * GAP_NANOS).toArray());
        return new Workload(
                List.of(new Workload.Journey("replay", 1, List.of(step))),
                new Workload.Data(rows, Workload.RowOrder.SEQUENTIAL, Optional.empty()),
                Optional.of(
                        new Workload.Replay(
                                Path.of("access.log"),
                                1,
                                Optional.of(starts),
                                new Workload.Unread(rows.size(), 0, List.of()))));
    }

    private LoadReport run(Workload workload, int loops, Part part) {
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        LoadSpec spec =
                LoadSpec.to(url)
                        .loops(loops)
                        .workload(workload)
                        .mostRequests(workload.data().rows().size())
                        .build();
        var plan =
                new LoadPlan(
                        spec,
                        6,
                        Duration.ZERO,
                        Optional.empty(),
                        Arrivals.CONSTANT,
                        Duration.ofSeconds(60),
                        Duration.ZERO);
        return new LoadRun(plan.part(part), NanoClock.SYSTEM, () -> false, (_, _) -> {}).run();
    }

    private static List<Map<String, String>> rows(int n) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            rows.add(row("GET", "/" + i, "200"));
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void sendsEachLoggedRequestOnceAtItsTime(int loops) {
        LoadReport report = run(replay(rows(100)), loops, Part.WHOLE);

        LoadWindow w = report.total();
        assertThat(w.requests()).isEqualTo(100);
        assertThat(w.errors()).isZero();
        assertThat(report.plan().model()).isEqualTo("open");
        assertThat(w.sendErrorNanos().getTotalCount() + w.backlogged()).isEqualTo(100);
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 100).mapToObj(i -> "GET /" + i).toList());
        assertThat(w.endNanos() - w.startNanos()).isGreaterThanOrEqualTo(99 * GAP_NANOS);
    }

    @Test
    void eachProcessSendsItsPartOfTheLog() {
        run(replay(rows(7)), 1, new Part(1, 3));

        assertThat(seen).containsExactlyInAnyOrder("GET /1", "GET /4");
    }

    @Test
    void usesMethodsOfLogAndAcceptsLoggedErrors() {
        LoadReport report =
                run(
                        replay(
                                List.of(
                                        row("HEAD", "/h", "200"),
                                        row("GET", "/gone", "404"),
                                        row("DELETE", "/d", "204"),
                                        row("GET", "/gone/now", "200"))),
                        1,
                        Part.WHOLE);

        assertThat(seen)
                .containsExactlyInAnyOrder("HEAD /h", "GET /gone", "DELETE /d", "GET /gone/now");
        assertThat(report.total().requests()).isEqualTo(3);
        assertThat(report.total().errorKinds()).isEqualTo(Map.of("status-404", 1L));
    }
}
