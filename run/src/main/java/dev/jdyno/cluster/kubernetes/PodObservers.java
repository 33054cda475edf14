package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Credentials;
import dev.jdyno.cluster.Survey;
import dev.jdyno.cluster.key.KnownAgents;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.cluster.up.ReadyLines;
import dev.jdyno.cluster.up.UserProgram;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// Places observers in pods, as ephemeral containers, by the user's `kubectl`.
///
/// The run's key exists only here. The agent makes its own; its fingerprint comes from the log of
/// its container, and only a key with that fingerprint is accepted.
public final class PodObservers {
    /// Maximum time until the agent is ready, which includes the pull of its image.
    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    /// Maximum time to wait for the end of the container after its run.
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    private static final int ID_BYTES = 4;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String HOST = "127.0.0.1";

    /// Name of the file of keys in messages. There is no such file.
    private static final Path NO_FILE = Path.of("no-file");

    private static final String PATCH = "--subresource=ephemeralcontainers";

    /// Subject of a message.
    private static final String SUBJECT = "an observer in a pod";

    /// A permission that the user needs: a verb for pods or a part of them.
    private record Right(String verb, String part) {
        @Override
        public String toString() {
            return verb + " pods" + (part.isEmpty() ? "" : "/" + part);
        }
    }

    private static final List<Right> RIGHTS =
            List.of(
                    new Right("get", ""),
                    new Right("get", "log"),
                    new Right("get", "ephemeralcontainers"),
                    new Right("patch", "ephemeralcontainers"),
                    new Right("create", "portforward"));

    private final Client.Source clients;
    private final PortForward.Opening forwards;
    private final Consumer<String> progress;
    private final BooleanSupplier stop;
    private final NanoClock clock;
    private final Duration look;
    private final Path account;

    /// @param program the Kubernetes client, `kubectl`
    /// @param progress receives a line for each step
    /// @param stop true ends the waiting
    public PodObservers(
            String program, Consumer<String> progress, BooleanSupplier stop, NanoClock clock) {
        this(
                Client.of(program),
                KubectlForward.by(program, stop),
                progress,
                stop,
                clock,
                Looks.PAUSE,
                ACCOUNT);
    }

    /// @param look interval at which the state of the pod is queried
    /// @param account folder in which a pod has its service account
    PodObservers(
            Client.Source clients,
            PortForward.Opening forwards,
            Consumer<String> progress,
            BooleanSupplier stop,
            NanoClock clock,
            Duration look,
            Path account) {
        this.clients = clients;
        this.forwards = forwards;
        this.progress = progress;
        this.stop = stop;
        this.clock = clock;
        this.look = look;
        this.account = account;
    }

    /// The commands that {@link #place} would run, and the container. Reads the pod and changes
    /// nothing.
    ///
    /// @throws UserError if the pod cannot be observed
    public String dryRun(WantedObserver wanted) {
        Kubectl kubectl = kubectl(wanted);
        ObservedPod pod = look(kubectl, wanted);
        String place = "kubectl " + String.join(" ", kubectl.place()) + " ";
        String container = name();
        return "# "
                + place
                + "patch pod "
                + pod.name()
                + " "
                + PATCH
                + " --patch=…\n"
                + ObserverContainer.pretty(
                        ObserverContainer.patch(container, pod, wanted, OwnKey.generate().open()))
                + "\n# "
                + place
                + "logs "
                + pod.name()
                + " --container="
                + container
                + "\n# "
                + place
                + String.join(" ", KubectlForward.words(pod.name(), ports(wanted)))
                + "\n";
    }

    /// Adds the container, waits until its agent is ready, and forwards ports to it and the
    /// service.
    ///
    /// @throws UserError with the step that failed and why
    public PodObserver place(WantedObserver wanted) {
        Kubectl kubectl = kubectl(wanted);
        permitted(kubectl);
        ObservedPod pod = look(kubectl, wanted);
        OwnKey key = OwnKey.generate();
        String container = name();
        add(
                kubectl,
                pod.name(),
                ObserverContainer.patch(container, pod, wanted, key.open()).toString());
        progress.accept(
                "container "
                        + container
                        + " added to pod "
                        + pod.name()
                        + "; Kubernetes cannot remove it from there; it ends after the run, or after "
                        + PodObserver.FIRST_RUN_MIN
                        + " min without one");
        String fingerprint = ready(kubectl, pod.name(), container);
        PortForward forward = forwards.to(kubectl.place(), pod.name(), ports(wanted));
        try {
            var agent = new AgentAddress(HOST, forward.local(ObserverContainer.PORT));
            return new PodObserver(
                    pod,
                    container,
                    agent,
                    trusted(key, agent, fingerprint),
                    wanted.port(),
                    forward,
                    () -> hasEnded(kubectl, pod.name(), container),
                    progress);
        } catch (RuntimeException notTrusted) {
            forward.close();
            throw notTrusted;
        }
    }

    private Kubectl kubectl(WantedObserver wanted) {
        Kubectl kubectl = Kubectl.here(clients.stoppedBy(stop), wanted.namespace(), account);
        if (!WantedPods.isName(kubectl.namespace())) {
            throw UserError.usage(
                    "the namespace of kubectl's context is no name",
                    kubectl.namespace(),
                    "give --namespace");
        }
        return kubectl;
    }

    private static List<Integer> ports(WantedObserver wanted) {
        return List.of(wanted.port(), ObserverContainer.PORT);
    }

    /// Returns a new name, because the containers of earlier runs stay in the pod.
    private static String name() {
        byte[] random = new byte[ID_BYTES];
        RANDOM.nextBytes(random);
        return "jdyno-" + HexFormat.of().formatHex(random);
    }

    private static void permitted(Kubectl kubectl) {
        var problems = new Problems();
        List<Boolean> _ =
                Survey.together(
                        RIGHTS,
                        right -> {
                            boolean may =
                                    right.part().isEmpty()
                                            ? kubectl.may(right.verb(), "pods")
                                            : kubectl.may(right.verb(), "pods", right.part());
                            if (!may) {
                                throw UserError.usage(
                                        "namespace " + kubectl.namespace(),
                                        "you may not " + right,
                                        "ask for a role with this right, or give another"
                                                + " --namespace");
                            }
                            return true;
                        },
                        problems);
        problems.throwIfAny("the use of the cluster");
    }

    private static ObservedPod look(Kubectl kubectl, WantedObserver wanted) {
        UserProgram.Answer answer =
                kubectl.run("", List.of("get", "pod", wanted.pod(), "--output=json"));
        if (answer.code() != 0) {
            String said = answer.lastError();
            if (said.contains("pods \"") && said.contains("not found")) {
                throw UserError.usage(
                        "there is no pod " + wanted.pod() + " in namespace " + kubectl.namespace(),
                        said,
                        "choose one: kubectl --namespace=" + kubectl.namespace() + " get pods");
            }
            throw kubectl.refused("cannot look at pod " + wanted.pod(), said);
        }
        return ObservedPod.of(Kubectl.tree(answer), wanted);
    }

    private static void add(Kubectl kubectl, String pod, String patch) {
        UserProgram.Answer answer =
                kubectl.run(
                        "",
                        List.of("patch", "pod", pod, PATCH, "--patch=" + patch, "--output=name"));
        if (answer.code() == 0) {
            return;
        }
        if (answer.errors().contains("invalid subresource")
                || answer.errors().contains("unknown flag")) {
            throw UserError.usage(
                    "kubectl is too old",
                    Pod.sentence("", answer.errors().lines().findFirst().orElse("")),
                    "use kubectl 1.32 or later");
        }
        String said = answer.lastError();
        if (said.contains("(") || said.contains("is invalid")) { // the API answered: (Forbidden)
            throw UserError.usage(
                    "pod " + pod + " takes no ephemeral container",
                    said,
                    "see what the namespace allows (its Pod Security Standard, its admission"
                            + " rules); the cluster must be of 1.25 or later");
        }
        throw kubectl.refused("cannot add a container to pod " + pod, said);
    }

    /// Waits until the agent is ready.
    ///
    /// @return the fingerprint of its key
    private String ready(Kubectl kubectl, String pod, String container) {
        long start = clock.nanos();
        String said = "";
        // the kubelet does not repeat the failure of a pull while it waits
        String pull = "";
        while (true) {
            if (stop.getAsBoolean()) {
                throw Looks.interrupted(SUBJECT);
            }
            String now = "";
            switch (ContainerState.ofEphemeral(pod(kubectl, pod), container)) {
                case ContainerState.Runs() -> {
                    UserProgram.Answer log = log(kubectl, pod, container);
                    Optional<String> fingerprint = ReadyLines.fingerprint(log.text());
                    if (log.code() == 0 && fingerprint.isPresent()) {
                        return fingerprint.get();
                    }
                    now = log.code() == 0 ? "" : "runs; " + Looks.unreadable(log);
                }
                case ContainerState.Waits(String reason, Pod.Cause cause, boolean isHopeless) -> {
                    if (isHopeless) {
                        throw cause == Pod.Cause.IMAGE
                                ? noImage(pod, pull.isEmpty() ? reason : pull)
                                : notStarted(pod, container, reason);
                    }
                    pull = cause == Pod.Cause.IMAGE ? reason : pull;
                    now = reason.isBlank() ? "" : "waits: " + reason;
                }
                case ContainerState.Ended(String how, String why) ->
                        throw notStarted(
                                pod,
                                container,
                                Pod.sentence(how, why)
                                        + Looks.lastLine(log(kubectl, pod, container)));
            }
            if (!now.isEmpty() && !now.equals(said)) {
                progress.accept("container " + container + " " + now);
            }
            said = now;
            if (clock.secondsSince(start) > START_LIMIT.toSeconds()) {
                throw notStarted(
                        pod,
                        container,
                        "it is not ready after "
                                + START_LIMIT.toMinutes()
                                + " min"
                                + (now.isEmpty() ? "" : "; it " + now));
            }
            Looks.pause(look, SUBJECT);
        }
    }

    private static JsonNode pod(Kubectl kubectl, String pod) {
        return kubectl.get("cannot look at pod " + pod, List.of("pod", pod));
    }

    private static UserProgram.Answer log(Kubectl kubectl, String pod, String container) {
        return Looks.log(kubectl, pod, "--container=" + container);
    }

    private static UserError noImage(String pod, String why) {
        return Looks.noImage(pod, why, "the node", "the pod");
    }

    private static UserError notStarted(String pod, String container, String why) {
        return UserError.target(
                "container " + container + " of pod " + pod + " does not start",
                why,
                "correct that, and run it again; give --image of this version of jdyno");
    }

    /// The identity that the run shows to the agent, with the keys that it accepts from it.
    private static Credentials trusted(OwnKey key, AgentAddress agent, String fingerprint) {
        Credentials asking = Credentials.of(key, new KnownAgents(NO_FILE, Map.of()));
        PeerKey shown = asking.shownBy(agent);
        if (!shown.fingerprint().equals(fingerprint)) {
            throw UserError.target(
                    "another process answers in place of the agent",
                    "its key is "
                            + shown.fingerprint()
                            + ", and the log of the container has "
                            + fingerprint,
                    "see which process of the pod listens on port " + ObserverContainer.PORT);
        }
        return Credentials.of(key, new KnownAgents(NO_FILE, Map.of(agent.toString(), shown)));
    }

    /// Waits for the end of the container.
    ///
    /// @return false if it has not ended in time, or the wait is stopped
    private boolean hasEnded(Kubectl kubectl, String pod, String container) {
        long start = clock.nanos();
        while (!stop.getAsBoolean() && clock.secondsSince(start) < STOP_LIMIT.toSeconds()) {
            if (ContainerState.ofEphemeral(pod(kubectl, pod), container)
                    instanceof ContainerState.Ended) {
                return true;
            }
            Looks.pause(look, SUBJECT);
        }
        return false;
    }
}
