package dev.jdyno.cluster.kubernetes;

import static dev.jdyno.cluster.kubernetes.Kubectl.text;

import dev.jdyno.measure.text.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/// A running pod, with the properties that an observer in it needs.
///
/// @param container container of the JVM
/// @param account of the observer
record ObservedPod(String name, String container, Account account) {
    /// Maximum number of a user or a group in Linux' container runtimes.
    private static final long MAX_ID = Integer.MAX_VALUE;

    /// The user of the observer. On Linux, a process may observe another one if user and group are
    /// the same, or with a capability.
    sealed interface Account {
        /// The user of the JVM, without any capability.
        ///
        /// @param group empty for the one that the observer's image has for the user
        record Same(long user, OptionalLong group) implements Account {}

        /// The superuser with `SYS_PTRACE`, because the pod does not state the user of the JVM.
        record Root() implements Account {}
    }

    /// Reads a pod.
    ///
    /// @param pod as `kubectl get pod` gives it
    /// @throws UserError if it does not run, the container is not clear, or no observer can look
    ///   into it
    static ObservedPod of(JsonNode pod, WantedObserver wanted) {
        requireRunning(wanted.pod(), pod);
        JsonNode container = container(pod, wanted);
        String name = text(container.path("name"));
        requireRunning(wanted.pod(), name, pod.path("status"));
        return new ObservedPod(
                wanted.pod(),
                name,
                account(
                        wanted.pod(),
                        container.path("securityContext"),
                        pod.path("spec").path("securityContext")));
    }

    private static void requireRunning(String name, JsonNode pod) {
        String phase = text(pod.path("status").path("phase"));
        boolean ends = pod.path("metadata").has("deletionTimestamp");
        if (ends || !phase.equals("Running")) {
            throw UserError.usage(
                    "pod " + name + " does not run",
                    ends ? "it is being deleted" : "its phase is " + Pod.sentence(phase, ""),
                    "choose one that runs: kubectl get pods");
        }
    }

    private static JsonNode container(JsonNode pod, WantedObserver wanted) {
        List<JsonNode> all = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (JsonNode container : pod.path("spec").path("containers")) {
            String name = text(container.path("name"));
            if (WantedPods.isName(name)) {
                all.add(container);
                names.add(name);
            }
        }
        if (wanted.container().isPresent()) {
            int at = names.indexOf(wanted.container().get());
            if (at < 0) {
                throw UserError.usage(
                        "pod " + wanted.pod() + " has no container " + wanted.container().get(),
                        "it has " + list(names),
                        "give one of them with --container");
            }
            return all.get(at);
        }
        if (all.size() != 1) {
            throw UserError.usage(
                    "pod "
                            + wanted.pod()
                            + " has "
                            + (all.isEmpty() ? "no container" : "several containers"),
                    "it has " + list(names),
                    "give the JVM's with --container");
        }
        return all.getFirst();
    }

    private static String list(List<String> names) {
        return names.isEmpty()
                ? "none that can be named"
                : Pod.sentence(String.join(", ", names), "");
    }

    private static void requireRunning(String pod, String container, JsonNode status) {
        for (JsonNode one : status.path("containerStatuses")) {
            if (text(one.path("name")).equals(container) && one.path("state").has("running")) {
                return;
            }
        }
        throw UserError.target(
                "container " + container + " of pod " + pod + " does not run",
                "it waits, or has ended",
                "see why: kubectl describe pod " + pod);
    }

    private static Account account(String pod, JsonNode container, JsonNode whole) {
        OptionalLong user = id(pod, "runAsUser", container, whole);
        OptionalLong group = id(pod, "runAsGroup", container, whole);
        if (user.isPresent() && user.getAsLong() != 0) {
            return new Account.Same(user.getAsLong(), group);
        }
        boolean notRoot = of("runAsNonRoot", container, whole).asBoolean(false);
        if (user.isEmpty() && notRoot) {
            throw UserError.usage(
                    "the user of the JVM in pod " + pod + " is unknown",
                    "the pod sets runAsNonRoot, but no runAsUser: the user comes from its image",
                    "set runAsUser and runAsGroup in the pod's securityContext");
        }
        return new Account.Root();
    }

    /// A setting of the container; if the container lacks it, that of the pod.
    private static JsonNode of(String key, JsonNode container, JsonNode whole) {
        return container.has(key) ? container.path(key) : whole.path(key);
    }

    private static OptionalLong id(String pod, String key, JsonNode container, JsonNode whole) {
        JsonNode value = of(key, container, whole);
        if (value.isMissingNode() || value.isNull()) {
            return OptionalLong.empty();
        }
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < 0
                || value.longValue() > MAX_ID) {
            throw UserError.target(
                    "pod " + pod + " has an unusable " + key,
                    "it is no number of a user or group",
                    "see the pod: kubectl get pod " + pod + " --output=yaml");
        }
        return OptionalLong.of(value.longValue());
    }
}
