package dev.jdyno.cluster.kubernetes;

import dev.jdyno.measure.text.Problems;
import java.util.Optional;

/// The JVM in a pod that a user wants to observe.
///
/// @param pod name of the pod
/// @param namespace empty for the one that `kubectl` uses
/// @param container empty if the pod has one only
/// @param image of this version of jdyno
/// @param port at which the JVM listens in its pod
public record WantedObserver(
        String pod,
        Optional<String> namespace,
        Optional<String> container,
        String image,
        int port) {
    /// Adds a mistake for each value that the API would refuse.
    public void check(Problems problems) {
        if (!Pod.NAME.matcher(pod).matches()) {
            problems.add(
                    "--k8s",
                    "'" + pod + "' is no name of a pod",
                    "write a name that kubectl get pods shows");
        }
        WantedPods.checkNamespace(namespace, problems);
        container
                .filter(c -> !WantedPods.isName(c))
                .ifPresent(c ->
                        problems.add(
                                "--container",
                                "'" + c + "' is no name of a container",
                                "write lower-case letters, digits and -"));
        WantedPods.checkImage(image, problems);
    }
}
