package dev.jdyno.report.json;

import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What a recommendation changes, to and from JSON: `kind` says which other keys there are.
final class ChangeJson {
    private ChangeJson() {}

    private static ObjectNode tree(Change change) {
        return switch (change) {
            case Change.JvmFlag c ->
                    kind("jvm-flag")
                            .put("name", masked(c.name()))
                            .put("value", c.value().map(ChangeJson::masked).orElse(null));
            case Change.WithoutJvmFlag c -> kind("without-jvm-flag").put("name", masked(c.name()));
            case Change.SystemProperty c ->
                    kind("system-property")
                            .put("name", masked(c.name()))
                            .put("value", masked(c.value()));
            case Change.SystemSetting c ->
                    amount(kind("system-setting").put("name", masked(c.name())), c.to());
            case Change.LoggingEdit c ->
                    kind("logging")
                            .put("file", c.file().map(ChangeJson::masked).orElse(null))
                            .put("part", masked(c.part()))
                            .put("edit", masked(c.edit()));
            case Change.EnvironmentVariable c ->
                    kind("environment")
                            .put("name", masked(c.name()))
                            .put("value", masked(c.value()));
            case Change.ProgramArgument c ->
                    kind("argument")
                            .put("template", masked(c.template()))
                            .put("value", masked(c.value()));
            case Change.FileValue c ->
                    kind("file-value")
                            .put("template", masked(c.template()))
                            .put("name", masked(c.name()))
                            .put("value", masked(c.value()));
            case Change.PoolSize c ->
                    amount(kind("pool-size").put("name", masked(c.pool())), c.to());
            case Change.Concurrency c -> kind("concurrency").put("inFlight", c.inFlight());
            case Change.Cores c -> kind("cores").put("from", c.from()).put("to", c.to());
            case Change.Code _ -> kind("code");
            case Change.Outside _ -> kind("outside");
        };
    }

    private static ObjectNode kind(String kind) {
        return JsonNodeFactory.instance.objectNode().put("kind", kind);
    }

    private static String masked(String text) {
        return Secrets.text(text);
    }

    private static ObjectNode amount(ObjectNode json, Amount amount) {
        return switch (amount) {
            case Amount.Exactly a -> json.put("to", masked(a.value()));
            case Amount.Times a -> json.put("times", a.factor());
            case Amount.Larger _ -> json;
        };
    }

    static final class Write extends ValueSerializer<Change> {
        @Override
        public void serialize(Change change, JsonGenerator json, SerializationContext context) {
            json.writeTree(tree(change));
        }
    }

    static final class Read extends ValueDeserializer<List<Change>> {
        @Override
        public List<Change> deserialize(JsonParser json, DeserializationContext context) {
            JsonNode all = context.readTree(json);
            List<Change> changes = new ArrayList<>();
            try {
                for (int i = 0; i < new JsonCursor("", "changes", all).items(); i++) {
                    read(new JsonCursor("", "changes", all).item(i).object())
                            .ifPresent(changes::add);
                }
            } catch (UserError e) {
                throw MismatchedInputException.from(json, Change.class, e.why());
            }
            return changes;
        }

        @Override
        public Object getAbsentValue(DeserializationContext context) {
            return List.of();
        }
    }

    /// A kind that this jdyno does not know is left out: it can neither show nor apply it.
    private static Optional<Change> read(JsonCursor at) {
        return switch (at.text("kind")) {
            case "jvm-flag" ->
                    Optional.of(new Change.JvmFlag(at.text("name"), at.maybeText("value")));
            case "without-jvm-flag" -> Optional.of(new Change.WithoutJvmFlag(at.text("name")));
            case "system-property" ->
                    Optional.of(new Change.SystemProperty(at.text("name"), at.text("value")));
            case "system-setting" ->
                    Optional.of(new Change.SystemSetting(at.text("name"), amount(at)));
            case "logging" ->
                    Optional.of(
                            new Change.LoggingEdit(
                                    at.maybeText("file"),
                                    at.has("part") ? at.text("part") : "",
                                    at.text("edit")));
            case "environment" ->
                    Optional.of(new Change.EnvironmentVariable(at.text("name"), at.text("value")));
            case "argument" ->
                    Optional.of(new Change.ProgramArgument(at.text("template"), at.text("value")));
            case "file-value" ->
                    Optional.of(
                            new Change.FileValue(
                                    at.text("template"), at.text("name"), at.text("value")));
            case "pool-size" -> Optional.of(new Change.PoolSize(at.text("name"), amount(at)));
            case "concurrency" -> Optional.of(new Change.Concurrency(at.smallCount("inFlight")));
            case "cores" -> Optional.of(new Change.Cores(at.number("from"), at.number("to")));
            case "code" -> Optional.of(new Change.Code());
            case "outside" -> Optional.of(new Change.Outside());
            default -> Optional.empty();
        };
    }

    private static Amount amount(JsonCursor at) {
        if (at.has("to")) {
            return new Amount.Exactly(at.text("to"));
        }
        return at.has("times") ? new Amount.Times(at.number("times")) : new Amount.Larger();
    }
}
