package dev.jdyno.experiment;

import dev.jdyno.load.LoadLimits;
import dev.jdyno.load.LoadSpec;
import dev.jdyno.load.LoadWindow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// E23: tens of thousands of connections on one Tomcat, with the settings of its presets and with
/// settings made for it.
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
        int asked = Math.min(PUBLISHED, LoadLimits.mostConnections());
        LoadWindow preset = load(bench, asked, PRESET_CONNECTIONS, PRESET_BACKLOG, 200);
        LoadWindow made = load(bench, asked, asked + 1000, 4096, 24);
        return new Comparison(
                id(),
                title(),
                List.of(
                        Comparison.figure("connections asked for", PUBLISHED, asked, ""),
                        Comparison.predicted(
                                "open with the presets",
                                PRESET_CONNECTIONS,
                                Optional.of((double) PRESET_CONNECTIONS + PRESET_BACKLOG),
                                (double) preset.connections().open(),
                                ""),
                        Comparison.shape(
                                "presets: open / (max + backlog)",
                                1,
                                (double) preset.connections().open()
                                        / (PRESET_CONNECTIONS + PRESET_BACKLOG),
                                0.05),
                        Comparison.here("presets: connects that failed", preset.errors(), ""),
                        Comparison.shape(
                                "made for it: held / asked for",
                                1,
                                (double) made.connections().open() / asked,
                                0.001),
                        Comparison.here("made for it: errors", made.errors(), ""),
                        Comparison.here("made for it: QPS", made.qps(), "1/s"),
                        Comparison.here("made for it: RT p99", made.latency().p99(), "ms")),
                List.of(
                        "presets: maxConnections 10000, acceptCount 100, maxThreads 200; made for it:"
                                + " maxConnections above the number, acceptCount 4096, maxThreads 24",
                        "open model, "
                                + RATE
                                + "/s over 1 % of the connections, the others only held",
                        "client and Tomcat are a process each; a process may open "
                                + LoadLimits.mostConnections()
                                + " connections here"));
    }

    private static LoadWindow load(
            Bench bench, int connections, int most, int backlog, int threads) {
        try (LabService tomcat =
                bench.lab()
                        .start(
                                "traffic.Traffic",
                                List.of("-Xmx512m"),
                                List.of(
                                        "--port", "0",
                                        "--max-connections", Integer.toString(most),
                                        "--accept-count", Integer.toString(backlog),
                                        "--max-threads", Integer.toString(threads)))) {
            LoadSpec spec =
                    LoadSpec.to(tomcat.url("/page?bytes=100"))
                            .activeShare(ACTIVE)
                            .connectTimeout(Duration.ofSeconds(2))
                            .build();
            return bench.loadAt(spec, connections, RATE, LENGTH);
        }
    }
}
