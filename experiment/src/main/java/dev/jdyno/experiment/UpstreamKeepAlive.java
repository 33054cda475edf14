package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.experiment.server.Nginx;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.RequestError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// E24: a reverse proxy that opens and closes one upstream connection per request, and one that
/// keeps a pool of them alive.
final class UpstreamKeepAlive implements Experiment {
    private static final String BAD_GATEWAY = new RequestError.Status(502).key();
    private static final int WORKERS = 2;
    private static final int KEEP_ALIVE = 16;
    private static final int FEW = 12;
    private static final int MANY = 100;
    private static final long REQUESTS = 5000;

    /// Proxy settings with HTTP/1.1 and without `Connection: close`, so the upstream keeps the
    /// connection open. Without a pool, nginx closes the connection, so the port in TIME_WAIT is on
    /// nginx's side.
    private static final String LOCATION =
            "proxy_pass http://u; proxy_http_version 1.1; proxy_set_header Connection \"\";";

    @Override
    public String id() {
        return "E24";
    }

    @Override
    public String title() {
        return "a reverse proxy without and with upstream keep-alive (nginx, Tomcat)";
    }

    @Override
    public boolean isTimed() {
        return false;
    }

    /// @param noPort number of nginx's connects that found no free port
    private record Seen(LoadWindow load, long timeWait, long open, long noPort) {}

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        return FewPorts.areHere() ? withFewPorts(bench) : withAll(bench);
    }

    /// Compares both proxies with few local ports. Without keep-alive, nginx needs more upstream
    /// connections than there are ports, and logs an error. With keep-alive, it needs only its
    /// pool.
    private Comparison withFewPorts(Bench bench) {
        // one upstream each; the run with keep-alive comes first, because it leaves ports to listen
        // on
        Seen with = load(bench, upstream(bench).port(), "keepalive " + KEEP_ALIVE + ";", FEW);
        Seen without = load(bench, upstream(bench).port(), "", FEW);
        String few = FewPorts.PORTS + " ports: ";
        return new Comparison(
                id(),
                title(),
                List.of(
                        Comparison.expected(
                                few + "good, no keep-alive",
                                FewPorts.PORTS,
                                (double) without.load().requests(),
                                "",
                                FewPorts.TOLERANCE),
                        Comparison.expected(
                                few + "502, no keep-alive",
                                REQUESTS - FewPorts.PORTS,
                                (double) without.load().errorKinds().getOrDefault(BAD_GATEWAY, 0L),
                                "",
                                FewPorts.TOLERANCE),
                        Comparison.here(few + "address not available", without.noPort(), "nginx"),
                        Comparison.expected(
                                few + "good, keep-alive",
                                REQUESTS,
                                (double) with.load().requests(),
                                "",
                                FewPorts.TOLERANCE)),
                List.of());
    }

    private static LabService upstream(Bench bench) {
        return bench.lab().start("traffic.Traffic", List.of("-Xmx256m"), List.of("--port", "0"));
    }

    private Comparison withAll(Bench bench) throws InterruptedException {
        Comparison usual = usual(bench);
        Optional<List<Comparison.Row>> few = FewPorts.run(id(), bench);
        List<Comparison.Row> rows = new ArrayList<>(usual.rows());
        few.ifPresent(rows::addAll);
        List<String> notes = new ArrayList<>(usual.notes());
        notes.add(
                few.isPresent()
                        ? "the last rows: the same in a network namespace with "
                                + FewPorts.PORTS
                                + " local ports and net.ipv4.tcp_tw_reuse = 0"
                        : "that the ports run out is not shown: it takes a network namespace (unshare"
                                + " and ip, and the right to use them); see few-ports.err in "
                                + bench.folder());
        return new Comparison(id(), title(), rows, notes);
    }

    private Comparison usual(Bench bench) {
        LabService service = upstream(bench);
        Seen without = load(bench, service.port(), "", FEW);
        Seen with = load(bench, service.port(), "keepalive " + KEEP_ALIVE + ";", FEW);
        Seen full = load(bench, service.port(), "keepalive " + KEEP_ALIVE + ";", MANY);
        int pool = KEEP_ALIVE * WORKERS;
        return new Comparison(
                id(),
                title(),
                List.of(
                        Comparison.here("QPS without keep-alive", without.load().qps(), "1/s"),
                        Comparison.here("QPS with keep-alive", with.load().qps(), "1/s"),
                        Comparison.here("TIME_WAIT without keep-alive", without.timeWait(), ""),
                        Comparison.shape(
                                "TIME_WAIT without / requests",
                                1,
                                (double) without.timeWait() / REQUESTS,
                                0.2),
                        Comparison.here("TIME_WAIT with keep-alive", with.timeWait(), ""),
                        Comparison.predicted(
                                "idle connections kept, " + MANY + " clients",
                                pool,
                                Optional.of((double) pool),
                                (double) full.open(),
                                ""),
                        Comparison.shape(
                                "kept / (keepalive · workers)",
                                1,
                                full.open() / (double) pool,
                                0.1)),
                List.of(
                        REQUESTS
                                + " requests each, closed model, "
                                + FEW
                                + " connections; nginx with "
                                + WORKERS
                                + " workers, keepalive "
                                + KEEP_ALIVE,
                        "a port stays in TIME_WAIT for 60 s, and one address has some 28,000 towards"
                                + " one upstream: without keep-alive 470 requests/s use them up; on the loopback device"
                                + " Linux uses a port again after 1 s (net.ipv4.tcp_tw_reuse = 2)"));
    }

    private static Seen load(Bench bench, int upstream, String pool, int connections) {
        String servers = "upstream u { server 127.0.0.1:" + upstream + "; " + pool + " }";
        try (Nginx nginx = Nginx.start("E24", bench.lab().folder(), servers, LOCATION)) {
            long before = TcpSockets.timeWaitTo(upstream);
            LoadWindow window =
                    bench.count(LoadSpec.to(nginx.url("/page?bytes=100")), connections, REQUESTS);
            return new Seen(
                    window,
                    Math.max(0, TcpSockets.timeWaitTo(upstream) - before),
                    TcpSockets.openTo(upstream),
                    nginx.complaints("Cannot assign requested address"));
        }
    }
}
