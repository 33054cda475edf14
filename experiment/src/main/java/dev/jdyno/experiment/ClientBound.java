package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.ClientSide;
import java.time.Duration;
import java.util.List;

/// E22: load through a client whose own pool is the limit. Throughput stays flat at any requested
/// rate, the client's RT is far above the server's, and the server is idle. The client must detect
/// this.
final class ClientBound implements Experiment {
    private static final int POOL = 40;
    private static final double PAGE_MS = 100;
    private static final Duration LENGTH = Duration.ofSeconds(6);

    @Override
    public String id() {
        return "E22";
    }

    @Override
    public String title() {
        return "a load client that is limited by its own pool of 40 connections (Tomcat)";
    }

    private record Seen(LoadWindow load, double serverCpuPct) {}

    @Override
    public Comparison run(Bench bench) {
        LabService service =
                bench.lab().start("traffic.Traffic", List.of("-Xmx256m"), List.of("--port", "0"));
        double max = POOL * 1000 / PAGE_MS;
        load(bench, service, max / 2); // warms up the service
        Seen within = load(bench, service, max / 2);
        Seen twice = load(bench, service, 2 * max);
        Seen fourTimes = load(bench, service, 4 * max);
        ClientSide clientSide = twice.load().client();
        return new Comparison(
                id(),
                title(),
                List.of(
                        Comparison.expected(
                                "QPS at twice the load that 40 connections can carry",
                                max,
                                twice.load().qps(),
                                "1/s",
                                0.1),
                        Comparison.shape(
                                "QPS at four times that load ÷ QPS at twice",
                                1,
                                fourTimes.load().qps() / twice.load().qps(),
                                0.15),
                        Comparison.here("server's own RT p50", twice.load().service().p50(), "ms"),
                        Comparison.here("client's RT p50", twice.load().latency().p50(), "ms"),
                        Comparison.shape(
                                "client's RT ≫ server's",
                                1,
                                twice.load().latency().p50() > 5 * twice.load().service().p50()
                                        ? 1
                                        : 0,
                                0.01),
                        Comparison.figure(
                                "server's CPU, % of the machine", 5, twice.serverCpuPct(), "%"),
                        Comparison.shape(
                                "recognised as client", 1, clientSide.saturated() ? 1 : 0, 0.01),
                        Comparison.shape(
                                "no pool blamed where it suffices",
                                1,
                                within.load().lacksConnections() ? 0 : 1,
                                0.01)),
                List.of(
                        "open model over " + POOL + " connections; the page sleeps 100 ms",
                        "jdyno said: " + clientSide.why().orElse("nothing"),
                        "and at half of what 40 connections can carry: "
                                + within.load().client().why().orElse("nothing")));
    }

    private static Seen load(Bench bench, LabService service, double ratePerS) {
        double cpuBefore = service.cpuSeconds();
        LoadSpec spec = LoadSpec.to(service.url("/page?bytes=100&ms=" + (int) PAGE_MS)).build();
        LoadWindow w = bench.loadAt(spec, POOL, ratePerS, LENGTH);
        double cores = Runtime.getRuntime().availableProcessors();
        return new Seen(w, 100 * (service.cpuSeconds() - cpuBefore) / (w.seconds() * cores));
    }
}
