package dev.jdyno.cli.agent;

import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cluster.Survey;
import dev.jdyno.cluster.ssh.SshAgents;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.text.UserError;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
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
            "Bring agents to hosts by ssh, start them, and trust their keys.",
            "",
            "Copies the package to each host, starts an agent there that knows the run's public key, and"
                    + " keeps the agent's key if it has the fingerprint that came back over ssh. Waits"
                    + " until all have proved their keys. Where one fails, nothing stays on any host."
                    + " KEY.up names what is up, so that jdyno agents down takes it away in any case.",
            "",
            "FILE has a line for each host: [USER@]HOST[:PORT] for ssh, and where its agent listens if"
                    + " that is not port 4711 of the same name. ssh asks nothing: the host's key must be"
                    + " known, and a key of yours accepted, as with ssh -oBatchMode=yes HOST."
        },
        footer = {
            "",
            "Example:",
            "  jdyno agents up --ssh hosts.txt --key-file run.key --allow shop:8080 \\",
            "      --package jdyno-0.1.0-linux-x64.tar.gz",
            "  jdyno run http://shop:8080/ --no-target --agents lg1,lg2 --key-file run.key",
            "  jdyno agents down --key-file run.key",
        })
final class UpCommand implements Callable<Integer> {
    @Option(names = "--ssh", paramLabel = "FILE", description = "The hosts.")
    private @Nullable Path hosts;

    @Option(
            names = "--k8s",
            paramLabel = "N",
            description = "Not there yet: apply deploy/kubernetes.yaml instead.")
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
            description = "What is brought: jdyno's self-contained package, of this version.")
    private @Nullable Path packed;

    @Mixin private AllowOptions allowed = new AllowOptions();

    @Option(
            names = "--ssh-config",
            paramLabel = "FILE",
            description = "Configuration of ssh, instead of ~/.ssh/config.")
    private @Nullable Path configuration;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        if (pods != null) {
            throw UserError.usage(
                    "jdyno agents up --k8s is not there yet",
                    "it brings agents to hosts of ssh only",
                    "apply deploy/kubernetes.yaml with kubectl, or give --ssh FILE");
        }
        var problems = Problems.ofCommand("jdyno agents up");
        if (hosts == null) {
            problems.add("--ssh", "missing", "give a file with a line USER@HOST for each host");
        }
        if (packed == null) {
            problems.add(
                    "--package",
                    "missing",
                    "give jdyno-VERSION-linux-x64.tar.gz, of a release or made by .ci/release");
        }
        allowed.check(problems);
        problems.throwIfAny();
        Path key = Objects.requireNonNull(keyFile);
        var wanted =
                new SshAgents.Wanted(
                        Objects.requireNonNull(hosts),
                        key,
                        Objects.requireNonNull(packed),
                        words(),
                        Optional.ofNullable(configuration));
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try (var interrupt = new Interrupt()) {
            Survey up;
            try {
                up =
                        new SshAgents(DownCommand.CLIENT, err::println, interrupt::isSet)
                                .up(wanted, NanoClock.SYSTEM);
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
