package dev.jdyno.bench.cluster;

import dev.jdyno.cluster.Agent;
import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Credentials;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.HeapGuard;
import dev.jdyno.cluster.Listener;
import dev.jdyno.cluster.Token;
import dev.jdyno.cluster.load.Allowance;
import dev.jdyno.cluster.load.Fleet;
import dev.jdyno.cluster.load.LoadDuty;
import dev.jdyno.load.LoadGenerator;
import dev.jdyno.load.LoadSession;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The processes that `bench/cluster/cost.py` and `bench/cluster/link.py` measure. Each ends at the
/// end of its input.
///
/// - `agents N HOST [ALLOWED]` prints the port of each agent.
/// - `plain URL USERS THINK_MS` sends load itself, `fleet URL USERS THINK_MS AGENT…` through
///   agents. Both print `ready` and read commands. `measure SECONDS` prints `requests
///   clientCpuSeconds ownCpuSeconds seconds`. `hold` sends load until it fails, in windows of a
///   second, and then prints `ended` with the number of windows.
final class FleetProcess {
    private static final Token TOKEN = Token.of("0123456789abcdef0123456789abcdef");
    private static final long SETTLE_MS = 300;
    private static final int MAX_USERS = 10_000;
    private static final double MAX_RATE = 1e6;

    private final LoadGenerator load;
    private final Level level;

    private FleetProcess(LoadGenerator load, Level level) {
        this.load = load;
        this.level = level;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args[0].equals("agents")) {
            agents(
                    Integer.parseInt(args[1]),
                    InetAddress.getByName(args[2]),
                    Arrays.stream(args, 3, args.length).toList());
            HeapGuard _ = HeapGuard.start(FleetProcess::end);
            while (System.in.read() >= 0) {
                // until the input ends
            }
            System.exit(0);
        }
        LoadSpec spec = LoadSpec.to(URI.create(args[1])).build();
        var level =
                new Level.Closed(
                        Integer.parseInt(args[2]), Duration.ofMillis(Long.parseLong(args[3])));
        try (LoadGenerator load =
                args[0].equals("plain")
                        ? LoadSession.start(spec, NanoClock.SYSTEM)
                        : Fleet.start(
                                Arrays.stream(args, 4, args.length)
                                        .map(AgentAddress::parse)
                                        .toList(),
                                Credentials.of(TOKEN),
                                spec,
                                "bench",
                                NanoClock.SYSTEM)) {
            new FleetProcess(load, level).obey();
        }
    }

    private static void end(UserError full) {
        System.err.println(full.what() + ": " + full.why());
        System.exit(full.kind().exitCode());
    }

    private static void agents(int count, InetAddress host, List<String> allowed) {
        var allowance =
                new Allowance(
                        allowed.isEmpty() ? List.of("127.0.0.1:*") : allowed, MAX_RATE, MAX_USERS);
        for (int i = 0; i < count; i++) {
            Agent agent =
                    Agent.start(
                            Listener.open(new InetSocketAddress(host, 0), TOKEN),
                            busy -> facts(allowance, busy),
                            () -> List.of(new LoadDuty(allowance, NanoClock.SYSTEM)),
                            new Silent(),
                            NanoClock.SYSTEM);
            System.out.println(agent.port());
        }
    }

    private static Facts facts(Allowance allowance, String busy) {
        return new Facts(
                "bench",
                Set.of(Facts.Role.LOAD),
                Runtime.getRuntime().availableProcessors(),
                "Linux",
                0,
                0,
                allowance.targets(),
                List.of(),
                MAX_RATE,
                MAX_USERS,
                busy);
    }

    private void obey() throws IOException, InterruptedException {
        System.out.println("ready");
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("hold")) {
                System.out.println("ended " + hold());
            } else {
                measure(Integer.parseInt(words[1]));
            }
        }
    }

    private int hold() throws InterruptedException {
        int windows = 0;
        try {
            load.apply(level);
            while (true) {
                Thread.sleep(1000);
                load.take();
                windows++;
            }
        } catch (UserError lost) {
            System.err.println(lost.what() + ": " + lost.why());
            return windows;
        }
    }

    private void measure(int seconds) throws InterruptedException {
        load.apply(level);
        Thread.sleep(SETTLE_MS);
        load.take();
        var system =
                ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        long cpu = system.getProcessCpuTime();
        long start = System.nanoTime();
        long requests = 0;
        double clientCpu = 0;
        for (int i = 0; i < seconds; i++) {
            Thread.sleep(1000);
            LoadWindow window = load.take();
            requests += window.requests();
            clientCpu += window.use().cpuSeconds();
        }
        double ownCpu = (system.getProcessCpuTime() - cpu) / 1e9;
        double took = (System.nanoTime() - start) / 1e9;
        load.apply(new Level.Idle());
        System.out.printf(Locale.ROOT, "%d %.6f %.6f %.3f%n", requests, clientCpu, ownCpu, took);
    }

    private static final class Silent implements Agent.Witness {
        @Override
        public void joined(String run) {}

        @Override
        public void left(String run, Agent.Left why) {}

        @Override
        public void failed(String run, Throwable why) {
            System.err.println("run " + run + ": " + why);
        }
    }
}
