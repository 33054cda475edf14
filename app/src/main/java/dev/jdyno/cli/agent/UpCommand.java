package dev.jdyno.cli.agent;

import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.cluster.Survey;
import dev.jdyno.cluster.kubernetes.KubernetesAgents;
import dev.jdyno.cluster.kubernetes.WantedPods;
import dev.jdyno.cluster.ssh.SshAgents;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.text.UserError;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Starts agents on other hosts.
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Bring agents to hosts by ssh or to a Kubernetes cluster, and trust their keys.",
            "",
            "Waits until all agents have proved their keys. Where one fails, nothing stays anywhere."
                    + " KEY.up names what is up, so that jdyno agents down takes it away in any case.",
            "",
            "--ssh copies the package to each host, starts an agent there that knows the run's public"
                    + " key, and keeps the agent's key if it has the fingerprint that came back over"
                    + " ssh. FILE has a line for each host: [USER@]HOST[:PORT] for ssh, and where its"
                    + " agent listens if that is not port 4711 of the same name. ssh asks nothing: the"
                    + " host's key must be known, and a key of yours accepted, as with ssh"
                    + " -oBatchMode=yes HOST.",
            "",
            "--k8s creates an Indexed Job of N pods, a headless Service and a Secret with a private"
                    + " key for each agent, by your kubectl and its current context. This host must"
                    + " reach the pods' addresses without NAT, as a pod of the cluster does."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno agents up --ssh hosts.txt --key-file run.key --allow shop:8080 \\",
            "      --package jdyno-0.1.0-linux-x64.tar.gz",
            "  jdyno run http://shop:8080/ --no-target --agents lg1,lg2 --key-file run.key",
            "  jdyno agents down --key-file run.key",
            "  jdyno agents up --k8s 3 --namespace load --key-file run.key --allow shop:8080",
        })
final class UpCommand implements Callable<Integer> {
    private static final String HOSTS = "--ssh";
    private static final String PODS = "--k8s";

    @Option(names = HOSTS, paramLabel = "FILE", description = "The hosts.")
    private @Nullable Path hosts;

    @Option(names = PODS, paramLabel = "N", description = "Number of pods, each with one agent.")
    private @Nullable Integer pods;

    @Option(
            names = "--key-file",
            required = true,
            paramLabel = "KEY",
            description = "The run's private key; made where there is none. It stays on this host.")
    private @Nullable Path keyFile;

    @Option(
            names = "--package",
            paramLabel = "TAR.GZ",
            description =
                    "With --ssh: what is brought, jdyno's self-contained package of this version.")
    private @Nullable Path packed;

    @Mixin private AllowOptions allowed = new AllowOptions();

    @Option(
            names = LifeText.OPTION,
            paramLabel = "DURATION",
            defaultValue = LifeText.OF_PLACED,
            description =
                    "The agents end by themselves after this time, also without jdyno agents down."
                            + " From 1m to 720h. Default: ${DEFAULT-VALUE}")
    private String life = "";

    @Option(
            names = "--ssh-config",
            paramLabel = "FILE",
            description = "With --ssh: configuration of ssh, instead of ~/.ssh/config.")
    private @Nullable Path configuration;

    @Option(
            names = "--namespace",
            paramLabel = "X",
            description = "With --k8s: where the pods run. Default: the namespace of the context.")
    private @Nullable String namespace;

    @Option(
            names = "--image",
            paramLabel = "I",
            description =
                    "With --k8s: an image of this version. Default: ghcr.io/jdyno/jdyno:VERSION")
    private @Nullable String image;

    @Option(
            names = "--dry-run",
            description = "With --k8s: print the manifests, without keys, and create nothing.")
    private boolean dryRun;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        var problems = Problems.ofCommand("jdyno agents up");
        if ((hosts == null) == (pods == null)) {
            problems.add(
                    HOSTS + " | " + PODS,
                    hosts == null ? "neither is given" : "both are given",
                    "give --ssh with a file with a line USER@HOST for each host, or --k8s with the"
                            + " number of pods");
        }
        allowed.check(problems);
        // after a mistake nothing is started, so its value does not matter
        Duration time = LifeText.read(life, LifeText.MIN_OF_PLACED, problems).orElse(Duration.ZERO);
        return pods == null ? overSsh(time, problems) : inPods(pods, time, problems);
    }

    private int overSsh(Duration time, Problems problems) {
        if (hosts != null && packed == null) {
            problems.add(
                    "--package",
                    "missing",
                    "give jdyno-VERSION-linux-x64.tar.gz, of a release or made by .ci/release");
        }
        foreign(problems, PODS, "--namespace", namespace != null);
        foreign(problems, PODS, "--image", image != null);
        foreign(problems, PODS, "--dry-run", dryRun);
        problems.throwIfAny();
        Path key = Objects.requireNonNull(keyFile);
        var wanted =
                new SshAgents.Wanted(
                        Objects.requireNonNull(hosts),
                        key,
                        Objects.requireNonNull(packed),
                        words(),
                        time,
                        Optional.ofNullable(configuration));
        return up(
                key,
                interrupt ->
                        new SshAgents(DownCommand.SSH, err()::println, interrupt::isSet)
                                .up(wanted, NanoClock.SYSTEM));
    }

    private int inPods(int count, Duration time, Problems problems) {
        var wanted =
                new WantedPods(
                        count,
                        Optional.ofNullable(namespace),
                        Optional.ofNullable(image).orElseGet(Version::image),
                        allowed.allow(),
                        time);
        wanted.check(problems);
        foreign(problems, HOSTS, "--package", packed != null);
        foreign(problems, HOSTS, "--ssh-config", configuration != null);
        if (!allowed.observeOnly().isEmpty()) {
            problems.add(
                    "--observe-only",
                    "an agent in a pod of its own sees no JVM of a service",
                    "put an observer beside the service: deploy/kustomize shows how");
        }
        problems.throwIfAny();
        Path key = Objects.requireNonNull(keyFile);
        if (dryRun) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(KubernetesAgents.dryRun(wanted, key));
            out.flush();
            return 0;
        }
        return up(
                key,
                interrupt ->
                        new KubernetesAgents(
                                        DownCommand.KUBECTL,
                                        err()::println,
                                        interrupt::isSet,
                                        NanoClock.SYSTEM)
                                .up(wanted, key));
    }

    private static void foreign(Problems problems, String owner, String option, boolean given) {
        if (given) {
            problems.add(option, "it goes with " + owner, "leave it out");
        }
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /// Starts agents, and shows the running agents and the commands that use them.
    private int up(Path key, Function<Interrupt, Survey> bring) {
        PrintWriter out = spec.commandLine().getOut();
        try (var interrupt = new Interrupt()) {
            Survey up;
            try {
                up = bring.apply(interrupt);
            } catch (UserError failed) {
                if (interrupt.isSet()) {
                    return Interrupt.EXIT_CODE;
                }
                throw failed;
            }
            up.answers().forEach(a -> out.println(AgentsCommand.text(a)));
            String file = ShellText.word(key.toString());
            out.println(
                    "run with them: jdyno run URL --no-target --agents "
                            + up.answers().stream()
                                    .map(a -> a.agent().toString())
                                    .collect(Collectors.joining(","))
                            + " --key-file "
                            + file);
            out.println("take them down: jdyno agents down --key-file " + file);
            out.println("they end by themselves after " + life);
            out.flush();
        }
        return 0;
    }

    private List<String> words() {
        List<String> words = new ArrayList<>();
        allowed.allow().forEach(a -> words.addAll(List.of("--allow", a)));
        allowed.observeOnly().forEach(o -> words.addAll(List.of("--observe-only", o)));
        return words;
    }
}
