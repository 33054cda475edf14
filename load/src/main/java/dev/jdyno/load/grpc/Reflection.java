package dev.jdyno.load.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.jdyno.load.OneReply;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.GrpcFrames;
import dev.jdyno.load.request.GrpcMessages;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.GrpcUrl;
import dev.jdyno.measure.text.UserError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The services of a server that supports server reflection, `v1` or `v1alpha` (their messages are
/// the same: grpc/reflection/v1/reflection.proto). Each question is a call of its own.
public final class Reflection {
    private static final String V1 = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    private static final String V1_ALPHA =
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";

    /// The advice for servers without reflection.
    public static final String DESCRIPTOR_SET =
            "give a descriptor set with --proto FILE (in a plan grpc: {proto: FILE}), made by"
                    + " protoc --include_imports --descriptor_set_out=FILE shop.proto";

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// Maximum number of questions. Each file that the server does not send together with its
    /// importer needs one question.
    private static final int MAX_QUESTIONS = 500;

    // fields of ServerReflectionRequest
    private static final int FILE_BY_NAME = 3;
    private static final int FILE_WITH_SYMBOL = 4;
    private static final int LIST_SERVICES = 7;

    // fields of ServerReflectionResponse
    private static final int FILES = 4;
    private static final int SERVICES = 6;
    private static final int ERROR = 7;

    private final LoadSpec server;
    private final NanoClock clock;
    private final Map<String, FileDescriptorProto> files = new LinkedHashMap<>();
    private long bytes;
    private int questions;
    private String version = V1;

    private Reflection(LoadSpec server, NanoClock clock) {
        this.server = server;
        this.clock = clock;
    }

    /// Asks the server of a spec for the services that its requests name.
    ///
    /// @param services full names of the services; empty: all services that the server lists
    /// @throws UserError if the server does not answer, has no reflection, or has no such service
    public static Schema schema(LoadSpec server, Collection<String> services, NanoClock clock) {
        var asked = new Reflection(server, clock);
        Collection<String> wanted = services.isEmpty() ? asked.listed() : services;
        for (String service : wanted) {
            asked.fetch(service);
        }
        asked.fetchImports();
        FileDescriptorSet set =
                FileDescriptorSet.newBuilder().addAllFile(asked.files.values()).build();
        try {
            return Schema.of(set.toByteArray());
        } catch (IllegalArgumentException e) {
            throw asked.broken(String.valueOf(e.getMessage())).causedBy(e);
        }
    }

    private void fetch(String service) {
        UnknownFieldSet answer = ask(FILE_WITH_SYMBOL, service);
        if (answer.hasField(ERROR)) {
            String known = Schema.unknown("there is no service", service, listed());
            throw UserError.usage(
                    "cannot call " + service + " of " + GrpcUrl.of(server.url()),
                    known,
                    "write grpc://host:port/package.Service/Method");
        }
        keep(answer);
    }

    private void fetchImports() {
        var missing = new ArrayDeque<>(files.values());
        while (!missing.isEmpty()) {
            for (String imported : missing.poll().getDependencyList()) {
                if (!files.containsKey(imported)) {
                    UnknownFieldSet answer = ask(FILE_BY_NAME, imported);
                    if (answer.hasField(ERROR)) {
                        throw broken(
                                "it does not give the imported file " + Schema.shown(imported));
                    }
                    int before = files.size();
                    keep(answer);
                    if (files.size() == before || !files.containsKey(imported)) {
                        throw broken(
                                "it gives other files than the imported " + Schema.shown(imported));
                    }
                    missing.addAll(List.copyOf(files.values()).subList(before, files.size()));
                }
            }
        }
    }

    private void keep(UnknownFieldSet answer) {
        try {
            for (ByteString found : answer.getField(FILES).getLengthDelimitedList()) {
                UnknownFieldSet list = UnknownFieldSet.parseFrom(found);
                for (ByteString file : list.getField(1).getLengthDelimitedList()) {
                    bytes += file.size();
                    if (bytes > Schema.MAX_BYTES || files.size() > Schema.MAX_FILES) {
                        throw broken("its descriptors are too large");
                    }
                    FileDescriptorProto proto = FileDescriptorProto.parseFrom(file);
                    files.putIfAbsent(proto.getName(), proto);
                }
            }
        } catch (InvalidProtocolBufferException e) {
            throw broken("its descriptors cannot be read").causedBy(e);
        }
    }

    private List<String> listed() {
        try {
            UnknownFieldSet answer = ask(LIST_SERVICES, "");
            List<String> names = new ArrayList<>();
            for (ByteString list : answer.getField(SERVICES).getLengthDelimitedList()) {
                UnknownFieldSet services = UnknownFieldSet.parseFrom(list);
                for (ByteString service : services.getField(1).getLengthDelimitedList()) {
                    for (ByteString name :
                            UnknownFieldSet.parseFrom(service)
                                    .getField(1)
                                    .getLengthDelimitedList()) {
                        names.add(name.toStringUtf8());
                    }
                }
            }
            return names;
        } catch (InvalidProtocolBufferException e) {
            throw broken("its list of services cannot be read").causedBy(e);
        }
    }

    private UnknownFieldSet ask(int field, String value) {
        if (++questions > MAX_QUESTIONS) {
            throw broken("it needs more than " + MAX_QUESTIONS + " questions");
        }
        byte[] question = question(field, value);
        OneReply reply = call(version, question);
        if (reply.status() == ErrorKind.GRPC_UNIMPLEMENTED.grpcCode() && version.equals(V1)) {
            version = V1_ALPHA;
            reply = call(version, question);
        }
        if (reply.status() != 0) {
            throw notThere(reply.status());
        }
        if (reply.bytes() > reply.body().length()) {
            throw broken("its answer is longer than " + (reply.body().length() >> 20) + " MiB");
        }
        try {
            return UnknownFieldSet.parseFrom(GrpcFrames.firstMessage(reply.body().shared()));
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw broken("its answer cannot be read").causedBy(e);
        }
    }

    private static byte[] question(int field, String value) {
        var bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            out.writeByteArray(field, value.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private OneReply call(String path, byte[] question) {
        return OneReply.to(server.oneCall(path, new Fixed(Body.of(question)), PATIENCE), clock);
    }

    private UserError notThere(int status) {
        String what = "cannot learn the methods of " + GrpcUrl.of(server.url());
        boolean none = status == ErrorKind.GRPC_UNIMPLEMENTED.grpcCode() || status == 404;
        String why =
                none
                        ? "the server has no server reflection, neither v1 nor v1alpha"
                        : "server reflection ends with "
                                + (status < 100
                                        ? ErrorKind.ofGrpc(status).key()
                                        : "HTTP status " + status);
        return UserError.target(what, why, "turn server reflection on, or " + DESCRIPTOR_SET);
    }

    private UserError broken(String why) {
        return UserError.target(
                "cannot use the server reflection of " + GrpcUrl.of(server.url()),
                why,
                DESCRIPTOR_SET);
    }

    /// The services that the requests of a spec name. Empty if a path is known only when its
    /// request is sent; then the server is asked for all its services.
    public static List<String> servicesOf(LoadSpec spec) {
        return spec.hasHoles()
                ? List.of()
                : spec.paths()
                        .map(Reflection::service)
                        .flatMap(Optional::stream)
                        .distinct()
                        .toList();
    }

    private static Optional<String> service(String path) {
        int slash = path.lastIndexOf('/');
        return slash > 1 ? Optional.of(path.substring(1, slash)) : Optional.empty();
    }

    /// A message that is already encoded.
    private record Fixed(Body bytes) implements GrpcMessages {
        @Override
        public byte[] message(String path, String json) {
            return bytes.shared();
        }

        @Override
        public String json(String path, byte[] message) {
            throw new IllegalStateException("replies of the reflection are no JSON");
        }
    }
}
