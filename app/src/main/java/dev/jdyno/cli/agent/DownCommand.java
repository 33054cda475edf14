package dev.jdyno.cli.agent;

import dev.jdyno.cluster.kubernetes.KubernetesAgents;
import dev.jdyno.cluster.ssh.SshAgents;
import dev.jdyno.measure.NanoClock;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Stops and removes the agents that `agents up` started.
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        description = {
            "End the agents that jdyno agents up started, and remove what it brought.",
            "",
            "Also after jdyno agents up was killed. A host that cannot be reached stays in KEY.up: run it"
                    + " again when the host is back, or remove its line if the host is gone. In a"
                    + " Kubernetes cluster, it deletes what has the label of this up, and nothing else."
        },
        footer = {"", "Example:", "  jdyno agents down --key-file run.key"})
final class DownCommand implements Callable<Integer> {
    /// Programs that are looked up on the PATH.
    static final String SSH = "ssh";

    static final String KUBECTL = "kubectl";

    @Option(
            names = "--key-file",
            required = true,
            paramLabel = "KEY",
            description = "The one that jdyno agents up got.")
    private @Nullable Path keyFile;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Path key = Objects.requireNonNull(keyFile);
        int down =
                KubernetesAgents.areOf(key)
                        ? new KubernetesAgents(KUBECTL, err::println, () -> false, NanoClock.SYSTEM)
                                .down(key)
                        : new SshAgents(SSH, err::println, () -> false).down(key);
        out.println(down + (down == 1 ? " agent is down" : " agents are down"));
        out.flush();
        return 0;
    }
}
