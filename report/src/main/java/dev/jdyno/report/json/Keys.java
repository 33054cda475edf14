package dev.jdyno.report.json;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;

/// The keys of a type in their order, each with the source of its value.
final class Keys<T> {
    private record Key<T>(String name, boolean leftOut, Function<? super T, ?> value) {}

    private final Class<T> type;
    private final List<Key<T>> keys;

    private Keys(Class<T> type, List<Key<T>> keys) {
        this.type = type;
        this.keys = List.copyOf(keys);
    }

    /// The keys of a type.
    ///
    /// @param keys keys in the notation of {@link #and(String)}
    static <T> Keys<T> of(Class<T> type, String keys) {
        return new Keys<>(type, List.<Key<T>>of()).and(keys);
    }

    static <T> Keys<T> of(Class<T> type) {
        return new Keys<>(type, List.of());
    }

    /// The keys of a document, with its schema before them.
    static <T> Keys<T> document(String schema, Class<T> type, String keys) {
        return new Keys<>(type, List.<Key<T>>of()).and("schema", _ -> schema).and(keys);
    }

    /// Returns these keys followed by further keys, separated by blanks. `key` reads the accessor
    /// of the same name, `key=accessor` another one. A dot chains accessors, also through an
    /// optional. With `key?`, an absent value or an empty list is left out; otherwise an absent
    /// value is null.
    Keys<T> and(String text) {
        List<Key<T>> all = new ArrayList<>(keys);
        for (String word : text.split(" ")) {
            int equal = word.indexOf('=');
            String name = equal < 0 ? word : word.substring(0, equal);
            boolean leftOut = name.endsWith("?");
            String key = leftOut ? name.substring(0, name.length() - 1) : name;
            all.add(new Key<>(key, leftOut, path(equal < 0 ? key : word.substring(equal + 1))));
        }
        return new Keys<>(type, all);
    }

    /// Returns these keys followed by another key.
    Keys<T> and(String key, Function<? super T, ?> value) {
        List<Key<T>> all = new ArrayList<>(keys);
        all.add(new Key<>(key, false, value));
        return new Keys<>(type, all);
    }

    private Function<Object, Object> path(String text) {
        List<Method> path = new ArrayList<>();
        Class<?> at = type;
        for (String accessor : text.split("\\.")) {
            try {
                path.add(at.getMethod(accessor));
            } catch (NoSuchMethodException e) {
                throw new IllegalArgumentException(at + " has no accessor " + accessor, e);
            }
            at = opened(path.getLast());
        }
        return from -> value(from, path);
    }

    private static Class<?> opened(Method accessor) {
        return accessor.getGenericReturnType() instanceof ParameterizedType p
                        && p.getRawType() == Optional.class
                        && p.getActualTypeArguments()[0] instanceof Class<?> held
                ? held
                : accessor.getReturnType();
    }

    private static Object value(Object from, List<Method> path) {
        Object value = from;
        for (Method accessor : path) {
            Object at = value instanceof Optional<?> o && o.isPresent() ? o.get() : value;
            if (at instanceof Optional<?> nothing) {
                return nothing;
            }
            try {
                value = accessor.invoke(at);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("an accessor of " + at.getClass(), e);
            }
        }
        return value instanceof OptionalDouble d
                ? d.isPresent() ? Optional.of(d.getAsDouble()) : Optional.empty()
                : value;
    }

    /// The values that are written for an object, by key.
    Map<String, Object> values(T from) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Key<T> key : keys) {
            Object value = key.value().apply(from);
            if (!key.leftOut() || !isNothing(value)) {
                values.put(key.name(), value);
            }
        }
        return values;
    }

    private static boolean isNothing(Object value) {
        return value.equals(Optional.empty()) || value.equals(List.of());
    }

    /// The names of the keys in their order.
    List<String> names() {
        return keys.stream().map(Key::name).toList();
    }

    /// Like {@link #values}, for any object of the type.
    Map<String, Object> valuesOf(Object from) {
        return values(type.cast(from));
    }

    Class<T> type() {
        return type;
    }

    /// Registers a serializer for the type.
    void addTo(SimpleModule module) {
        module.addSerializer(
                type,
                new ValueSerializer<T>() {
                    @Override
                    public void serialize(
                            T value, JsonGenerator json, SerializationContext context) {
                        json.writeStartObject();
                        values(value)
                                .forEach((k, v) -> context.defaultSerializeProperty(k, v, json));
                        json.writeEndObject();
                    }
                });
    }
}
