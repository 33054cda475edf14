package dev.jdyno.cluster.kubernetes;

import static dev.jdyno.cluster.kubernetes.Kubectl.text;

import tools.jackson.databind.JsonNode;

/// The state of a container of a pod, as `kubectl` reports it. All reasons are in the form of
/// {@link Pod#sentence}.
sealed interface ContainerState {
    /// @param reason blank if none is reported
    /// @param isHopeless true if waiting does not help
    record Waits(String reason, Pod.Cause cause, boolean isHopeless) implements ContainerState {}

    record Runs() implements ContainerState {}

    /// @param how the way in which it ended, with the exit code if known
    /// @param why blank if that is not reported
    record Ended(String how, String why) implements ContainerState {}

    /// @param pod as `kubectl get pod` gives it
    /// @param container name of an ephemeral one
    static ContainerState ofEphemeral(JsonNode pod, String container) {
        for (JsonNode one : pod.path("status").path("ephemeralContainerStatuses")) {
            if (text(one.path("name")).equals(container)) {
                return of(one.path("state"));
            }
        }
        return new Waits("", Pod.Cause.OTHER, false);
    }

    private static ContainerState of(JsonNode state) {
        if (state.has("running")) {
            return new Runs();
        }
        return state.has("terminated") ? ended(state) : waits(state);
    }

    /// The end of a container, also if its state does not report it.
    static Ended ended(JsonNode state) {
        JsonNode ended = state.path("terminated");
        String code =
                ended.path("exitCode").isInt()
                        ? " with exit code " + ended.path("exitCode").intValue()
                        : "";
        return new Ended(
                "it ended" + code,
                Pod.sentence(text(ended.path("reason")), text(ended.path("message"))));
    }

    /// The reason why a container waits; blank if its state does not report it.
    static Waits waits(JsonNode state) {
        JsonNode waiting = state.path("waiting");
        String reason = text(waiting.path("reason"));
        return new Waits(
                Pod.sentence(reason, text(waiting.path("message"))),
                Pod.OF_THE_IMAGE.contains(reason) ? Pod.Cause.IMAGE : Pod.Cause.OTHER,
                Pod.HOPELESS.contains(reason));
    }
}
