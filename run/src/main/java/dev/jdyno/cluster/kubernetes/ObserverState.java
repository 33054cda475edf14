package dev.jdyno.cluster.kubernetes;

import static dev.jdyno.cluster.kubernetes.Kubectl.text;

import tools.jackson.databind.JsonNode;

/// What `kubectl` reports about an ephemeral container. All reasons are as {@link Pod#sentence}.
sealed interface ObserverState {
    /// @param reason blank if none is reported
    record Waits(String reason, Pod.Cause cause) implements ObserverState {}

    record Runs() implements ObserverState {}

    /// It does not start, and waiting does not change that.
    record Failed(String reason, Pod.Cause cause) implements ObserverState {}

    record Ended(String how) implements ObserverState {}

    /// @param pod as `kubectl get pod` gives it
    /// @param container its name
    static ObserverState of(JsonNode pod, String container) {
        for (JsonNode one : pod.path("status").path("ephemeralContainerStatuses")) {
            if (text(one.path("name")).equals(container)) {
                return of(one.path("state"));
            }
        }
        return new Waits("", Pod.Cause.OTHER);
    }

    private static ObserverState of(JsonNode state) {
        if (state.has("running")) {
            return new Runs();
        }
        if (state.has("terminated")) {
            JsonNode ended = state.path("terminated");
            String code =
                    ended.path("exitCode").isInt()
                            ? " with exit code " + ended.path("exitCode").intValue()
                            : "";
            return new Ended(
                    Pod.sentence(
                            "it ended" + code,
                            Pod.sentence(text(ended.path("reason")), text(ended.path("message")))));
        }
        JsonNode waiting = state.path("waiting");
        String reason = text(waiting.path("reason"));
        String why = Pod.sentence(reason, text(waiting.path("message")));
        Pod.Cause cause = Pod.OF_THE_IMAGE.contains(reason) ? Pod.Cause.IMAGE : Pod.Cause.OTHER;
        return Pod.HOPELESS.contains(reason) ? new Failed(why, cause) : new Waits(why, cause);
    }
}
