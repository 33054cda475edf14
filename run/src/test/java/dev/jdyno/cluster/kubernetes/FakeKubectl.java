package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.up.UserProgram;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The commands of `kubectl` that jdyno uses, with its exit codes and its kinds of output.
record FakeKubectl(FakeCluster cluster) implements Client {
    static UserProgram.Answer answer(int code, String text, String errors) {
        return new UserProgram.Answer(code, text, errors, true, Optional.empty());
    }

    @Override
    public UserProgram.Answer run(List<String> given, byte[] input) {
        List<String> words = new ArrayList<>(given);
        String namespace = option(words, "--namespace=").orElse(FakeCluster.NAMESPACE);
        Optional<String> context = option(words, "--context=");
        if (!context.orElse(FakeCluster.CONTEXT).equals(FakeCluster.CONTEXT)) {
            return answer(1, "", "error: context \"" + context.get() + "\" does not exist\n");
        }
        Optional<String> _ = option(words, "--request-timeout=");
        String selector = option(words, "--selector=").orElse("");
        Optional<String> _ = option(words, "--field-selector=");
        try {
            return switch (words.removeFirst()) {
                case "config" -> answer(0, view(), "");
                case "auth" -> may(words);
                case "create" -> created(namespace, new String(input, StandardCharsets.UTF_8));
                case "get" -> list(words.getFirst(), namespace, selector);
                case "delete" -> deleted(words.getFirst(), namespace, selector);
                case "logs" -> answer(0, "jdyno: no image\u001b[2J of this version\n", "");
                default -> answer(1, "", "error: unknown command\n");
            };
        } catch (FakeCluster.Refused e) {
            return answer(1, "", "Error from server (" + e.reason + "): " + e.getMessage() + "\n");
        }
    }

    private static Optional<String> option(List<String> words, String name) {
        Optional<String> found = words.stream().filter(w -> w.startsWith(name)).findFirst();
        found.ifPresent(words::remove);
        return found.map(w -> w.substring(name.length()));
    }

    private static String view() {
        return """
        {"kind": "Config", "current-context": "%1$s",
         "contexts": [{"name": "%1$s", "context": {"cluster": "c", "user": "u", "namespace": "%2$s"}}],
         "clusters": [{"name": "c", "cluster": {"server": "https://test.example.org"}}]}
        """
                .formatted(FakeCluster.CONTEXT, FakeCluster.NAMESPACE);
    }

    private UserProgram.Answer may(List<String> words) {
        return cluster.may(words.get(1), kind(words.get(2)))
                ? answer(0, "yes\n", "")
                : answer(1, "no\n", "");
    }

    private static String kind(String word) {
        return word.replaceFirst("\\.batch$", "");
    }

    private UserProgram.Answer created(String namespace, String yaml) {
        for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(yaml)) {
            ObjectNode object = FakeCluster.JSON.valueToTree(document);
            String kind = object.path("kind").stringValue().toLowerCase(Locale.ROOT) + "s";
            ObjectNode _ = cluster.create(kind, namespace, object);
        }
        return answer(0, "", "");
    }

    private UserProgram.Answer list(String kinds, String namespace, String selector) {
        ObjectNode list = FakeCluster.JSON.createObjectNode();
        list.put("apiVersion", "v1").put("kind", "List");
        var items = list.putArray("items");
        Arrays.stream(kinds.split(","))
                .flatMap(k -> cluster.list(kind(k), namespace, selector).stream())
                .forEach(items::add);
        return answer(0, list.toString(), "");
    }

    private UserProgram.Answer deleted(String kinds, String namespace, String selector) {
        for (String kind : kinds.split(",")) {
            for (JsonNode object : cluster.list(kind(kind), namespace, selector)) {
                cluster.delete(kind(kind), object.path("metadata").path("name").stringValue());
            }
        }
        return answer(0, "", "");
    }
}
