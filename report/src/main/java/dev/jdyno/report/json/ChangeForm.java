package dev.jdyno.report.json;

import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.StdConverter;

/// The change of a recommendation in JSON: `kind`, and the components of the change under their
/// names. An amount has `to` or `times`. An amount without both only says that it is larger than
/// the present one. Secrets are masked in every document.
///
/// @param change empty if its kind belongs to a later version
@JsonSerialize(using = ChangeForm.Write.class)
@JsonDeserialize(using = ChangeForm.Read.class)
public record ChangeForm(Optional<Change> change) {
    private static final String KIND = "kind";
    private static final String TO = "to";
    private static final String TIMES = "times";

    /// Kinds whose name differs from the record's name with hyphens.
    private static final Map<Class<?>, String> NAMED =
            Map.of(
                    Change.EnvironmentVariable.class, "environment",
                    Change.LoggingEdit.class, "logging",
                    Change.ProgramArgument.class, "argument");

    private static final Map<String, Class<?>> TYPES =
            records(Change.class)
                    .collect(Collectors.toUnmodifiableMap(ChangeForm::kind, Function.identity()));

    /// An amount as a JSON object.
    record AmountForm(Optional<String> to, Optional<Double> times) {}

    static final class ReadAmount extends StdConverter<AmountForm, Amount> {
        @Override
        public Amount convert(AmountForm a) {
            return a.to.<Amount>map(Amount.Exactly::new)
                    .or(() -> a.times.map(Amount.Times::new))
                    .orElseGet(Amount.Larger::new);
        }
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type)
                : Stream.of(type.getPermittedSubclasses()).flatMap(ChangeForm::records);
    }

    private static String kind(Class<?> type) {
        return NAMED.getOrDefault(
                type,
                type.getSimpleName().replaceAll("(?<=.)[A-Z]", "-$0").toLowerCase(Locale.ROOT));
    }

    static List<ChangeForm> of(List<? extends Change> changes) {
        return changes.stream().map(ChangeForm::of).toList();
    }

    static ChangeForm of(Change change) {
        return new ChangeForm(Optional.of(change));
    }

    /// Leaves out kinds that this version does not know, because it can neither show nor apply
    /// them.
    static List<Change> read(List<ChangeForm> changes) {
        return changes.stream().flatMap(c -> c.change().stream()).toList();
    }

    static final class Write extends ValueSerializer<ChangeForm> {
        @Override
        public void serialize(ChangeForm form, JsonGenerator json, SerializationContext context) {
            Change change = form.change().orElseThrow();
            json.writeStartObject();
            json.writeStringProperty(KIND, kind(change.getClass()));
            for (RecordComponent component : change.getClass().getRecordComponents()) {
                switch (value(component, change)) {
                    case Amount.Exactly(String value) ->
                            json.writeStringProperty(TO, Secrets.text(value));
                    case Amount.Times(double factor) ->
                            context.defaultSerializeProperty(TIMES, factor, json);
                    case Amount.Larger _ -> {}
                    case String text ->
                            json.writeStringProperty(component.getName(), Secrets.text(text));
                    case Optional<?> text when text.isPresent() ->
                            json.writeStringProperty(
                                    component.getName(), Secrets.text((String) text.get()));
                    case Optional<?> _ -> json.writeNullProperty(component.getName());
                    case Object number ->
                            context.defaultSerializeProperty(component.getName(), number, json);
                }
            }
            json.writeEndObject();
        }

        private static Object value(RecordComponent component, Change change) {
            try {
                return component.getAccessor().invoke(change);
            } catch (IllegalAccessException | InvocationTargetException never) {
                throw new IllegalStateException("a component of a public record", never);
            }
        }
    }

    static final class Read extends ValueDeserializer<ChangeForm> {
        @Override
        public ChangeForm deserialize(JsonParser json, DeserializationContext context) {
            if (!(context.readTree(json) instanceof ObjectNode found)
                    || !found.path(KIND).isString()) {
                return context.reportInputMismatch(ChangeForm.class, "no kind of change");
            }
            Class<?> type = TYPES.get(found.path(KIND).stringValue());
            if (type == null) {
                return new ChangeForm(Optional.empty());
            }
            if (Stream.of(type.getRecordComponents()).anyMatch(c -> c.getType() == Amount.class)) {
                ObjectNode amount = found.objectNode();
                move(TO, found, amount);
                move(TIMES, found, amount);
                found.set(TO, amount);
            }
            return of((Change) context.readTreeAsValue(found, type));
        }

        private static void move(String key, ObjectNode from, ObjectNode to) {
            JsonNode value = from.remove(key);
            if (value != null) {
                to.set(key, value);
            }
        }
    }
}
