package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.key.PeerKey;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The ephemeral container with the observer, as a patch of the pod's `ephemeralcontainers`.
final class ObserverContainer {
    /// Port of the agent on the pod's loopback device.
    static final int PORT = 4711;

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String KEY_FILE = "/tmp/jdyno/agent.key";

    private ObserverContainer() {}

    /// @param name of the container
    /// @param runKey the run's public key
    static ObjectNode patch(String name, ObservedPod pod, WantedObserver wanted, PeerKey runKey) {
        ObjectNode patch = JSON.createObjectNode();
        ObjectNode container = patch.putObject("spec").putArray("ephemeralContainers").addObject();
        container.put("name", name);
        container.put("image", wanted.image());
        var arguments = container.putArray("args");
        arguments(wanted, runKey).forEach(arguments::add);
        container.put("targetContainerName", pod.container());
        security(container.putObject("securityContext"), pod.account());
        return patch;
    }

    /// The patch as text for a human reader.
    static String pretty(ObjectNode patch) {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(patch);
    }

    private static List<String> arguments(WantedObserver wanted, PeerKey runKey) {
        return List.of(
                "agent",
                "--forwarded",
                "--listen=127.0.0.1:" + PORT,
                "--run-key=" + runKey.text(),
                "--own-key=" + KEY_FILE,
                "--observe-only=port=" + wanted.port());
    }

    private static void security(ObjectNode context, ObservedPod.Account account) {
        switch (account) {
            case ObservedPod.Account.Same same -> {
                context.put("runAsUser", same.user());
                same.group().ifPresent(g -> context.put("runAsGroup", g));
                // the Pod Security Standard restricted
                context.put("runAsNonRoot", true);
                context.put("allowPrivilegeEscalation", false);
                context.putObject("capabilities").putArray("drop").add("ALL");
                context.putObject("seccompProfile").put("type", "RuntimeDefault");
            }
            case ObservedPod.Account.Root() -> {
                context.put("runAsUser", 0);
                context.put("runAsGroup", 0);
                context.putObject("capabilities").putArray("add").add("SYS_PTRACE");
            }
        }
    }
}
