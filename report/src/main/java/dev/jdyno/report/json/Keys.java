package dev.jdyno.report.json;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.util.NameTransformer;

/// The keys under which a type is written, in their order, with the accessors of their values.
final class Keys {
    private record Key(String name, boolean leftOut, List<Method> path) {
        private Object value(Object from) {
            Object value = from;
            for (Method accessor : path) {
                Object at = value instanceof Optional<?> o && o.isPresent() ? o.get() : value;
                if (at instanceof Optional<?> nothing) {
                    return nothing;
                }
                value = called(accessor, at);
            }
            return value instanceof OptionalDouble d
                    ? d.isPresent() ? Optional.of(d.getAsDouble()) : Optional.empty()
                    : value;
        }

        private static Object called(Method accessor, Object of) {
            try {
                return accessor.invoke(of);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("an accessor of " + of.getClass(), e);
            }
        }
    }

    private final List<Key> keys;

    private Keys(List<Key> keys) {
        this.keys = List.copyOf(keys);
    }

    /// The keys of a type.
    ///
    /// @param text apart by blanks, each as `key` where the accessor has its name, else as
    ///   `key=accessor`. An accessor of what another one gives follows behind a dot, also of what
    ///   an optional holds. With `key?` an absent value is left out instead of null.
    static Keys of(Class<?> type, String text) {
        return new Keys(Stream.of(text.split(" ")).map(word -> key(type, word)).toList());
    }

    private static Key key(Class<?> type, String word) {
        int equal = word.indexOf('=');
        String name = equal < 0 ? word : word.substring(0, equal);
        boolean leftOut = name.endsWith("?");
        String key = leftOut ? name.substring(0, name.length() - 1) : name;
        List<Method> path = new ArrayList<>();
        Class<?> at = type;
        for (String accessor : (equal < 0 ? key : word.substring(equal + 1)).split("\\.")) {
            try {
                path.add(at.getMethod(accessor));
            } catch (NoSuchMethodException e) {
                throw new IllegalArgumentException(at + " has no accessor " + accessor, e);
            }
            at = opened(path.getLast());
        }
        return new Key(key, leftOut, List.copyOf(path));
    }

    private static Class<?> opened(Method accessor) {
        return accessor.getGenericReturnType() instanceof ParameterizedType p
                        && p.getRawType() == Optional.class
                        && p.getActualTypeArguments()[0] instanceof Class<?> held
                ? held
                : accessor.getReturnType();
    }

    /// What is written of an object, by key.
    Map<String, Object> values(Object from) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Key key : keys) {
            Object value = key.value(from);
            if (!key.leftOut() || !value.equals(Optional.empty())) {
                values.put(key.name(), value);
            }
        }
        return values;
    }

    /// Writes an object, or its values into the object around it.
    static final class Write extends ValueSerializer<Object> {
        private final Keys keys;
        private final boolean unwrapped;

        Write(Keys keys) {
            this(keys, false);
        }

        private Write(Keys keys, boolean unwrapped) {
            this.keys = keys;
            this.unwrapped = unwrapped;
        }

        @Override
        public void serialize(Object value, JsonGenerator json, SerializationContext context) {
            if (!unwrapped) {
                json.writeStartObject();
            }
            keys.values(value).forEach((k, v) -> context.defaultSerializeProperty(k, v, json));
            if (!unwrapped) {
                json.writeEndObject();
            }
        }

        @Override
        public ValueSerializer<Object> unwrappingSerializer(NameTransformer names) {
            return new Write(keys, true);
        }

        @Override
        public boolean isUnwrappingSerializer() {
            return unwrapped;
        }
    }
}
