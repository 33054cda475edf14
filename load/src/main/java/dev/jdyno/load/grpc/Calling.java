package dev.jdyno.load.grpc;

import dev.jdyno.load.request.GrpcCalls;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// How the requests of a session become gRPC calls.
///
/// @param descriptorSet file that describes the methods; empty: the server's reflection is asked
/// @param deadline deadline that is sent with each call; empty: none
/// @param gzip true if request messages are compressed
/// @param byCalls true if a level counts calls in flight, false if it counts connections
/// @param streams maximum number of concurrent calls on each connection
public record Calling(
        Optional<Path> descriptorSet,
        Optional<Duration> deadline,
        boolean gzip,
        boolean byCalls,
        int streams) {

    /// The gRPC calls for the requests of a spec: the path names the method, the body is the
    /// message as JSON.
    ///
    /// @param where position of the request that is sent if the spec has no workload
    /// @throws UserError if the methods cannot be learned, or if a request is no message of its
    ///   method; it lists all of these mistakes
    public LoadSpec of(LoadSpec requests, String where, NanoClock clock) {
        if (requests.replies().chunks() || requests.replies().until().isPresent()) {
            throw UserError.usage(
                    "replies of gRPC are not ended by a rule",
                    "a call ends with its status, and its messages are counted as they come",
                    "leave out --events and --reply-until, or events and until of the plan; --deadline"
                            + " ends a call");
        }
        Schema schema =
                descriptorSet.isPresent()
                        ? read(descriptorSet.get())
                        : Reflection.schema(requests, Reflection.servicesOf(requests), clock);
        LoadSpec calls = requests.calling(new GrpcCalls(schema, deadline, gzip, byCalls), streams);
        var problems = new Problems();
        CallCheck.check(calls, schema, where, problems);
        problems.throwIfAny("the gRPC request");
        return calls;
    }

    private static Schema read(Path file) {
        if (String.valueOf(file.getFileName()).endsWith(".proto")) {
            throw refused(file, "it is a source, and jdyno reads descriptors", file);
        }
        try {
            if (Files.size(file) > Schema.MAX_BYTES) {
                throw refused(file, "it is longer than any set of descriptors", file);
            }
            return Schema.of(Files.readAllBytes(file));
        } catch (IOException e) {
            throw refused(file, "cannot read it: " + e, file).causedBy(e);
        } catch (IllegalArgumentException e) {
            throw refused(file, String.valueOf(e.getMessage()), Path.of("shop.proto")).causedBy(e);
        }
    }

    private static UserError refused(Path file, String why, Path source) {
        return UserError.usage(
                "cannot take the methods from " + file,
                why,
                "make a set of descriptors: protoc --include_imports --descriptor_set_out=shop.pb "
                        + source);
    }
}
