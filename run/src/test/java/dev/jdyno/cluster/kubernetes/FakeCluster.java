package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.Agent;
import dev.jdyno.cluster.Cluster;
import dev.jdyno.cluster.Listener;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The objects of a cluster with one namespace. Its nodes run real agents in this process, each at
/// its own loopback address and with the key in its pod's Secret.
final class FakeCluster implements AutoCloseable {
    static final String NAMESPACE = "load";
    static final String CONTEXT = "test";
    static final JsonMapper JSON = JsonMapper.builder().build();

    /// The simulated state of the pods of a job.
    enum Nodes {
        READY,
        /// No node has a free CPU.
        FULL,
        WITHOUT_IMAGE,
        /// The agents end at once.
        CRASH,
        /// No pod may be created.
        QUOTA,
        /// Another process has the address of each pod.
        STRANGER
    }

    /// An answer of the API that is an error.
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final int code;
        final String reason;

        Refused(int code, String reason, String message) {
            super(message);
            this.code = code;
            this.reason = reason;
        }
    }

    private final Path folder;
    private final Map<String, Map<String, ObjectNode>> objects = new TreeMap<>();
    private final List<Agent> agents = new ArrayList<>();
    private Nodes nodes = Nodes.READY;
    private int observerPort;
    private String observerLog = "";
    private Set<String> forbidden = Set.of();
    private Optional<Set<String>> allowed = Optional.empty();

    /// @param folder for the agents' keys
    FakeCluster(Path folder) {
        this.folder = folder;
        for (String kind : List.of("secrets", "services", "jobs", "pods", "events")) {
            objects.put(kind, new TreeMap<>());
        }
    }

    synchronized void nodes(Nodes now) {
        nodes = now;
    }

    /// @param verbs such as `delete secrets`
    synchronized void forbid(String... verbs) {
        forbidden = Set.of(verbs);
    }

    /// Forbids everything else.
    ///
    /// @param verbs such as `get pods/log`
    synchronized void allowOnly(Set<String> verbs) {
        allowed = Optional.of(verbs);
    }

    synchronized boolean may(String verb, String kind) {
        String right = verb + " " + kind;
        return !forbidden.contains(right) && allowed.map(a -> a.contains(right)).orElse(true);
    }

    private void require(String verb, String kind) {
        if (!may(verb, kind)) {
            throw new Refused(
                    403,
                    "Forbidden",
                    kind
                            + " is forbidden: User \"ci\" cannot "
                            + verb
                            + " resource \""
                            + kind
                            + "\" in API group \"\" in the namespace \""
                            + NAMESPACE
                            + "\"");
        }
    }

    synchronized ObjectNode create(String kind, String namespace, ObjectNode object) {
        require("create", kind);
        if (!namespace.equals(NAMESPACE)) {
            throw new Refused(404, "NotFound", "namespaces \"" + namespace + "\" not found");
        }
        put(kind, object);
        if (kind.equals("jobs")) {
            run(object);
        }
        return object;
    }

    private Map<String, ObjectNode> all(String kind) {
        return Objects.requireNonNull(objects.get(kind), kind);
    }

    private void put(String kind, ObjectNode object) {
        all(kind).put(object.path("metadata").path("name").stringValue(), object);
    }

    /// @param selector `NAME=VALUE` of a label; blank for all
    synchronized List<ObjectNode> list(String kind, String namespace, String selector) {
        require("list", kind);
        return namespace.equals(NAMESPACE)
                ? all(kind).values().stream().filter(o -> matches(o, selector)).toList()
                : List.of();
    }

    /// @param part subresource; blank for the object itself
    synchronized ObjectNode get(String kind, String name, String part) {
        require("get", part.isEmpty() ? kind : kind + "/" + part);
        ObjectNode object = all(kind).get(name);
        if (object == null) {
            throw new Refused(404, "NotFound", kind + " \"" + name + "\" not found");
        }
        return object;
    }

    private static boolean matches(JsonNode object, String selector) {
        String[] label = selector.split("=", 2);
        return selector.isBlank()
                || object.path("metadata")
                        .path("labels")
                        .path(label[0])
                        .asString("")
                        .equals(label[1]);
    }

    synchronized void delete(String kind, String name) {
        require("delete", kind);
        ObjectNode gone = all(kind).remove(name);
        if (gone == null) {
            throw new Refused(404, "NotFound", kind + " \"" + name + "\" not found");
        }
        if (kind.equals("jobs")) {
            all("pods").values().removeIf(p -> ownedBy(name, p));
            agents.forEach(Agent::close);
            agents.clear();
        }
    }

    /// The kind of a resource: `Job` of `jobs`.
    static String kind(String resource) {
        return resource.substring(0, 1).toUpperCase(Locale.ROOT)
                + resource.substring(1, resource.length() - 1);
    }

    private static boolean ownedBy(String job, JsonNode pod) {
        return pod.path("metadata")
                .path("ownerReferences")
                .path(0)
                .path("name")
                .asString("")
                .equals(job);
    }

    /// Names of all objects, such as `jobs/jdyno-0123456789abcdef`.
    synchronized List<String> all() {
        List<String> all = new ArrayList<>();
        objects.forEach((kind, of) -> of.keySet().forEach(name -> all.add(kind + "/" + name)));
        all.removeIf(n -> n.startsWith("events/"));
        return all;
    }

    /// Gives an object of another run to the cluster.
    synchronized void plant(String kind, String name, String label) {
        ObjectNode object = JSON.createObjectNode();
        object.put("apiVersion", kind.equals("jobs") ? "batch/v1" : "v1");
        object.put("kind", kind(kind));
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("name", name);
        metadata.put("namespace", NAMESPACE);
        metadata.putObject("labels").put(Placed.LABEL, label);
        put(kind, object);
    }

    /// Adds a pod that is not of a job.
    synchronized void pod(String json) {
        put("pods", (ObjectNode) JSON.readTree(json));
    }

    /// Adds an ephemeral container to a pod, and starts its agent if the nodes are ready.
    synchronized ObjectNode patched(String name, String part, JsonNode patch) {
        require("patch", "pods/" + part);
        ObjectNode pod = Objects.requireNonNull(all("pods").get(name), name);
        JsonNode container = patch.path("spec").path("ephemeralContainers").path(0);
        if (nodes == Nodes.QUOTA) {
            throw new Refused(
                    403,
                    "Forbidden",
                    "pods \"" + name + "\" is forbidden: violates PodSecurity \"restricted\"");
        }
        ((ObjectNode) pod.path("spec")).putArray("ephemeralContainers").add(container);
        ObjectNode status =
                ((ObjectNode) pod.path("status"))
                        .putArray("ephemeralContainerStatuses")
                        .addObject();
        status.put("name", container.path("name").stringValue());
        ObjectNode state = status.putObject("state");
        switch (nodes) {
            case READY, STRANGER -> {
                observer(container);
                state.putObject("running").put("startedAt", "2026-11-29T10:00:00Z");
            }
            case FULL -> state.putObject("waiting").put("reason", "ContainerCreating");
            case WITHOUT_IMAGE ->
                    state.putObject("waiting")
                            .put("reason", "ImagePullBackOff")
                            .put("message", "Back-off pulling image: pull access denied");
            case CRASH -> state.putObject("terminated").put("reason", "Error").put("exitCode", 2);
            case QUOTA -> throw new IllegalStateException("refused above");
        }
        return pod;
    }

    /// Starts the agent of an ephemeral container.
    private void observer(JsonNode container) {
        String run = argument(container, "--run-key=");
        var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        OwnKey own = OwnKey.generate();
        Agent agent =
                Cluster.agent(
                        Listener.open(
                                at,
                                nodes == Nodes.STRANGER ? OwnKey.generate() : own,
                                Set.of(new PeerKey(run))),
                        List::of);
        agents.add(agent);
        observerPort = agent.port();
        observerLog =
                "its key is " + own.open().fingerprint() + "\nagent 127.0.0.1:4711 is ready\n";
    }

    private static String argument(JsonNode container, String name) {
        for (JsonNode word : container.path("args")) {
            if (word.stringValue().startsWith(name)) {
                return word.stringValue().substring(name.length());
            }
        }
        throw new AssertionError(container + " has no " + name);
    }

    /// The port of this host at which the agent of the last ephemeral container listens.
    synchronized int observerPort() {
        return observerPort;
    }

    /// Begins to run the ephemeral container of a pod. Its agent is not ready.
    synchronized void begin(String name) {
        ObjectNode state =
                (ObjectNode)
                        Objects.requireNonNull(all("pods").get(name), name)
                                .path("status")
                                .path("ephemeralContainerStatuses")
                                .path(0)
                                .path("state");
        ObjectNode _ = state.removeAll();
        state.putObject("running");
    }

    /// Ends the agent of the ephemeral container of a pod.
    synchronized void end(String name) {
        JsonNode status =
                Objects.requireNonNull(all("pods").get(name), name)
                        .path("status")
                        .path("ephemeralContainerStatuses")
                        .path(0);
        ((ObjectNode) status)
                .putObject("state")
                .putObject("terminated")
                .put("exitCode", 0)
                .put("reason", "Completed");
    }

    /// The ephemeral containers of a pod.
    synchronized JsonNode ephemeral(String name) {
        return Objects.requireNonNull(all("pods").get(name), name)
                .path("spec")
                .path("ephemeralContainers")
                .deepCopy();
    }

    synchronized String log(String pod, String container) {
        require("get", "pods/log");
        return container.isEmpty() || observerLog.isEmpty()
                ? "jdyno: no image\u001b[2J of this version\n"
                : observerLog;
    }

    private void run(ObjectNode job) {
        String name = job.path("metadata").path("name").stringValue();
        if (nodes == Nodes.QUOTA) {
            event(
                    name,
                    "FailedCreate",
                    "Error creating: pods \"x\" is forbidden: exceeded quota: few");
            return;
        }
        JsonNode template = job.path("spec").path("template");
        for (int i = 0; i < job.path("spec").path("completions").intValue(); i++) {
            ObjectNode pod = JSON.createObjectNode();
            pod.put("apiVersion", "v1");
            pod.put("kind", "Pod");
            ObjectNode metadata = pod.putObject("metadata");
            metadata.put("name", name + "-" + i + "-x7k2p");
            metadata.put("namespace", NAMESPACE);
            metadata.set("labels", template.path("metadata").path("labels"));
            metadata.putObject("annotations")
                    .put("batch.kubernetes.io/job-completion-index", Integer.toString(i));
            ObjectNode owner = metadata.putArray("ownerReferences").addObject();
            owner.put("kind", "Job");
            owner.put("name", name);
            // kubectl logs takes the first container of the pod
            pod.set("spec", template.path("spec"));
            status(pod.putObject("status"), i, template.path("spec"));
            put("pods", pod);
        }
    }

    private void status(ObjectNode status, int index, JsonNode spec) {
        status.put("phase", nodes == Nodes.CRASH ? "Failed" : "Pending");
        ArrayNode conditions = status.putArray("conditions");
        switch (nodes) {
            case READY, STRANGER -> {
                status.put("phase", "Running");
                status.put("podIP", address(index, spec));
                conditions.addObject().put("type", "Ready").put("status", "True");
            }
            case FULL ->
                    conditions
                            .addObject()
                            .put("type", "PodScheduled")
                            .put("status", "False")
                            .put("reason", "Unschedulable")
                            .put("message", "0/3 nodes are available: 3 Insufficient cpu.");
            case WITHOUT_IMAGE ->
                    state(status)
                            .putObject("waiting")
                            .put("reason", "ImagePullBackOff")
                            .put("message", "Back-off pulling image: pull access denied");
            case CRASH ->
                    state(status).putObject("terminated").put("reason", "Error").put("exitCode", 2);
            case QUOTA -> throw new IllegalStateException("it has no pods");
        }
    }

    private static ObjectNode state(ObjectNode status) {
        return status.putArray("containerStatuses").addObject().putObject("state");
    }

    private void event(String object, String reason, String message) {
        ObjectNode event = JSON.createObjectNode();
        event.put("apiVersion", "v1");
        event.put("kind", "Event");
        event.putObject("metadata").put("name", "e1").put("namespace", NAMESPACE);
        event.putObject("involvedObject").put("name", object);
        event.put("type", "Warning").put("reason", reason).put("message", message);
        put("events", event);
    }

    /// Starts the agent of a pod.
    private String address(int index, JsonNode spec) {
        String secret =
                spec.path("volumes").path(0).path("secret").path("secretName").stringValue();
        String pem =
                Objects.requireNonNull(all("secrets").get(secret), secret)
                        .path("stringData")
                        .path(Integer.toString(index))
                        .stringValue();
        String run = argument(spec.path("containers").path(0), "--run-key=");
        OwnKey key = nodes == Nodes.STRANGER ? OwnKey.generate() : key(pem);
        Set<PeerKey> runs = Set.of(new PeerKey(run));
        while (true) {
            // another test may use the same address
            var random = ThreadLocalRandom.current();
            String host =
                    "127."
                            + random.nextInt(64, 255)
                            + "."
                            + random.nextInt(255)
                            + "."
                            + random.nextInt(1, 255);
            try {
                var at = new InetSocketAddress(InetAddress.ofLiteral(host), Manifests.PORT);
                agents.add(Cluster.agent(Listener.open(at, key, runs), List::of));
                return host;
            } catch (UserError taken) {
                // the address is in use: try the next one
            }
        }
    }

    private OwnKey key(String pem) {
        try {
            Path file = folder.resolve("agent.key");
            PrivateFiles.write(file, pem);
            return OwnKey.read(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        agents.forEach(Agent::close);
    }
}
