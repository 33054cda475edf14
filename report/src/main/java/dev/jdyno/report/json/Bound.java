package dev.jdyno.report.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.recording.StoredPlaces;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/// Binds records to JSON by their components, under the rules of {@link ResultJson}. {@link Forms}
/// lists the differences between a record and its JSON form.
final class Bound {
    private static final JsonMapper MAPPER = mapper();

    /// Masks secrets in texts, as printed documents need it.
    static final JsonMapper MASKING =
            MAPPER.rebuild()
                    .addModule(new SimpleModule().addSerializer(String.class, new WriteMasked()))
                    .build();

    private Bound() {}

    private static JsonMapper mapper() {
        var module =
                new SimpleModule()
                        .addSerializer(double.class, new WriteNumber())
                        .addSerializer(Double.class, new WriteNumber())
                        .addDeserializer(double.class, new ReadPrimitive())
                        .addDeserializer(Double.class, new ReadNumber())
                        .addDeserializer(int.class, new ReadCount())
                        .addDeserializer(boolean.class, new ReadFlag())
                        .addSerializer(Interval.class, new WriteInterval())
                        .addDeserializer(Interval.class, new ReadInterval());
        Forms.KEYS.forEach(keys -> keys.addTo(module));
        Documents.ALL.forEach(keys -> keys.addTo(module));
        var builder =
                JsonMapper.builder()
                        .addModule(StoredPlaces.module())
                        .addModule(module)
                        .annotationIntrospector(new Rules())
                        .changeDefaultVisibility(v ->
                                v.withGetterVisibility(Visibility.NONE)
                                        .withIsGetterVisibility(Visibility.NONE)
                                        .withFieldVisibility(Visibility.ANY))
                        .changeDefaultPropertyInclusion(
                                i -> i.withValueInclusion(JsonInclude.Include.ALWAYS))
                        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                        .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                        .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
                        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                        .withCoercionConfig(
                                LogicalType.Textual,
                                c ->
                                        c.setCoercion(
                                                        CoercionInputShape.Integer,
                                                        CoercionAction.Fail)
                                                .setCoercion(
                                                        CoercionInputShape.Float,
                                                        CoercionAction.Fail)
                                                .setCoercion(
                                                        CoercionInputShape.Boolean,
                                                        CoercionAction.Fail))
                        // A text that a file of an earlier version does not have is read as empty.
                        .withConfigOverride(
                                String.class,
                                c ->
                                        c.setNullHandling(
                                                JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
                        .withConfigOverride(
                                List.class,
                                c ->
                                        c.setNullHandling(
                                                JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
                        .withConfigOverride(
                                Map.class,
                                c ->
                                        c.setNullHandling(
                                                JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)));
        Forms.MIX_INS.forEach(builder::addMixIn);
        return builder.build();
    }

    /// A record as a tree.
    static JsonNode tree(Record value) {
        return MAPPER.valueToTree(value);
    }

    /// Reads the value at a place.
    ///
    /// @throws dev.jdyno.measure.text.UserError if the value has another form; it names the key
    static <T> T read(JsonCursor at, Class<T> type) {
        at.object();
        try {
            return MAPPER.treeToValue(at.node(), type);
        } catch (JacksonException e) {
            throw refused(at, e).causedBy(e);
        }
    }

    private static UserError refused(JsonCursor at, JacksonException e) {
        JsonCursor place = at;
        for (JacksonException.Reference step : e.getPath()) {
            place =
                    step.getPropertyName() != null
                            ? place.at(step.getPropertyName())
                            : place.item(step.getIndex());
        }
        return place.not(expected(e));
    }

    private static String expected(JacksonException e) {
        Class<?> type = e instanceof MismatchedInputException m ? m.getTargetType() : null;
        if (type == null) {
            // The record's constructor refuses impossible values.
            return "what a run can measure: " + e.getOriginalMessage();
        }
        if (type == double.class || type == Double.class) {
            return "a number";
        }
        if (type == int.class || type == Integer.class) {
            return "a whole number below 2^31";
        }
        if (type == long.class || type == Long.class) {
            return "a whole number below 2^63";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type == String.class) {
            return "a text";
        }
        if (type == Interval.class) {
            return "an interval [lo, hi] with lo <= hi";
        }
        if (List.class.isAssignableFrom(type)) {
            return "a list";
        }
        return type.isEnum() ? "one of the names in the contract" : "an object";
    }

    /// Every component of a record is required, except those of {@link Forms#LATER}. An enum
    /// constant with a key is written and read by its key.
    private static final class Rules extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
            Class<?> type = member.getDeclaringClass();
            if (!(member instanceof AnnotatedParameter parameter) || !type.isRecord()) {
                return super.hasRequiredMarker(config, member);
            }
            String name = type.getRecordComponents()[parameter.getIndex()].getName();
            return !Forms.LATER.getOrDefault(type, Set.of()).contains(name);
        }

        @Override
        public Boolean hasAsValue(MapperConfig<?> config, Annotated member) {
            return (member instanceof AnnotatedMethod method
                            && method.getDeclaringClass().isEnum()
                            && method.getName().equals("key"))
                    ? Boolean.TRUE
                    : super.hasAsValue(config, member);
        }
    }

    private static final class WriteNumber extends ValueSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator json, SerializationContext context) {
            json.writeTree(JsonNumber.of(value));
        }
    }

    private static final class WriteMasked extends ValueSerializer<String> {
        @Override
        public void serialize(String value, JsonGenerator json, SerializationContext context) {
            json.writeString(Secrets.text(value));
        }
    }

    private static final class ReadNumber extends ValueDeserializer<Double> {
        @Override
        public Double deserialize(JsonParser json, DeserializationContext context) {
            return numberIn(json, context);
        }
    }

    private static double numberIn(JsonParser json, DeserializationContext context) {
        return JsonNumber.read(context.readTree(json))
                .orElseThrow(() -> MismatchedInputException.from(json, double.class, "no number"));
    }

    /// A value that is never null. Only files of an earlier version may lack it; {@link Rules}
    /// refuses all others.
    private abstract static class Primitive<T> extends ValueDeserializer<T> {
        private final Class<T> type;
        private final T absent;

        Primitive(Class<T> type, T absent) {
            this.type = type;
            this.absent = absent;
        }

        MismatchedInputException no(JsonParser json) {
            return MismatchedInputException.from(json, type, "no " + type);
        }

        @Override
        public Object getNullValue(DeserializationContext context) {
            throw no(context.getParser());
        }

        @Override
        public Object getAbsentValue(DeserializationContext context) {
            return absent;
        }
    }

    private static final class ReadPrimitive extends Primitive<Double> {
        ReadPrimitive() {
            super(double.class, 0.0);
        }

        @Override
        public Double deserialize(JsonParser json, DeserializationContext context) {
            return numberIn(json, context);
        }
    }

    private static final class ReadCount extends Primitive<Integer> {
        ReadCount() {
            super(int.class, 0);
        }

        @Override
        public Integer deserialize(JsonParser json, DeserializationContext context) {
            if (json.currentToken() != JsonToken.VALUE_NUMBER_INT
                    || json.getNumberType() != JsonParser.NumberType.INT) {
                throw no(json);
            }
            return json.getIntValue();
        }
    }

    private static final class ReadFlag extends Primitive<Boolean> {
        ReadFlag() {
            super(boolean.class, false);
        }

        @Override
        public Boolean deserialize(JsonParser json, DeserializationContext context) {
            if (!json.currentToken().isBoolean()) {
                throw no(json);
            }
            return json.getBooleanValue();
        }
    }

    private static final class WriteInterval extends ValueSerializer<Interval> {
        @Override
        public void serialize(Interval value, JsonGenerator json, SerializationContext context) {
            json.writeStartArray();
            json.writeTree(JsonNumber.of(value.lo()));
            json.writeTree(JsonNumber.of(value.hi()));
            json.writeEndArray();
        }
    }

    private static final class ReadInterval extends ValueDeserializer<Interval> {
        @Override
        public Interval deserialize(JsonParser json, DeserializationContext context) {
            JsonNode ends = context.readTree(json);
            if (!ends.isArray() || ends.size() != 2) {
                throw MismatchedInputException.from(json, Interval.class, "no interval");
            }
            double lo = context.readTreeAsValue(ends.get(0), Double.class);
            double hi = context.readTreeAsValue(ends.get(1), Double.class);
            if (!(lo <= hi)) {
                throw MismatchedInputException.from(json, Interval.class, "no interval");
            }
            return new Interval(lo, hi);
        }
    }
}
