package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.load.LoadLimits;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// E23: tens of thousands of connections to one Tomcat, with its default settings and with settings
/// for that number.
final class ManyConnections implements Experiment {
    private static final int PUBLISHED = 30_000;
    private static final int PRESET_CONNECTIONS = 10_000;
    private static final int PRESET_BACKLOG = 100;
    private static final double ACTIVE = 0.01;
    private static final double RATE = 300;
    private static final Duration LENGTH = Duration.ofSeconds(5);

    @Override
    public String id() {
        return "E23";
    }

    @Override
    public String title() {
        return "20,000–30,000 connections on one Tomcat";
    }

    @Override
    public Comparison run(Bench bench) {
        int asked = Math.min(PUBLISHED, LoadLimits.maxConnections());
        Seen preset = load(bench, asked, PRESET_CONNECTIONS, PRESET_BACKLOG, 200);
        Seen made = load(bench, asked, asked + 1000, 4096, 24);
        return new Comparison(
                id(),
                title(),
                List.of(
                        Comparison.figure("connections asked for", PUBLISHED, asked, ""),
                        Comparison.predicted(
                                "held with the presets",
                                PRESET_CONNECTIONS,
                                Optional.of((double) PRESET_CONNECTIONS + PRESET_BACKLOG),
                                (double) preset.held(),
                                ""),
                        Comparison.shape(
                                "presets: held / (max + backlog)",
                                1,
                                (double) preset.held() / (PRESET_CONNECTIONS + PRESET_BACKLOG),
                                0.05),
                        Comparison.here(
                                "presets: open, the client believes",
                                preset.load().connections().open(),
                                ""),
                        Comparison.here(
                                "presets: connects that failed", preset.load().errors(), ""),
                        Comparison.shape(
                                "made for it: held / asked for",
                                1,
                                (double) made.held() / asked,
                                0.001),
                        Comparison.here("made for it: errors", made.load().errors(), ""),
                        Comparison.here("made for it: QPS", made.load().qps(), "1/s"),
                        Comparison.here("made for it: RT p99", made.load().latency().p99(), "ms")),
                List.of(
                        "presets: maxConnections 10000, acceptCount 100, maxThreads 200; made for it:"
                                + " maxConnections above the number, acceptCount 4096, maxThreads 24",
                        "open model, "
                                + RATE
                                + "/s over 1 % of the connections, the others only held",
                        "held: by the kernel on Tomcat's side, the accept queue included; a client believes"
                                + " to be connected when its SYN is answered, but with a full accept"
                                + " queue the rest of the handshake is dropped",
                        "client and Tomcat are a process each; a process may open "
                                + LoadLimits.maxConnections()
                                + " connections here"));
    }

    /// @param held connections that the server's kernel holds at the end of the load
    private record Seen(LoadWindow load, long held) {}

    private static Seen load(Bench bench, int connections, int max, int backlog, int threads) {
        try (LabService tomcat =
                bench.lab()
                        .start(
                                "traffic.Traffic",
                                List.of("-Xmx512m"),
                                List.of(
                                        "--port", "0",
                                        "--max-connections", Integer.toString(max),
                                        "--accept-count", Integer.toString(backlog),
                                        "--max-threads", Integer.toString(threads)))) {
            LoadSpec spec =
                    LoadSpec.to(tomcat.url("/page?bytes=100"))
                            .activeShare(ACTIVE)
                            .connectTimeout(Duration.ofSeconds(2))
                            .build();
            var held = new AtomicLong();
            LoadWindow load =
                    bench.loadAt(
                            spec,
                            connections,
                            RATE,
                            LENGTH,
                            (_, _) -> held.set(TcpSockets.heldBy(tomcat.port())));
            return new Seen(load, held.get());
        }
    }
}
