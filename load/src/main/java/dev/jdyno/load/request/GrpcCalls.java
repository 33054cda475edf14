package dev.jdyno.load.request;

import dev.jdyno.load.request.LoadSpec.Header;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Turns the requests of a session into gRPC calls. The path of a request is the method, the body
/// is the message as JSON, and the headers are metadata.
///
/// @param messages the messages of the called methods
/// @param deadline sent as `grpc-timeout`; a call that has not ended by then counts as
///   DEADLINE_EXCEEDED
/// @param gzip true if messages are compressed
/// @param byCalls true if a level counts calls in flight, which share connections; false if it
///   counts connections, each with `streams` calls
public record GrpcCalls(
        GrpcMessages messages, Optional<Duration> deadline, boolean gzip, boolean byCalls) {
    /// The largest value of `grpc-timeout`, which has at most eight digits.
    private static final long MAX_UNITS = 99_999_999;

    public GrpcCalls {
        if (deadline.isPresent() && !deadline.get().isPositive()) {
            throw new IllegalArgumentException("a deadline must be > 0");
        }
    }

    /// The HTTP/2 request that carries a call.
    ///
    /// @throws IllegalArgumentException if the body is no message of the method
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

    /// A `grpc-timeout` such as `500m`: at most eight digits and a unit.
    static String timeout(Duration deadline) {
        long micros = Math.max(1, deadline.toNanos() / 1000);
        if (micros <= MAX_UNITS) {
            return micros + "u";
        }
        long millis = deadline.toMillis();
        return millis <= MAX_UNITS ? millis + "m" : Math.min(MAX_UNITS, deadline.toSeconds()) + "S";
    }
}
