package dev.jdyno.cli.agent;

import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.cluster.Agent;
import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Duty;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.HeapGuard;
import dev.jdyno.cluster.Listener;
import dev.jdyno.cluster.kubernetes.PodObserver;
import dev.jdyno.cluster.load.Allowance;
import dev.jdyno.cluster.load.LoadDuty;
import dev.jdyno.cluster.up.ReadyLines;
import dev.jdyno.inside.remote.ObserveDuty;
import dev.jdyno.inside.remote.Pace;
import dev.jdyno.inside.remote.Wire;
import dev.jdyno.load.LoadLimits;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.agent.LaunchList;
import dev.jdyno.trial.agent.ObservedHere;
import dev.jdyno.trial.recording.RecordingFile;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// A process that sends load for a `jdyno run` on another host, or observes a JVM for it.
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Send the load, or observe a JVM, for a jdyno run on another host.",
            "",
            "Waits for a run on another host: sends the share of its load that it asks for (run --agents),"
                    + " or observes a JVM of this host for it (run --observe). Without --allow it sends no"
                    + " load. Only a run that has the private key of --run-key, or the same token, is"
                    + " answered. The load ends within 2 s when the run is not heard any more."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno agents key run.key              (once, where the runs are; shows the public key)",
            "  jdyno agent --listen 10.0.0.7:4711 --run-key ed25519:... --allow shop:8080",
            "  jdyno agent --listen 10.0.0.5:4711 --run-key ed25519:... --observe-only port=8080",
            "  two builds that jdyno compare --observe starts here:",
            "    jdyno agent --listen 10.0.0.5:4711 --run-key ed25519:... \\",
            "        --launch a='java -jar old.jar {port}' --launch b='java -jar new.jar {port}'",
            "  quick start on one network, with one secret (umask 077; openssl rand -hex 32 > token):",
            "    jdyno agent --listen 10.0.0.7:4711 --token-file token --allow shop:8080",
        })
public final class AgentCommand implements Callable<Integer> {
    @Option(
            names = "--listen",
            required = true,
            paramLabel = "HOST:PORT",
            description =
                    "This host's own address, at which the run reaches it; port 0 is a free one.")
    private String listen = "";

    @Mixin private AgentProof proof = new AgentProof();

    @Option(
            names = "--role",
            split = ",",
            paramLabel = "ROLE",
            description =
                    "What it does: load, observe, or load,observe. Default: load with --allow;"
                            + " observe with --observe-only or --launch, and without --allow.")
    private List<String> roles = List.of();

    @Mixin private AllowOptions allowed = new AllowOptions();

    @Option(
            names = "--launch",
            paramLabel = "NAME=COMMAND",
            description =
                    "A command that a jdyno compare --observe may start here, by its name, and"
                            + " nothing else of it; {port} in it is a free port. May be repeated."
                            + " Without --observe-only, nothing else is observed.")
    private List<String> launches = List.of();

    @Option(
            names = "--max-rate",
            paramLabel = "N",
            defaultValue = "100000",
            description =
                    "Requests per second of an open load at most; --max-users limits a closed one."
                            + " Default: ${DEFAULT-VALUE}")
    private double mostRate;

    @Option(
            names = "--max-users",
            paramLabel = "N",
            description = "Connections of a load at most. Default: ${DEFAULT-VALUE}")
    private int mostUsers = 10000;

    @Option(
            names = LifeText.OPTION,
            paramLabel = "DURATION",
            description =
                    "It ends by itself after this time, such as 8h; a load that it sends then ends,"
                            + " and the run is not valid. Default: it does not end by itself")
    private @Nullable String life;

    @Option(
            names = "--forwarded",
            description =
                    "The run reaches this agent through a port-forward to the loopback device, as run"
                            + " --k8s does it. The agent ends after one run, or if none comes within "
                            + PodObserver.FIRST_RUN_MIN
                            + " min.")
    private boolean forwarded;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        var problems = Problems.ofCommand("jdyno agent");
        Optional<InetSocketAddress> at = address(problems);
        Optional<AgentProof.Opening> opening = proof.opening(problems);
        allowed.check(problems);
        if (!(mostRate > 0) || Double.isInfinite(mostRate)) {
            problems.add("--max-rate", mostRate + " is no rate", "write a number above 0");
        }
        if (mostUsers < 1) {
            problems.add("--max-users", mostUsers + " is less than 1", "write a whole number");
        }
        Optional<Duration> time =
                Optional.ofNullable(life).flatMap(l -> LifeText.read(l, LifeText.MIN, problems));
        if (forwarded && life != null) {
            problems.add(
                    LifeText.OPTION,
                    "an agent with --forwarded ends after its run",
                    "leave it out");
        }
        LaunchList launchList = LaunchList.of(launches, problems);
        Set<Facts.Role> does = roles(problems);
        problems.throwIfAny();
        var allowance = new Allowance(allowed.allow(), mostRate, mostUsers);
        var pace = new Pace(NanoClock.SYSTEM);
        PrintWriter out = spec.commandLine().getOut();
        var runs = new SeenRuns(out, spec.commandLine().getErr());
        try (var interrupt = new Interrupt();
                Listener listener = opening.orElseThrow().at(at.orElseThrow());
                Agent agent =
                        Agent.start(
                                listener,
                                busy -> facts(does, allowance, launchList, busy),
                                () ->
                                        does.stream()
                                                .map(r -> duty(r, allowance, launchList, pace))
                                                .toList(),
                                runs,
                                NanoClock.SYSTEM);
                HeapGuard _ = HeapGuard.start(why -> end(agent, why))) {
            if (forwarded) {
                listener.acceptReturns();
            }
            proof.fingerprint().ifPresent(f -> out.println(ReadyLines.key(f)));
            var address = new AgentAddress(at.get().getHostString(), agent.port());
            out.println(ReadyLines.ready(address.toString()));
            out.flush();
            if (forwarded) {
                runs.awaitOne(interrupt, NanoClock.SYSTEM);
            } else if (time.isEmpty()) {
                interrupt.await();
            } else if (!interrupt.await(time.get())) {
                agent.fail(over(life));
                out.println("its time is over (" + LifeText.OPTION + " " + life + ")");
                out.flush();
            }
        }
        return 0;
    }

    /// The reason that the run of an agent gets whose time is over.
    private static UserError over(@Nullable String life) {
        return new UserError(
                UserError.Kind.INVALID,
                "it has ended",
                "it was started for " + life,
                "start it again for longer, or run without it");
    }

    /// Ends an agent that has no memory left; its run gets the reason.
    private void end(Agent agent, UserError why) {
        agent.fail(why);
        PrintWriter err = spec.commandLine().getErr();
        err.println("jdyno: " + why.what() + ": " + why.why() + "; " + why.fix());
        err.flush();
        System.exit(why.kind().exitCode());
    }

    private Optional<InetSocketAddress> address(Problems problems) {
        try {
            AgentAddress at = AgentAddress.parse(listen);
            InetAddress host = InetAddress.getByName(at.host());
            return Optional.of(new InetSocketAddress(host, at.port()));
        } catch (IllegalArgumentException | UnknownHostException e) {
            problems.add(
                    "--listen " + listen,
                    String.valueOf(e.getMessage()),
                    "write an address of this host, such as 10.0.0.7:4711");
            return Optional.empty();
        }
    }

    private Set<Facts.Role> roles(Problems problems) {
        Set<Facts.Role> all = EnumSet.noneOf(Facts.Role.class);
        for (String role : roles) {
            switch (role) {
                case "load" -> all.add(Facts.Role.LOAD);
                case "observe" -> all.add(Facts.Role.OBSERVE);
                default ->
                        problems.add(
                                "--role", "'" + role + "' is no role", "write load or observe");
            }
        }
        List<String> allow = allowed.allow();
        List<String> observeOnly = allowed.observeOnly();
        if (roles.isEmpty()) {
            if (!allow.isEmpty()) {
                all.add(Facts.Role.LOAD);
            }
            if (allow.isEmpty() || !observeOnly.isEmpty() || !launches.isEmpty()) {
                all.add(Facts.Role.OBSERVE);
            }
        } else if (all.contains(Facts.Role.LOAD) == allow.isEmpty()) {
            problems.add(
                    "--role " + String.join(",", roles),
                    allow.isEmpty()
                            ? "it may load nothing without --allow"
                            : "it does not load what --allow names",
                    "--role load goes with --allow HOST:PORT");
        } else if (!all.contains(Facts.Role.OBSERVE)
                && !(observeOnly.isEmpty() && launches.isEmpty())) {
            problems.add(
                    "--role " + String.join(",", roles),
                    "it does not observe what "
                            + (observeOnly.isEmpty() ? "--launch" : "--observe-only")
                            + " names",
                    "add observe to --role, or leave --role out");
        }
        return all;
    }

    private Duty duty(Facts.Role role, Allowance allowance, LaunchList launchList, Pace pace) {
        return switch (role) {
            case LOAD -> new LoadDuty(allowance, NanoClock.SYSTEM);
            case OBSERVE ->
                    new ObserveDuty(
                            new Wire(RecordingFile.json()),
                            NanoClock.SYSTEM,
                            new ObservedHere(NanoClock.SYSTEM, allowed.observeOnly(), launchList),
                            pace);
        };
    }

    private Facts facts(
            Set<Facts.Role> does, Allowance allowance, LaunchList launchList, String busy) {
        return new Facts(
                Version.text(),
                does,
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name")
                        + " "
                        + System.getProperty("os.arch")
                        + ", Java "
                        + Runtime.version().feature(),
                (int) LoadLimits.ports(),
                LoadLimits.maxConnections(),
                allowance.targets(),
                Stream.concat(
                                launchList.names().stream().map(n -> "launch=" + n),
                                allowed.observeOnly().stream())
                        .toList(),
                allowance.mostRate(),
                allowance.mostUsers(),
                busy);
    }
}
