package dev.jdyno.plan;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// The way in which a gRPC service is called; used if the plan's URL is `grpc://` or `grpcs://`.
///
/// @param proto a descriptor set with the methods; empty: jdyno asks the server's reflection
///   service
/// @param deadline of each call, sent with it; empty: none
/// @param gzip whether request messages are compressed
/// @param streams maximum concurrent calls on one connection; more calls open more connections
public record GrpcTerms(
        Optional<Path> proto, Optional<Duration> deadline, boolean gzip, int streams) {
    /// Default number of concurrent calls on one connection. Calls share connections, like those of
    /// one channel. More load opens more connections, because one event loop serves a connection.
    public static final int STREAMS = 10;

    public static final GrpcTerms DEFAULT =
            new GrpcTerms(Optional.empty(), Optional.empty(), false, STREAMS);

    /// @throws IllegalArgumentException if a number is out of range
    public GrpcTerms {
        if (streams < 1 || deadline.filter(d -> !d.isPositive()).isPresent()) {
            throw new IllegalArgumentException("streams and deadline must be > 0");
        }
    }
}
