package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Credentials;
import dev.jdyno.cluster.Survey;
import dev.jdyno.cluster.key.KnownAgents;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.cluster.up.UpFile;
import dev.jdyno.cluster.up.UserProgram;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Creates agents as pods of a Kubernetes cluster, and deletes them again.
///
/// Each agent gets its own key pair, made here. The private key reaches the pod in a Secret. The
/// run accepts from a pod's address only the key of that pod. So neither an answer of the API nor a
/// pod with the same label can put another process in the agent's place.
public final class KubernetesAgents {
    /// Maximum time until all pods are ready. An autoscaler needs minutes for a new node.
    private static final Duration START_LIMIT = Duration.ofMinutes(10);

    /// Maximum time until nothing is left. An agent ends within 30 s, its pod within 40 s.
    private static final Duration STOP_LIMIT = Duration.ofMinutes(3);

    /// Number of queries for pods per query for events. Events matter only if pods are missing.
    private static final int LOOKS_PER_EVENTS = 5;

    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    private static final List<String> KINDS = List.of("jobs.batch", "services", "secrets");

    /// Subject of a message.
    private static final String SUBJECT = "agents in a cluster";

    private final Client.Source clients;
    private final Consumer<String> progress;
    private final BooleanSupplier stop;
    private final NanoClock clock;
    private final Duration look;
    private final Path account;

    /// @param program the Kubernetes client, `kubectl`
    /// @param progress receives a line for each step
    /// @param stop true takes down everything that was begun
    public KubernetesAgents(
            String program, Consumer<String> progress, BooleanSupplier stop, NanoClock clock) {
        this(Client.of(program), progress, stop, clock, Looks.PAUSE, ACCOUNT);
    }

    /// @param look interval at which the state of the pods is queried
    /// @param account folder in which a pod has its service account
    KubernetesAgents(
            Client.Source clients,
            Consumer<String> progress,
            BooleanSupplier stop,
            NanoClock clock,
            Duration look,
            Path account) {
        this.clients = clients;
        this.progress = progress;
        this.stop = stop;
        this.clock = clock;
        this.look = look;
        this.account = account;
    }

    /// The manifests that {@link #up} would create, with a placeholder for each private key.
    ///
    /// @param keyFile the run's key; a placeholder stands for its public key if there is none
    public static String dryRun(WantedPods wanted, Path keyFile) {
        String runKey =
                Files.exists(keyFile)
                        ? OwnKey.read(keyFile).open().text()
                        : "ed25519:RUN_PUBLIC_KEY";
        return Manifests.text(
                wanted,
                wanted.namespace(),
                "0".repeat(16),
                runKey,
                IntStream.range(0, wanted.count())
                        .mapToObj(i -> "PRIVATE_KEY_OF_AGENT_" + i)
                        .toList());
    }

    /// True if {@link #down} would take down the agents of this key, because they are in a cluster.
    public static boolean areOf(Path keyFile) {
        try {
            UpFile file = UpFile.beside(keyFile);
            return Files.exists(file.path())
                    && file.lines().stream().findFirst().filter(Placed.FORM::equals).isPresent();
        } catch (IOException unreadable) {
            return false; // taking them down reports why
        }
    }

    /// Creates the pods and waits until their agents have proved their keys. If one of them fails,
    /// all are deleted.
    ///
    /// @return the facts that they give about themselves
    /// @throws UserError with the pod that failed and why; nothing is left in the cluster
    public Survey up(WantedPods wanted, Path keyFile) {
        Kubectl kubectl = Kubectl.here(clients.stoppedBy(stop), wanted.namespace(), account);
        if (!WantedPods.isName(kubectl.namespace())) {
            throw UserError.usage(
                    "the namespace of kubectl's context is no name",
                    kubectl.namespace(),
                    "give --namespace");
        }
        permitted(kubectl);
        OwnKey key = OwnKey.readOrMake(keyFile);
        Placed placed = Placed.of(kubectl, wanted.count());
        UpFile file = UpFile.beside(keyFile);
        file.begin(placed.text());
        boolean up = false;
        try {
            Survey survey = created(kubectl, wanted, placed, key, keyFile);
            up = true;
            return survey;
        } finally {
            if (!up) {
                takenDownAfterAFailure(placed, file, keyFile);
            }
        }
    }

    /// The failure of `up` is the error that the user gets; this one is an additional line.
    private void takenDownAfterAFailure(Placed placed, UpFile file, Path keyFile) {
        try {
            takenDown(ofTakedown(placed), placed, file, keyFile, stop);
        } catch (UserError left) {
            progress.accept(left.what() + ": " + left.why() + "\n    " + left.fix());
        }
    }

    /// Deletes what {@link #up} created. If that fails, the file stays, for another attempt.
    ///
    /// @return number of agents that are down
    /// @throws UserError if there are none, they cannot be deleted, or the context is of another
    ///   cluster now
    public int down(Path keyFile) {
        UpFile file = UpFile.beside(keyFile);
        Placed placed = Placed.read(file);
        Kubectl kubectl = ofTakedown(placed);
        kubectl.mustBeOfTheSameCluster(account);
        takenDown(kubectl, placed, file, keyFile, () -> false);
        return placed.count();
    }

    /// Before anything is created, checks the user's permissions for waiting and for taking down.
    private static void permitted(Kubectl kubectl) {
        List<List<String>> needed =
                Stream.concat(
                                Stream.of(List.of("list", "pods")),
                                KINDS.stream()
                                        .flatMap(kind ->
                                                Stream.of("create", "list", "delete")
                                                        .map(verb -> List.of(verb, kind))))
                        .toList();
        var problems = new Problems();
        List<Boolean> _ =
                Survey.together(
                        needed,
                        n -> {
                            if (!kubectl.may(n.get(0), n.get(1))) {
                                throw UserError.usage(
                                        "namespace " + kubectl.namespace(),
                                        "you may not " + n.get(0) + " " + n.get(1),
                                        "ask for a role with this right, or give another"
                                                + " --namespace");
                            }
                            return true;
                        },
                        problems);
        problems.throwIfAny("the use of the cluster");
    }

    private Survey created(
            Kubectl kubectl, WantedPods wanted, Placed placed, OwnKey key, Path keyFile) {
        List<OwnKey> keys = Stream.generate(OwnKey::generate).limit(placed.count()).toList();
        UserProgram.Answer _ =
                kubectl.must(
                        "cannot create agents",
                        Manifests.text(wanted, placed, key.open(), keys),
                        // not apply, which would copy the keys into an annotation; the fields are
                        // checked by our tests, and the schemas would be fetched for each command
                        List.of("create", "--filename=-", "--validate=false"));
        progress.accept(
                placed.count()
                        + (placed.count() == 1 ? " pod" : " pods")
                        + " of "
                        + placed.name()
                        + " created in namespace "
                        + placed.namespace());
        Collection<Pod> pods = ready(kubectl, placed);
        List<AgentAddress> agents = new ArrayList<>();
        Map<String, PeerKey> shown = new TreeMap<>();
        for (Pod pod : pods) {
            var agent = new AgentAddress(pod.address().orElseThrow(), Manifests.PORT);
            var named = new AgentAddress(placed.host(pod.index()), Manifests.PORT);
            agents.add(agent);
            shown.put(agent.toString(), keys.get(pod.index()).open());
            shown.put(named.toString(), keys.get(pod.index()).open());
        }
        if (agents.stream().distinct().count() < agents.size()) {
            throw UserError.target(
                    "pods of " + placed.name() + " have the same address",
                    "each agent needs an address of its own",
                    "use a cluster that gives each pod an address");
        }
        KnownAgents known = KnownAgents.read(Credentials.agentKeysOf(keyFile)).withAll(shown);
        var problems = new Problems();
        Survey survey = Survey.of(agents, Credentials.of(key, known), problems, clock);
        if (!problems.isEmpty()) {
            Problems.Problem first = problems.list().getFirst();
            throw UserError.target(
                    problems.list().size()
                            + " of "
                            + placed.count()
                            + " agents do not answer, and their pods are ready",
                    first.where() + ": " + first.what(),
                    "run jdyno in a pod of this cluster, or on a host that routes to the addresses"
                            + " of pods without NAT; give --image of this version of jdyno");
        }
        return survey;
    }

    /// Waits until the pods of all agents are ready.
    private Collection<Pod> ready(Kubectl kubectl, Placed placed) {
        long start = clock.nanos();
        String reported = "";
        // the kubelet does not repeat the failure of a pull while it waits
        Map<String, String> pulls = new HashMap<>();
        String missing = "";
        for (int looks = 0; ; looks++) {
            if (stop.getAsBoolean()) {
                throw Looks.interrupted(SUBJECT);
            }
            Collection<Pod> pods =
                    Pod.of(
                            kubectl.get(
                                    "cannot look at the pods", List.of("pods", placed.selector())),
                            placed.name(),
                            placed.count());
            for (Pod pod : pods) {
                if (pod.state() == Pod.State.FAILED) {
                    throw failed(kubectl, pod, pulls.getOrDefault(pod.name(), pod.reason()));
                }
                if (pod.cause() == Pod.Cause.IMAGE) {
                    pulls.put(pod.name(), pod.reason());
                }
            }
            long ready = pods.stream().filter(p -> p.state() == Pod.State.READY).count();
            if (ready == placed.count()) {
                return pods;
            }
            if (looks % LOOKS_PER_EVENTS == LOOKS_PER_EVENTS - 1) {
                missing = missing(kubectl, placed, pods);
            }
            String why =
                    pods.stream()
                            .filter(p -> !p.reason().isBlank())
                            .findFirst()
                            .map(p -> p.name() + " waits: " + p.reason())
                            .orElse(missing);
            String now =
                    ready
                            + " of "
                            + placed.count()
                            + " pods are ready"
                            + (why.isBlank() ? "" : "; " + why);
            if (!now.equals(reported)) {
                progress.accept(now);
                reported = now;
            }
            if (clock.secondsSince(start) > START_LIMIT.toSeconds()) {
                throw UserError.target(
                        "pods do not become ready in " + START_LIMIT.toMinutes() + " min",
                        now,
                        "make room in the cluster or raise its quota, or give a smaller N;"
                                + " --dry-run shows what each pod requests");
            }
            Looks.pause(look, SUBJECT);
        }
    }

    /// The last warning event about missing pods, whose own state does not give the reason; blank
    /// if there is none.
    private static String missing(Kubectl kubectl, Placed placed, Collection<Pod> pods) {
        String object =
                pods.size() < placed.count()
                        ? placed.name()
                        : pods.stream()
                                .filter(p -> p.state() == Pod.State.WAITS)
                                .findFirst()
                                .map(Pod::name)
                                .orElse(placed.name());
        return kubectl.warnings(object).stream().findFirst().map(w -> object + ": " + w).orElse("");
    }

    /// @param pull reason why the pod has no image, if that is the cause of its failure
    private static UserError failed(Kubectl kubectl, Pod pod, String pull) {
        if (pod.cause() == Pod.Cause.IMAGE) {
            return Looks.noImage(pod.name(), pull, "the nodes", "the namespace");
        }
        return UserError.target(
                "pod " + pod.name() + " does not start",
                pod.reason() + Looks.lastLine(Looks.log(kubectl, pod.name(), "--tail=5")),
                "correct that, and run it again; give --image of this version of jdyno");
    }

    /// Ctrl-C must not end the commands that take down the agents, because Ctrl-C may have started
    /// the taking down.
    private Kubectl ofTakedown(Placed placed) {
        return new Kubectl(
                clients.stoppedBy(() -> false),
                placed.context(),
                placed.server(),
                placed.namespace());
    }

    /// @param hurry true ends the wait, because this process ends before the pods do. The file
    ///   stays, so that `down` can look.
    private void takenDown(
            Kubectl kubectl, Placed placed, UpFile file, Path keyFile, BooleanSupplier hurry) {
        UserProgram.Answer _ =
                kubectl.must(
                        "cannot delete agents",
                        "",
                        List.of(
                                "delete",
                                String.join(",", KINDS),
                                placed.selector(),
                                "--ignore-not-found",
                                "--wait=false"));
        long start = clock.nanos();
        while (true) {
            if (hurry.getAsBoolean()) {
                progress.accept(
                        placed.name()
                                + ": deleted; pods end within 40 s; jdyno agents down --key-file "
                                + keyFile
                                + " checks");
                return;
            }
            List<String> left = left(kubectl, placed);
            if (left.isEmpty()) {
                break;
            }
            if (clock.secondsSince(start) > STOP_LIMIT.toSeconds()) {
                throw UserError.target(
                        "agents are not down after " + STOP_LIMIT.toMinutes() + " min",
                        "these are left: " + String.join(", ", left),
                        "run jdyno agents down again, or: " + placed.byHand());
            }
            Looks.pause(look, SUBJECT);
        }
        forget(placed, keyFile);
        file.delete();
        progress.accept(placed.name() + ": nothing is left in namespace " + placed.namespace());
    }

    private static List<String> left(Kubectl kubectl, Placed placed) {
        String all = String.join(",", KINDS) + ",pods";
        List<String> left = new ArrayList<>();
        kubectl.get("cannot look at what is left", List.of(all, placed.selector()))
                .path("items")
                .forEach(o ->
                        left.add(
                                Pod.sentence(
                                        Kubectl.text(o.path("kind"))
                                                + " "
                                                + Kubectl.text(o.path("metadata").path("name")),
                                        "")));
        return left;
    }

    /// Removes the keys of these agents from the file, because other pods may get their addresses.
    private static void forget(Placed placed, Path keyFile) {
        KnownAgents known = KnownAgents.read(Credentials.agentKeysOf(keyFile));
        Set<PeerKey> gone =
                known.keys().entrySet().stream()
                        .filter(e -> e.getKey().startsWith(placed.name() + "-"))
                        .map(Map.Entry::getValue)
                        .collect(Collectors.toSet());
        if (!gone.isEmpty()) {
            KnownAgents _ = known.without(gone);
        }
    }
}
