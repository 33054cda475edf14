package dev.jdyno.load.grpc;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UninitializedMessageException;
import dev.jdyno.load.request.GrpcMessages;
import dev.jdyno.measure.text.Nearest;
import dev.jdyno.measure.text.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The services of a descriptor set, which comes from `protoc --descriptor_set_out` or from server
/// reflection. Invalid bytes give an error with a reason.
public final class Schema implements GrpcMessages {
    /// Maximum size of a descriptor set in bytes. The descriptors of all services that Google
    /// publishes take less.
    public static final int MAX_BYTES = 64 << 20;

    /// Maximum number of files in a set, and maximum depth of their imports.
    static final int MAX_FILES = 10_000;

    private static final int DEEPEST_IMPORTS = 500;

    /// Maximum number of characters shown of a name from a server or a file.
    private static final int LONGEST = 200;

    private final byte[] descriptors;
    private final Map<String, ServiceDescriptor> services = new TreeMap<>();
    private final JsonFields fields = new JsonFields();

    private Schema(byte[] descriptors, Collection<FileDescriptor> files) {
        this.descriptors = descriptors;
        for (FileDescriptor file : files) {
            file.getServices().forEach(s -> services.put(s.getFullName(), s));
        }
    }

    /// @param descriptorSet a `google.protobuf.FileDescriptorSet` with all imports
    /// @throws IllegalArgumentException if the set is invalid, with the reason
    public static Schema of(byte[] descriptorSet) {
        if (descriptorSet.length > MAX_BYTES) {
            throw new IllegalArgumentException("it has more than " + (MAX_BYTES >> 20) + " MiB");
        }
        Map<String, FileDescriptorProto> protos = new LinkedHashMap<>();
        try {
            FileDescriptorSet set = FileDescriptorSet.parseFrom(descriptorSet);
            set.getFileList().forEach(f -> protos.put(f.getName(), f));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("it is no set of descriptors", e);
        }
        if (protos.isEmpty() || protos.size() > MAX_FILES) {
            throw new IllegalArgumentException("it describes " + protos.size() + " files");
        }
        Map<String, FileDescriptor> built = new HashMap<>();
        for (String name : protos.keySet()) {
            build(name, protos, built, 0);
        }
        return new Schema(descriptorSet.clone(), built.values());
    }

    private static FileDescriptor build(
            String name,
            Map<String, FileDescriptorProto> protos,
            Map<String, FileDescriptor> built,
            int depth) {
        FileDescriptor done = built.get(name);
        if (done != null) {
            return done;
        }
        FileDescriptorProto proto = protos.get(name);
        if (proto == null) {
            throw new IllegalArgumentException(
                    "it lacks the imported file "
                            + shown(name)
                            + " (protoc --include_imports adds it)");
        }
        if (depth > DEEPEST_IMPORTS) {
            throw new IllegalArgumentException("its imports nest too deep, or in a circle");
        }
        List<FileDescriptor> imports = new ArrayList<>();
        for (String imported : proto.getDependencyList()) {
            imports.add(build(imported, protos, built, depth + 1));
        }
        try {
            FileDescriptor file =
                    FileDescriptor.buildFrom(proto, imports.toArray(FileDescriptor[]::new));
            built.put(name, file);
            return file;
        } catch (DescriptorValidationException | RuntimeException e) {
            // the library checks a descriptor when it builds it; some contradictions make it throw
            // an exception of another kind
            throw new IllegalArgumentException(
                    "its file " + shown(name) + " is invalid: " + shown(String.valueOf(e)), e);
        }
    }

    /// The descriptor set from which this schema was made.
    public byte[] descriptors() {
        return descriptors.clone();
    }

    /// Names of all services.
    public List<String> services() {
        return List.copyOf(services.keySet());
    }

    /// Paths of all methods that jdyno can call, as `package.Service/Method`: those without client
    /// streaming.
    public List<String> methods() {
        return services.values().stream()
                .flatMap(s -> s.getMethods().stream())
                .filter(m -> !m.isClientStreaming())
                .map(m -> m.getService().getFullName() + "/" + m.getName())
                .toList();
    }

    /// The method of a path.
    ///
    /// @throws IllegalArgumentException if the method does not exist or takes a stream of requests;
    ///   the text lists the existing methods
    MethodDescriptor method(String path) {
        String name = path.startsWith("/") ? path.substring(1) : path;
        int slash = name.lastIndexOf('/');
        if (slash <= 0 || slash == name.length() - 1) {
            throw new IllegalArgumentException(
                    "'"
                            + path
                            + "' names no method as /package.Service/Method; there are "
                            + listed(methods()));
        }
        ServiceDescriptor service = services.get(name.substring(0, slash));
        if (service == null) {
            throw new IllegalArgumentException(
                    unknown("there is no service", name.substring(0, slash), services()));
        }
        String called = name.substring(slash + 1);
        MethodDescriptor method = service.findMethodByName(called);
        if (method == null) {
            throw new IllegalArgumentException(
                    unknown(
                            service.getFullName() + " has no method",
                            called,
                            service.getMethods().stream().map(MethodDescriptor::getName).toList()));
        }
        if (method.isClientStreaming()) {
            throw new IllegalArgumentException(
                    name
                            + " takes a stream of messages; jdyno sends one message in a call, not yet"
                            + " several");
        }
        return method;
    }

    /// Text for an unknown name, such as `shop.Prices has no method 'pric'; did you mean 'price'?
    /// There are: list, price`.
    static String unknown(String what, String name, Collection<String> known) {
        return what
                + " '"
                + name
                + "'"
                + Nearest.of(name, known)
                        .map(Schema::shown)
                        .map(n -> "; did you mean '" + n + "'?")
                        .orElse(";")
                + " There are: "
                + listed(known);
    }

    /// A name from a server or a file as one line, shortened to {@link #LONGEST} characters.
    static String shown(String name) {
        String line = Printable.line(name.length() > LONGEST ? name.substring(0, LONGEST) : name);
        return name.length() > LONGEST ? line + "…" : line;
    }

    private static String listed(Collection<String> names) {
        int shown = 20;
        String first = String.join(", ", names.stream().limit(shown).map(Schema::shown).toList());
        int more = names.size() - shown;
        return names.isEmpty() ? "none" : more > 0 ? first + " and " + more + " more" : first;
    }

    @Override
    public byte[] message(String path, String json) {
        MethodDescriptor method = method(path);
        DynamicMessage.Builder message =
                new JsonReading(fields).message(method.getInputType(), json);
        try {
            return message.build().toByteArray();
        } catch (UninitializedMessageException e) {
            throw new IllegalArgumentException(
                    method.getInputType().getFullName()
                            + " needs "
                            + String.join(", ", e.getMissingFields()),
                    e);
        }
    }

    @Override
    public boolean isStreamed(String path) {
        int slash = path.lastIndexOf('/');
        ServiceDescriptor service = slash > 1 ? services.get(path.substring(1, slash)) : null;
        MethodDescriptor method =
                service == null ? null : service.findMethodByName(path.substring(slash + 1));
        return method != null && method.isServerStreaming();
    }

    @Override
    public String json(String path, byte[] message) {
        try {
            return JsonWriting.of(DynamicMessage.parseFrom(method(path).getOutputType(), message));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(
                    "the reply is no " + method(path).getOutputType().getFullName(), e);
        }
    }
}
