package dev.jdyno.cli.agent;

import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.cluster.Agent;
import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Duty;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.HeapGuard;
import dev.jdyno.cluster.Listener;
import dev.jdyno.cluster.Token;
import dev.jdyno.cluster.load.Allowance;
import dev.jdyno.cluster.load.LoadDuty;
import dev.jdyno.inside.remote.ObserveDuty;
import dev.jdyno.inside.remote.Wire;
import dev.jdyno.load.LoadLimits;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Explaining;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.PlanValues;
import dev.jdyno.trial.ObservedHere;
import dev.jdyno.trial.recording.RecordingFile;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// A process that sends load for a `jdyno run` on another host, or observes a JVM for it.
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Wait for a jdyno run on another host: send the share of its load that it asks for (run"
                    + " --agents), or observe a JVM of this host for it (run --observe).",
            "Only who holds the same token is answered. The load ends within 2 s when the run is not heard"
                    + " any more."
        },
        footer = {
            "",
            "Examples:",
            "  umask 077; openssl rand -hex 32 > token      (once; copy it to every host)",
            "  jdyno agent --listen 10.0.0.7:4711 --token-file token --allow shop:8080",
            "  jdyno agent --listen 10.0.0.5:4711 --token-file token --role observe",
        })
public final class AgentCommand implements Callable<Integer> {
    @Option(
            names = "--listen",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Where: an address of this host; port 0 is a free one.")
    private String listen = "";

    @Option(
            names = "--token-file",
            required = true,
            paramLabel = "FILE",
            description =
                    "One line of at least 32 characters, the same on every host; only you may read it.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--role",
            split = ",",
            paramLabel = "ROLE",
            description = "What it does: load, observe, or load,observe (default).")
    private List<String> roles = List.of("load", "observe");

    @Option(
            names = "--allow",
            split = ",",
            paramLabel = "HOST:PORT",
            description =
                    "What may be loaded, as its URL names it; may be repeated. Default: what listens on"
                            + " this host's loopback device.")
    private List<String> allow = List.of();

    @Option(
            names = "--max-rate",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Requests per second at most. Default: ${DEFAULT-VALUE}")
    private double mostRate;

    @Option(
            names = "--max-users",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Connections at most. Default: ${DEFAULT-VALUE}")
    private int mostUsers;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        var problems = new Problems();
        Optional<InetSocketAddress> at = address(problems);
        Optional<Token> token =
                Optional.ofNullable(tokenFile)
                        .flatMap(f -> Token.read("--token-file", f, problems));
        for (String target : allow) {
            try {
                String _ = PlanValues.hostAndPort(target);
            } catch (IllegalArgumentException e) {
                problems.add("--allow", String.valueOf(e.getMessage()), "write HOST:PORT");
            }
        }
        if (!(mostRate > 0) || Double.isInfinite(mostRate)) {
            problems.add("--max-rate", mostRate + " is no rate", "write a number above 0");
        }
        if (mostUsers < 1) {
            problems.add("--max-users", mostUsers + " is less than 1", "write a whole number");
        }
        Set<Facts.Role> does = roles(problems);
        problems.throwIfAny("the command line");
        var allowance = new Allowance(allow, mostRate, mostUsers);
        PrintWriter out = spec.commandLine().getOut();
        try (var interrupt = new Interrupt();
                Listener listener = Listener.open(at.orElseThrow(), token.orElseThrow());
                Agent agent =
                        Agent.start(
                                listener,
                                busy -> facts(does, allowance, busy),
                                () -> does.stream().map(role -> duty(role, allowance)).toList(),
                                new Printed(out, spec.commandLine().getErr()),
                                NanoClock.SYSTEM);
                HeapGuard _ = HeapGuard.start(why -> end(agent, why))) {
            out.println(
                    "agent "
                            + new AgentAddress(at.get().getHostString(), agent.port())
                            + " is ready");
            out.flush();
            interrupt.await();
        }
        return 0;
    }

    /// A process without memory cannot work; its run hears why.
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
        return all;
    }

    private static Duty duty(Facts.Role role, Allowance allowance) {
        return switch (role) {
            case LOAD -> new LoadDuty(allowance, NanoClock.SYSTEM);
            case OBSERVE ->
                    new ObserveDuty(
                            new Wire(RecordingFile.json()),
                            NanoClock.SYSTEM,
                            new ObservedHere(NanoClock.SYSTEM));
        };
    }

    private static Facts facts(Set<Facts.Role> does, Allowance allowance, String busy) {
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
                LoadLimits.mostConnections(),
                allowance.targets(),
                allowance.mostRate(),
                allowance.mostUsers(),
                busy);
    }

    /// A line for each run that it works for.
    private record Printed(PrintWriter out, PrintWriter err) implements Agent.Witness {
        @Override
        public void joined(String run) {
            say("works for run " + run);
        }

        @Override
        public void left(String run, Agent.Left why) {
            say(
                    "run "
                            + run
                            + switch (why) {
                                case ENDED -> " has ended";
                                case SILENT -> " is not heard any more: its load is ended";
                                case FAILED -> " is left: its load here is ended";
                            });
        }

        @Override
        public void failed(String run, Throwable why) {
            UserError says = Explaining.failure("it worked as an agent", why);
            err.println(
                    (run.isEmpty() ? "" : "run " + run + ": ") + says.what() + ": " + says.why());
            err.flush();
        }

        private void say(String line) {
            out.println(line);
            out.flush();
        }
    }
}
