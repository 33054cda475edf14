package dev.jdyno.load.statistics;

import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.ErrorKind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/// Decides by fixed limits whether the client, and not the server, was the limit (experiment E22).
final class SelfSuspicion {
    /// Maximum share of the time that a loop may be busy. Above it, replies queue for the loop.
    static final double LOOP_BUSY_LIMIT = ClientSide.LOOP_BUSY_LIMIT_PCT / 100;

    /// Minimum share of its busy time that a busy loop must be on a core. Below it, other threads
    /// kept the loop off the core.
    static final double MIN_LOOP_ON_CPU = 0.80;

    /// Maximum share of the window for the client's own GC pauses, which show in the tail of the
    /// latency.
    static final double GC_SHARE_LIMIT = 0.02;

    /// Maximum share of the machine's CPU taken by the hypervisor.
    static final double STEAL_LIMIT = 0.10;

    /// Maximum share of all requests that fail because no local port is free.
    static final double NO_PORT_LIMIT = 0.001;

    /// Open model: maximum p99 of the send error. Above it, the client did not keep its schedule.
    static final double SEND_ERROR_LIMIT_MS = 5;

    /// Maximum share of the time in which the loops were stalled.
    static final double STALL_LIMIT = 0.02;

    /// Maximum share by which stalls may have raised the 99th percentile of the latency.
    static final double P99_MOVED_LIMIT = 0.05;

    /// Minimum length of a window for a judgement. In a shorter one the client is still starting:
    /// it loads and compiles classes, which says nothing about its capacity.
    static final double SHORTEST_SECONDS = 1;

    /// Open model: maximum share of arrivals that wait for a free connection while replies are fast
    /// (see {@link #UNLOADED_REPLY}).
    static final double POOL_WAIT_LIMIT = 0.10;

    /// Maximum ratio of the usual reply time to the fastest one for which too few connections are
    /// the cause of a wait. Up to this ratio, requests do not queue in the server.
    static final double UNLOADED_REPLY = 1.5;

    private SelfSuspicion() {}

    static ClientSide judge(LoadWindow w) {
        ClientUse use = w.use();
        double seconds = Math.max(1e-9, w.seconds());
        boolean longEnough = seconds >= SHORTEST_SECONDS;
        double stalled =
                use.loops().stream().mapToDouble(ClientUse.Loop::stallSeconds).max().orElse(0);
        Optional<String> own =
                longEnough
                        ? loop(w).or(() -> ports(w)).or(() -> pool(w)).or(() -> gc(use, seconds))
                        : ports(w);
        Optional<String> machine =
                longEnough ? stall(w, stalled, seconds).or(() -> steal(use)) : Optional.empty();
        // a machine that delayed the client also explains a late schedule
        Optional<String> why =
                own.or(() -> machine).or(() -> longEnough ? sendError(w) : Optional.empty());
        return new ClientSide(
                100 * use.cpuSeconds() / seconds,
                100 * busiest(use).busyShare(),
                use.gcMs(),
                100
                        * use.loops().stream()
                                .mapToDouble(ClientUse.Loop::coreWaitShare)
                                .max()
                                .orElse(0),
                100 * stalled / seconds,
                why.isPresent(),
                own.isEmpty() && machine.isPresent(),
                why);
    }

    private static ClientUse.Loop busiest(ClientUse use) {
        ClientUse.Loop busiest = ClientUse.Loop.NONE;
        for (ClientUse.Loop loop : use.loops()) {
            if (loop.busyShare() >= busiest.busyShare()) {
                busiest = loop;
            }
        }
        return busiest;
    }

    private static Optional<String> loop(LoadWindow w) {
        ClientUse.Loop loop = busiest(w.use());
        if (loop.busyShare() < LOOP_BUSY_LIMIT) {
            return Optional.empty();
        }
        if (w.reported().isPresent()) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "the driver's busiest thread used %.0f %% of a core (give it more threads)",
                            100 * loop.busyShare()));
        }
        double onCpu = loop.busySeconds() <= 0 ? 1 : loop.cpuSeconds() / loop.busySeconds();
        if (loop.cpuSeconds() > 0 && onCpu < MIN_LOOP_ON_CPU) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "event loop busy %.0f %% of the time but on a core for only %.0f %% of"
                                    + " that: other threads of this machine hold the cores",
                            100 * loop.busyShare(),
                            100 * onCpu));
        }
        double lag = w.use().loops().stream().mapToDouble(ClientUse.Loop::lagSeconds).sum();
        long replies = Math.max(1, w.statuses().values().stream().mapToLong(n -> n).sum());
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "event loop busy %.0f %% of the time; a reply waited at least %.3f ms for"
                                + " it on average (add loops with -t, or cores)",
                        100 * loop.busyShare(),
                        1e3 * lag / replies));
    }

    private static Optional<String> ports(LoadWindow w) {
        long noPort = w.errorKinds().getOrDefault(ErrorKind.CONNECT_NO_PORT.key(), 0L);
        if (noPort <= NO_PORT_LIMIT * Math.max(1, w.requests() + w.errors())) {
            return Optional.empty();
        }
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "ports: %d connects found no free local port, %d are held in TIME_WAIT (keep"
                                + " connections alive, widen net.ipv4.ip_local_port_range, or give"
                                + " more --source addresses)",
                        noPort,
                        w.use().timeWait()));
    }

    /// Detects too few connections: arrivals wait for a connection although the server replies at
    /// once.
    static Optional<String> pool(LoadWindow w) {
        long arrivals = w.sendErrorNanos().getTotalCount() + w.backlogged();
        long min = w.connections().leastReplyNanos();
        long usual = w.serviceNanos().getValueAtPercentile(50);
        if (w.backlogged() <= POOL_WAIT_LIMIT * Math.max(1, arrivals)
                || w.serviceNanos().getTotalCount() == 0
                || usual > UNLOADED_REPLY * min) {
            return Optional.empty();
        }
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "pool: %.0f %% of the arrivals waited for a free connection while the server"
                                + " answered as fast as when nothing waited (p50 %.3f ms, fastest"
                                + " %.3f ms): give more connections with -c",
                        100.0 * w.backlogged() / arrivals,
                        usual / 1e6,
                        min / 1e6));
    }

    private static Optional<String> stall(LoadWindow w, double stalled, double seconds) {
        if (stalled <= STALL_LIMIT * seconds || p99Moved(w) <= P99_MOVED_LIMIT) {
            return Optional.empty();
        }
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "hiccups: an event loop stood still for %.0f ms of %.1f s (stopped by its JVM,"
                                + " or other processes held its core)",
                        1e3 * stalled,
                        seconds));
    }

    /// Upper bound for the share by which stalls raised the 99th percentile. A stall delays the
    /// requests in flight on its loop and, in the open model, those due during the stall. At worst,
    /// all of them are among the slowest requests. Without them, a lower percentile of the measured
    /// latencies is the 99th percentile.
    private static double p99Moved(LoadWindow w) {
        Histogram latency = w.latencyNanos();
        long all = latency.getTotalCount();
        if (all == 0) {
            return Double.POSITIVE_INFINITY;
        }
        List<ClientUse.Loop> loops = w.use().loops();
        double seconds = Math.max(1e-9, w.seconds());
        double perLoop = 1.0 / Math.max(1, loops.size());
        double out = out(w, seconds) * perLoop;
        double due = w.sendErrorNanos().getTotalCount() == 0 ? 0 : all / seconds * perLoop;
        double delayed =
                loops.stream().mapToDouble(l -> l.stalls() * out + l.stallSeconds() * due).sum();
        double rank = 99 - 100 * delayed / all;
        if (rank <= 0) {
            return Double.POSITIVE_INFINITY;
        }
        double p99 = latency.getValueAtPercentile(99);
        return p99 / Math.max(1, latency.getValueAtPercentile(rank)) - 1;
    }

    /// Number of requests in flight at a time: one per connection, or more if a connection carries
    /// several (HTTP/2). If connections have been closed since, Little's law gives the number.
    private static double out(LoadWindow w, double seconds) {
        double mean =
                w.serviceNanos().getMean()
                        / 1e9
                        * (double) w.serviceNanos().getTotalCount()
                        / seconds;
        return Math.max(mean, (double) Math.max(w.connections().open(), w.inFlight()));
    }

    private static Optional<String> sendError(LoadWindow w) {
        double p99 = w.sendErrorNanos().getValueAtPercentile(99) / 1e6;
        if (w.sendErrorNanos().getTotalCount() == 0 || p99 <= SEND_ERROR_LIMIT_MS) {
            return Optional.empty();
        }
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "schedule: p99 of the sends left %.1f ms later than intended",
                        p99));
    }

    private static Optional<String> gc(ClientUse use, double seconds) {
        if (use.gcMs() / 1e3 <= GC_SHARE_LIMIT * seconds) {
            return Optional.empty();
        }
        return Optional.of(
                String.format(Locale.ROOT, "own GC paused %.0f ms of %.1f s", use.gcMs(), seconds));
    }

    private static Optional<String> steal(ClientUse use) {
        if (use.totalTicks() == 0 || use.stealTicks() <= STEAL_LIMIT * use.totalTicks()) {
            return Optional.empty();
        }
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "steal: the hypervisor took %.0f %% of this machine's CPU",
                        100.0 * use.stealTicks() / use.totalTicks()));
    }
}
