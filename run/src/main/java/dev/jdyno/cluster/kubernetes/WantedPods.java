package dev.jdyno.cluster.kubernetes;

import dev.jdyno.measure.text.Problems;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The agents that a user wants to have in a cluster.
///
/// @param count number of agents
/// @param namespace empty for the one that `kubectl` uses
/// @param image of this version of jdyno
/// @param allow the services that the agents may load
/// @param life time from the creation of the pods after which the cluster ends them; a part of a
///   second is left out
public record WantedPods(
        int count, Optional<String> namespace, String image, List<String> allow, Duration life) {
    // load-tests
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    // registry.example.org:5000/tools/jdyno:0.1.0, jdyno@sha256:…
    private static final Pattern IMAGE =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,255}(@sha256:[0-9a-f]{64})?");

    public WantedPods {
        allow = List.copyOf(allow);
    }

    /// Adds a mistake for each value that the API would refuse.
    public void check(Problems problems) {
        if (count < 1 || count > Placed.MAX) {
            problems.add(
                    "--k8s",
                    count + " is no number of agents",
                    "write a whole number from 1 to " + Placed.MAX);
        }
        checkNamespace(namespace, problems);
        checkImage(image, problems);
        if (allow.isEmpty()) {
            problems.add(
                    "--allow",
                    "missing",
                    "name the service that the agents load, HOST:PORT as in its URL");
        }
    }

    static void checkNamespace(Optional<String> namespace, Problems problems) {
        namespace
                .filter(n -> !isName(n))
                .ifPresent(n ->
                        problems.add(
                                "--namespace",
                                "'" + n + "' is no name of a namespace",
                                "write lower-case letters, digits and -"));
    }

    static void checkImage(String image, Problems problems) {
        if (!IMAGE.matcher(image).matches()) {
            problems.add(
                    "--image",
                    "'" + image + "' is no name of an image",
                    "write such as registry.example.org/jdyno:0.1.0");
        }
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }
}
