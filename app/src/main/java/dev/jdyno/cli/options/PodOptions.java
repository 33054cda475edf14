package dev.jdyno.cli.options;

import dev.jdyno.cli.terminal.Version;
import dev.jdyno.cluster.kubernetes.WantedObserver;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanValues;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The JVM under test in a Kubernetes pod.
public final class PodOptions {
    /// Replaces the file with the secret in a stored plan, because only the run's memory has the
    /// secret.
    public static final Path NO_FILE = Path.of("key-of-the-ended-run");

    /// Replaces the target in the plan until the port-forward exists.
    public static final Plan.TargetPlan LATER = PlanValues.observed("127.0.0.1", NO_FILE);

    private static final String POD = "--k8s";
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1");

    /// Options that need a way to the service other than the port-forward.
    private static final List<String> ELSEWHERE = List.of("--agents", "--drive");

    @Option(
            names = POD,
            paramLabel = "POD",
            description =
                    "Watch a JVM in this pod of Kubernetes, by your kubectl: an ephemeral container with"
                            + " jdyno agent is added to the pod, and the load goes through kubectl"
                            + " port-forward. The URL is that inside the pod.")
    private @Nullable String pod;

    @Option(
            names = "--namespace",
            paramLabel = "X",
            description =
                    "With --k8s: the namespace of the pod. Default: that of kubectl's context.")
    private @Nullable String namespace;

    @Option(
            names = "--container",
            paramLabel = "C",
            description = "With --k8s: the container of the JVM, if the pod has several.")
    private @Nullable String container;

    @Option(
            names = "--image",
            paramLabel = "I",
            description =
                    "With --k8s: the image of the observer; it must have this version of jdyno."
                            + " Default: ghcr.io/jdyno/jdyno:VERSION")
    private @Nullable String image;

    @Option(
            names = "--dry-run",
            description =
                    "With --k8s: read the pod, print the container and the commands, change nothing.")
    private boolean dryRun;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec verb;

    public boolean isGiven() {
        return pod != null;
    }

    public boolean isDryRun() {
        return dryRun;
    }

    /// Adds a mistake for each option that needs `--k8s` if it is not given, or that `--k8s`
    /// forbids.
    public void check(Problems problems) {
        if (pod == null) {
            OptionTexts.refuse(
                    verb,
                    List.of("--namespace", "--container", "--image", "--dry-run"),
                    "it goes with --k8s",
                    "leave it out, or add --k8s POD",
                    problems);
        } else {
            OptionTexts.refuse(
                    verb,
                    ELSEWHERE,
                    "given with --k8s, where only the port-forward leads to the service",
                    "leave it out",
                    problems);
            OptionTexts.refuse(
                    verb,
                    List.of("--frames"),
                    "given with --k8s, and the file is not sent to agents yet",
                    "leave it out",
                    problems);
            OptionTexts.refuse(
                    verb,
                    List.of("--key-file"),
                    "given with --k8s, which makes the keys",
                    "leave it out",
                    problems);
        }
    }

    /// The wanted observer; call it only if {@link #isGiven}.
    ///
    /// @param url of the service inside the pod
    public WantedObserver wanted(URI url, Problems problems) {
        String host = HttpUrl.host(url).orElse("");
        if (!LOOPBACK.contains(host)) {
            problems.add(
                    "--k8s",
                    "the URL's host is '" + host + "'",
                    "write the URL inside the pod, such as http://localhost:8080/");
        }
        var wanted =
                new WantedObserver(
                        pod == null ? "" : pod,
                        Optional.ofNullable(namespace),
                        Optional.ofNullable(container),
                        Optional.ofNullable(image).orElseGet(Version::image),
                        HttpUrl.port(url));
        wanted.check(problems);
        return wanted;
    }
}
