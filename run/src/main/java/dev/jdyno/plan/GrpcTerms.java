package dev.jdyno.plan;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// How a service of gRPC is called; of use where the plan's URL is `grpc://` or `grpcs://`.
///
/// @param proto a descriptor set with the methods; empty: the server's reflection is asked
/// @param deadline of each call, sent with it; empty: none
/// @param gzip whether request messages are compressed
/// @param streams calls at a time on one connection; further calls go over further connections
public record GrpcTerms(
        Optional<Path> proto, Optional<Duration> deadline, boolean gzip, int streams) {
    /// Calls share connections, as those of one channel do, and more load makes more connections:
    /// one connection is served by one event loop.
    public static final int STREAMS = 10;

    public static final GrpcTerms DEFAULT =
            new GrpcTerms(Optional.empty(), Optional.empty(), false, STREAMS);

    /// @throws IllegalArgumentException when a number is not what it must be
    public GrpcTerms {
        if (streams < 1 || deadline.filter(d -> !d.isPositive()).isPresent()) {
            throw new IllegalArgumentException("streams and deadline must be > 0");
        }
    }
}
