package dev.jdyno.load.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Finds the fields of messages by their JSON names. As in protobuf's JSON mapping, both the name
/// in the `.proto` file and its camel-case form are accepted.
final class JsonFields {
    private final Map<Descriptor, Map<String, FieldDescriptor>> byName = new ConcurrentHashMap<>();

    Optional<FieldDescriptor> find(Descriptor type, String name) {
        return Optional.ofNullable(of(type).get(name));
    }

    private Map<String, FieldDescriptor> of(Descriptor type) {
        return byName.computeIfAbsent(
                type,
                t -> {
                    Map<String, FieldDescriptor> fields = new LinkedHashMap<>();
                    t.getFields().forEach(f -> fields.put(f.getJsonName(), f));
                    t.getFields().forEach(f -> fields.putIfAbsent(f.getName(), f));
                    return fields;
                });
    }
}
