package dev.jdyno.load.request;

import dev.jdyno.load.request.LoadSpec.Header;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What makes the requests of a session calls of gRPC: the path of a request is its method, the
/// body is its message as JSON, headers are metadata.
///
/// @param messages of the methods that are called
/// @param deadline sent as `grpc-timeout`; a call that has not ended by then counts as
///   DEADLINE_EXCEEDED
/// @param gzip whether messages are compressed
/// @param byCalls whether a level counts calls in flight, which share connections; false: it counts
///   connections, each with `streams` calls
public record GrpcCalls(
        GrpcMessages messages, Optional<Duration> deadline, boolean gzip, boolean byCalls) {
    /// The largest value of `grpc-timeout` has eight digits.
    private static final long MOST_UNITS = 99_999_999;

    public GrpcCalls {
        if (deadline.isPresent() && !deadline.get().isPositive()) {
            throw new IllegalArgumentException("a deadline must be > 0");
        }
    }

    /// The request of HTTP/2 that carries a call.
    ///
    /// @throws IllegalArgumentException when the body is no message of the method
    RequestParts carried(RequestParts call) {
        byte[] message = messages.message(call.target(), call.body().text());
        List<Header> headers = new ArrayList<>();
        headers.add(new Header("te", "trailers"));
        headers.add(new Header("content-type", "application/grpc"));
        deadline.ifPresent(d -> headers.add(new Header("grpc-timeout", timeout(d))));
        if (gzip) {
            headers.add(new Header("grpc-encoding", "gzip"));
            headers.add(new Header("grpc-accept-encoding", "gzip"));
        }
        call.headers().stream()
                .filter(h -> headers.stream().noneMatch(o -> same(o, h)))
                .forEach(headers::add);
        return new RequestParts(
                "POST", call.target(), headers, Body.of(GrpcFrames.frame(message, gzip)));
    }

    private static boolean same(Header a, Header b) {
        return a.name().equalsIgnoreCase(b.name());
    }

    /// `500m`: eight digits at most, and a unit.
    static String timeout(Duration deadline) {
        long micros = Math.max(1, deadline.toNanos() / 1000);
        if (micros <= MOST_UNITS) {
            return micros + "u";
        }
        long millis = deadline.toMillis();
        return millis <= MOST_UNITS
                ? millis + "m"
                : Math.min(MOST_UNITS, deadline.toSeconds()) + "S";
    }
}
