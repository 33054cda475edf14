package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.up.UserProgram;
import dev.jdyno.foreign.ForeignJson;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The user's `kubectl` with a fixed context and namespace, so that a change of the current context
/// between `up` and `down` changes nothing. Only its JSON is parsed. Its error output is shown to
/// the user, and only the suggested fix depends on it.
///
/// @param context of the user's configuration; blank in a pod, where `kubectl` uses the pod's
///   account
/// @param server URL of the API of the context; blank in a pod
record Kubectl(Client client, String context, String server, String namespace) {
    private static final String REQUEST_LIMIT = "--request-timeout=30s";
    private static final String JSON = "--output=json";

    /// The context and the namespace that `kubectl` uses here, unless another namespace is wanted.
    ///
    /// @param account folder in which a pod has its service account
    /// @throws UserError if there is no context
    static Kubectl here(Client client, Optional<String> namespace, Path account) {
        UserProgram.Answer view =
                client.run(List.of("config", "view", "--minify", JSON), new byte[0]);
        if (view.code() != 0) {
            if (!Files.exists(account.resolve("token"))) {
                throw UserError.usage(
                        "kubectl has no context",
                        view.lastError(),
                        "choose a cluster: kubectl config use-context NAME");
            }
            return new Kubectl(client, "", "", namespace.orElseGet(() -> ofAccount(account)));
        }
        JsonNode seen = tree(view);
        JsonNode entry = seen.path("contexts").path(0);
        String name = text(entry.path("name"));
        if (name.isBlank() || !name.equals(Printable.line(name))) {
            throw unexpected("the name of its context cannot be written on a line");
        }
        String server = server(seen);
        if (!server.equals(Printable.line(server))) {
            throw unexpected("the server of its context cannot be written on a line");
        }
        String own = text(entry.path("context").path("namespace"));
        return new Kubectl(client, name, server, namespace.orElse(own.isBlank() ? "default" : own));
    }

    private static String server(JsonNode view) {
        return text(view.path("clusters").path(0).path("cluster").path("server"));
    }

    /// Checks that the context still belongs to the same server. In another cluster, the objects do
    /// not exist, so all would seem to be deleted.
    ///
    /// @param account folder in which a pod has its service account
    /// @throws UserError if it is another one, or cannot be known
    void mustBeOfTheSameCluster(Path account) {
        List<String> words = new ArrayList<>();
        if (!context.isBlank()) {
            words.add("--context=" + context);
        }
        words.addAll(List.of("config", "view", "--minify", JSON));
        UserProgram.Answer view = client.run(words, new byte[0]);
        if (context.isBlank()) {
            if (view.code() == 0 || !Files.exists(account.resolve("token"))) {
                throw UserError.usage(
                        "the cluster of these agents cannot be known here",
                        "jdyno agents up ran in a pod, with the pod's account and without a context",
                        "run jdyno agents down in a pod of that cluster, without a configuration of"
                                + " kubectl");
            }
            return;
        }
        if (view.code() != 0) {
            throw UserError.usage(
                    "kubectl has not the context of jdyno agents up",
                    context + ": " + view.lastError(),
                    "use the configuration that jdyno agents up had (KUBECONFIG)");
        }
        String now = server(tree(view));
        if (!now.equals(server)) {
            throw UserError.usage(
                    "the context " + context + " is of another cluster now",
                    "its server is " + Pod.sentence("", now) + ", that of the agents is " + server,
                    "use the configuration that jdyno agents up had (KUBECONFIG)");
        }
    }

    private static String ofAccount(Path account) {
        try {
            return Files.readString(account.resolve("namespace")).strip();
        } catch (IOException e) {
            throw UserError.usage(
                            "the namespace of this pod is unknown",
                            e.toString(),
                            "give --namespace")
                    .causedBy(e);
        }
    }

    /// The options for the context and the namespace.
    List<String> place() {
        List<String> options = new ArrayList<>();
        if (!context.isBlank()) {
            options.add("--context=" + context);
        }
        options.add("--namespace=" + namespace);
        return options;
    }

    /// Runs a command in the namespace, whatever its exit code is.
    UserProgram.Answer run(String input, List<String> words) {
        List<String> all = new ArrayList<>(place());
        if (!context.isBlank()) {
            // in a pod, kubectl would ignore the pod's account: with this option, its configuration
            // is not the default one any more. Client.LIMIT still ends the command
            all.add(REQUEST_LIMIT);
        }
        all.addAll(words);
        UserProgram.Answer answer = client.run(all, input.getBytes(StandardCharsets.UTF_8));
        if (answer.code() == 0 && answer.cut().isPresent()) {
            throw unexpected("it did not read all of its input").causedBy(answer.cut().get());
        }
        return answer;
    }

    /// Runs a command that must succeed.
    ///
    /// @param aim purpose of the command for error messages, as in `cannot create the agents`
    /// @throws UserError with the last line of its error output, and a fix
    UserProgram.Answer must(String aim, String input, List<String> words) {
        UserProgram.Answer answer = run(input, words);
        if (answer.code() != 0) {
            throw refused(aim, answer.lastError());
        }
        return answer;
    }

    /// Gets objects of the namespace.
    ///
    /// @param which kinds and selectors, as words of `kubectl get`
    /// @throws UserError if it fails, or the answer is not JSON
    JsonNode get(String aim, List<String> which) {
        List<String> words = new ArrayList<>(List.of("get"));
        words.addAll(which);
        words.add(JSON);
        return tree(must(aim, "", words));
    }

    /// Warnings about one object, the newest first. Empty if the user may not read events, or the
    /// answer is too long or no JSON: a warning only adds a reason, and waiting goes on without it.
    List<String> warnings(String object) {
        UserProgram.Answer events =
                run(
                        "",
                        List.of(
                                "get",
                                "events",
                                "--field-selector=involvedObject.name=" + object,
                                JSON));
        if (events.code() != 0 || !events.whole()) {
            return List.of();
        }
        JsonNode list;
        try {
            list = ForeignJson.tree(events.text());
        } catch (Malformed other) {
            return List.of();
        }
        List<JsonNode> warnings = new ArrayList<>();
        for (JsonNode event : list.path("items")) {
            if (text(event.path("type")).equals("Warning")) {
                warnings.addFirst(event);
            }
        }
        return warnings.stream()
                .sorted(Comparator.comparing(Kubectl::time).reversed())
                .map(e -> Pod.sentence(text(e.path("reason")), text(e.path("message"))))
                .toList();
    }

    /// When an event happened last; the earliest time if it does not say so. A series of the newer
    /// API has no `lastTimestamp`.
    private static Instant time(JsonNode event) {
        return Stream.of(
                        event.path("series").path("lastObservedTime"),
                        event.path("lastTimestamp"),
                        event.path("eventTime"))
                .flatMap(t -> instant(text(t)).stream())
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }

    /// True if the user is allowed to do this in the namespace.
    ///
    /// @throws UserError if the API cannot be asked
    boolean may(String verb, String kind) {
        return may(List.of(verb, kind));
    }

    /// Like the method above, for a part (subresource) of the objects.
    ///
    /// @param part such as `log` of a pod
    boolean may(String verb, String kind, String part) {
        return may(List.of(verb, kind, "--subresource=" + part));
    }

    private boolean may(List<String> what) {
        List<String> words = new ArrayList<>(List.of("auth", "can-i"));
        words.addAll(what);
        UserProgram.Answer answer = run("", words);
        String reply = answer.text().strip();
        if (answer.code() == 0) {
            return true;
        }
        if (reply.startsWith("no")) {
            return false;
        }
        throw refused("cannot ask what you may do", answer.lastError());
    }

    UserError refused(String aim, String why) {
        String what = aim + " in namespace " + namespace;
        if (why.contains("namespaces") && why.contains("not found")) {
            return UserError.usage(
                    what,
                    why,
                    "create it: kubectl create namespace "
                            + namespace
                            + ", or give another --namespace");
        }
        if (why.toLowerCase(Locale.ROOT).contains("forbidden")) {
            return UserError.usage(
                    what, why, "ask for the right in this namespace, or give another --namespace");
        }
        if (why.contains("context") && (why.contains("not exist") || why.contains("not found"))) {
            return UserError.usage(
                    what, why, "use the configuration that jdyno agents up had (KUBECONFIG)");
        }
        return UserError.target(
                what, why, "see that this works: kubectl --namespace=" + namespace + " get pods");
    }

    static JsonNode tree(UserProgram.Answer answer) {
        if (!answer.whole()) {
            throw unexpected("its answer has more than " + Client.MAX_BYTES + " bytes");
        }
        try {
            return ForeignJson.tree(answer.text());
        } catch (Malformed other) {
            throw unexpected("its answer is no JSON").causedBy(other);
        }
    }

    private static UserError unexpected(String why) {
        return UserError.target(
                "kubectl does not answer as expected", why, "try another version of kubectl");
    }

    /// The text of a JSON string; empty if the node is not a string.
    static String text(JsonNode node) {
        return node.isString() ? node.stringValue() : "";
    }
}
