package dev.jdyno.cluster.kubernetes;

import static dev.jdyno.cluster.kubernetes.Kubectl.text;

import dev.jdyno.measure.text.Printable;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The state of the pod of one agent, as `kubectl` reports it.
///
/// @param index of the agent, from 0
/// @param name of the pod
/// @param address of a pod that is ready
/// @param reason why it waits or has failed, as {@link #sentence}; blank if that is not reported
/// @param cause the kind of the reason
record Pod(
        int index, String name, State state, Optional<String> address, String reason, Cause cause) {
    enum State {
        READY,
        WAITS,
        /// Waiting does not make the pod ready.
        FAILED
    }

    enum Cause {
        /// The node has no image for the container.
        IMAGE,
        OTHER
    }

    private static final String INDEX = "batch.kubernetes.io/job-completion-index";
    private static final int MAX_REASON = 400;
    static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
    private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,3}");
    private static final int LONGEST_ADDRESS = 45;

    /// An IPv4 address with all four numbers, or a text that can be an IPv6 address without a zone.
    private static final Pattern ADDRESS =
            Pattern.compile("(\\d{1,3}\\.){3}\\d{1,3}|[0-9a-fA-F.]*:[0-9a-fA-F:.]*");

    /// Reasons of a waiting container that concern its image.
    static final Set<String> OF_THE_IMAGE =
            Set.of(
                    "ErrImagePull",
                    "ImagePullBackOff",
                    "InvalidImageName",
                    "ErrImageNeverPull",
                    "ImageInspectError",
                    "RegistryUnavailable",
                    "SignatureValidationFailed");

    /// Reasons of a waiting container that time does not change. `ErrImagePull` is not one: the
    /// kubelet tries once more, and then waits in `ImagePullBackOff`.
    static final Set<String> HOPELESS =
            Set.of(
                    "ImagePullBackOff",
                    "InvalidImageName",
                    "ErrImageNeverPull",
                    "CreateContainerConfigError",
                    "CreateContainerError",
                    "RunContainerError");

    /// Reads the pods of a job. Other pods do not belong to this run, even if they have its label.
    ///
    /// @param list as `kubectl get pods` gives it
    /// @param count number of agents
    /// @return at most one for each agent
    static Collection<Pod> of(JsonNode list, String job, int count) {
        var pods = new TreeMap<Integer, Pod>();
        for (JsonNode pod : list.path("items")) {
            String index = text(pod.path("metadata").path("annotations").path(INDEX));
            String name = text(pod.path("metadata").path("name"));
            boolean ends = pod.path("metadata").has("deletionTimestamp");
            if (isOf(job, pod)
                    && !ends
                    && NAME.matcher(name).matches()
                    && NUMBER.matcher(index).matches()
                    && Integer.parseInt(index) < count) {
                pods.put(Integer.parseInt(index), of(Integer.parseInt(index), name, pod));
            }
        }
        return pods.values();
    }

    private static boolean isOf(String job, JsonNode pod) {
        for (JsonNode owner : pod.path("metadata").path("ownerReferences")) {
            if (text(owner.path("kind")).equals("Job") && text(owner.path("name")).equals(job)) {
                return true;
            }
        }
        return false;
    }

    private static Pod of(int index, String name, JsonNode pod) {
        JsonNode status = pod.path("status");
        JsonNode container = status.path("containerStatuses").path(0).path("state");
        String phase = text(status.path("phase"));
        if (phase.equals("Failed") || phase.equals("Succeeded")) {
            ContainerState.Ended ended = ContainerState.ended(container);
            String whole = sentence(text(status.path("reason")), text(status.path("message")));
            return new Pod(
                    index,
                    name,
                    State.FAILED,
                    Optional.empty(),
                    sentence(ended.how(), whole.isBlank() ? ended.why() : whole),
                    Cause.OTHER);
        }
        String address = text(status.path("podIP"));
        if (condition(status, "Ready").filter(c -> isTrue(c)).isPresent() && isAddress(address)) {
            return new Pod(index, name, State.READY, Optional.of(address), "", Cause.OTHER);
        }
        ContainerState.Waits waits = ContainerState.waits(container);
        String why = waits.reason();
        if (why.isBlank()) {
            why =
                    condition(status, "PodScheduled")
                            .filter(c -> !isTrue(c))
                            .map(c -> sentence(text(c.path("reason")), text(c.path("message"))))
                            .orElse("");
        }
        State state = waits.isHopeless() ? State.FAILED : State.WAITS;
        return new Pod(index, name, state, Optional.empty(), why, waits.cause());
    }

    /// True for a literal address. A name must not be looked up: its answer can be any host.
    private static boolean isAddress(String text) {
        if (text.length() > LONGEST_ADDRESS || !ADDRESS.matcher(text).matches()) {
            return false;
        }
        try {
            InetAddress _ = InetAddress.ofLiteral(text);
            return true;
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    private static Optional<JsonNode> condition(JsonNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (text(condition.path("type")).equals(type)) {
                return Optional.of(condition);
            }
        }
        return Optional.empty();
    }

    private static boolean isTrue(JsonNode condition) {
        return text(condition.path("status")).equals("True");
    }

    /// A reason with its message as one line of bounded length.
    static String sentence(String reason, String message) {
        String all =
                reason.isBlank() || message.isBlank() ? reason + message : reason + ": " + message;
        String line = Printable.plain(all);
        return line.length() <= MAX_REASON ? line : line.substring(0, MAX_REASON) + "…";
    }
}
