package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.experiment.server.Nginx;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.SlowClients;
import dev.jdyno.load.statistics.LoadWindow;
import java.time.Duration;
import java.util.List;

/// E26: slow clients behind a buffering proxy. The upstream is free at once, and the proxy keeps
/// the replies, in files if they are large.
final class SlowReaders implements Experiment {
    private static final int BYTES = 256 << 10;
    private static final int READ_PER_S = 512 << 10;
    private static final int CONNECTIONS = 20;
    private static final Duration LENGTH = Duration.ofSeconds(6);
    private static final SlowClients SLOW = new SlowClients(1, READ_PER_S, 16_384);

    @Override
    public String id() {
        return "E26";
    }

    @Override
    public String title() {
        return "slow clients behind a buffering proxy (nginx, Tomcat)";
    }

    private record Seen(LoadWindow load, double upstreamMs, double files) {
        double clientMs() {
            return load.latency().p50();
        }
    }

    @Override
    public Comparison run(Bench bench) {
        LabService service =
                bench.lab().start("traffic.Traffic", List.of("-Xmx512m"), List.of("--port", "0"));
        String to = "proxy_pass http://127.0.0.1:" + service.port() + ";";
        Seen fast = load(bench, to, SlowClients.NONE);
        Seen slow = load(bench, to, SLOW);
        Seen unbuffered = load(bench, to + " proxy_buffering off;", SLOW);
        double readMs = 1e3 * BYTES / READ_PER_S;
        return new Comparison(
                id(),
                title(),
                List.of(
                        Comparison.here("fast clients: RT p50", fast.clientMs(), "ms"),
                        Comparison.expected(
                                "slow clients: RT p50", readMs, slow.clientMs(), "ms", 0.2),
                        Comparison.here("slow, buffered: upstream p50", slow.upstreamMs(), "ms"),
                        Comparison.here(
                                "slow, unbuffered: upstream p50", unbuffered.upstreamMs(), "ms"),
                        Comparison.shape(
                                "buffered: upstream is faster than client",
                                1,
                                slow.upstreamMs() < slow.clientMs() / 3 ? 1 : 0,
                                0.01),
                        Comparison.shape(
                                "unbuffered: upstream waits for client",
                                1,
                                unbuffered.upstreamMs() / unbuffered.clientMs(),
                                0.4),
                        Comparison.shape("slow: temporary files per reply", 1, slow.files(), 0.25),
                        Comparison.here("unbuffered: files per reply", unbuffered.files(), ""),
                        Comparison.here("fast clients: files per reply", fast.files(), "")),
                List.of(
                        "replies of 256 KiB to "
                                + CONNECTIONS
                                + " clients that read 512 KiB/s with a receive buffer of 16 KiB",
                        "nginx's presets: proxy_buffers 8 × 4 KiB, larger replies go to a file"));
    }

    private static Seen load(Bench bench, String location, SlowClients slow) {
        try (Nginx nginx = Nginx.start("E26", bench.lab().folder(), "", location)) {
            LoadSpec spec = LoadSpec.to(nginx.url("/page?bytes=" + BYTES)).slow(slow).build();
            LoadWindow w = bench.load(spec, CONNECTIONS, LENGTH);
            double files = nginx.complaints("buffered to a temporary file");
            return new Seen(w, nginx.upstreamMsP50(), files / nginx.replies());
        }
    }
}
