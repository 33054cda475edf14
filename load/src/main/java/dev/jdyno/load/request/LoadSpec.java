package dev.jdyno.load.request;

import dev.jdyno.load.pacing.Part;
import dev.jdyno.load.wire.TlsSettings;
import dev.jdyno.load.wire.Transport;
import dev.jdyno.measure.load.GrpcUrl;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.load.HttpWords;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Workload;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What a session sends and within which bounds; how much of it is a `Level`. Made by {@link #to}.
///
/// @param url `http://` or `https://host[:port]/path?query`
/// @param headers sent as given, after Host
/// @param keepAlive false: a connection per request, whose latency contains connecting
/// @param connectTimeout a connection not made by then is an error
/// @param requestTimeout from the send to the last byte; also how long an arrival may wait in the
///   backlog
/// @param loops event loops, each a thread with connections of its own
/// @param spin how long before a due send of the open model the loop stops sleeping and polls, for
///   precision; zero: never
/// @param mostReplyBytes a longer reply is an error
/// @param mostBacklog arrivals that may wait for a free connection, over all loops; more are
///   dropped and counted
/// @param mostRequests requests to send in all, in the open model arrivals; empty: no limit
/// @param resolve host → address, instead of asking DNS
/// @param sources local addresses to connect from, in turn; empty: the system's choice
/// @param slow which connections read slowly, and how
/// @param activeShare of the connections that send requests, rounded up in each loop; the others
///   are only held open
/// @param part of the load that this process carries
/// @param transport which poller to use
/// @param tls for `https`
/// @param workload what users do instead of the one request; empty: the request
/// @param unixSocket connect here instead of to the URL's host and port
/// @param protocol HTTP version, the same on every connection
/// @param streams requests at a time on each connection: 1 in HTTP/1.1
/// @param grpc what makes the requests calls of gRPC; empty: they are plain HTTP
/// @param mostRedirects hops that a request is followed over; 0: a redirect is a reply like others
/// @param replies how replies are watched, and when a long one is over
public record LoadSpec(
        URI url,
        String method,
        List<Header> headers,
        Body body,
        boolean keepAlive,
        Duration connectTimeout,
        Duration requestTimeout,
        int loops,
        Duration spin,
        long mostReplyBytes,
        int mostBacklog,
        Optional<Long> mostRequests,
        Map<String, InetAddress> resolve,
        List<InetAddress> sources,
        SlowClients slow,
        double activeShare,
        Part part,
        Transport transport,
        TlsSettings tls,
        Optional<Path> unixSocket,
        Optional<Workload> workload,
        Protocol protocol,
        int streams,
        Optional<GrpcCalls> grpc,
        int mostRedirects,
        ReplyRules replies) {

    /// One request header.
    public record Header(String name, String value) {
        /// @throws IllegalArgumentException where one of them could not stand in a request
        public Header {
            HttpWords.headerName(name);
            HttpWords.headerValue(value);
        }
    }

    /// @throws IllegalArgumentException where a part of it is not what it must be
    public LoadSpec {
        HttpWords.method(method);
        headers = List.copyOf(headers);
        resolve = Map.copyOf(resolve);
        sources = List.copyOf(sources);
        if (loops < 1) {
            throw new IllegalArgumentException("event loops must be ≥ 1: " + loops);
        }
        if (streams < 1 || (protocol == Protocol.HTTP_1_1 && streams > 1)) {
            throw new IllegalArgumentException("streams per connection: " + streams);
        }
        if (grpc.isPresent() && protocol != Protocol.HTTP_2) {
            throw new IllegalArgumentException("gRPC is spoken over HTTP/2");
        }
        if (!connectTimeout.isPositive() || !requestTimeout.isPositive()) {
            throw new IllegalArgumentException("timeouts must be > 0");
        }
        if (!(activeShare > 0 && activeShare <= 1)) {
            throw new IllegalArgumentException("the active share must be > 0 and ≤ 1");
        }
    }

    public static LoadSpecBuilder to(URI url) {
        return new LoadSpecBuilder(url);
    }

    /// What one of several processes sends of this.
    public LoadSpec part(Part mine) {
        return builder()
                .part(mine)
                .mostRequests(
                        mostRequests.map(
                                n -> n / mine.of() + (mine.index() < n % mine.of() ? 1 : 0)))
                .mostBacklog(Math.max(1, mine.share(mostBacklog)))
                .build();
    }

    /// The same, from these local addresses.
    public LoadSpec from(List<InetAddress> local) {
        return builder().sources(local).build();
    }

    /// @throws dev.jdyno.measure.text.UserError of kind usage when the certificates to trust cannot
    ///   be read
    public void checkTls() {
        if (isTls()) {
            tls.context();
        }
    }

    /// The same requests as calls of gRPC.
    public LoadSpec calling(GrpcCalls calls, int streamsPerConnection) {
        return builder().grpc(calls, streamsPerConnection).build();
    }

    /// One call of gRPC to the same server, with the same metadata.
    ///
    /// @param path of the method
    public LoadSpec oneCall(String path, GrpcMessages messages, Duration timeout) {
        LoadSpecBuilder one = LoadSpecBuilder.sameServer(this, HttpUrl.withPath(url, path));
        var calls = new GrpcCalls(messages, Optional.empty(), false, false);
        return one.method("POST")
                .requestTimeout(timeout)
                .loops(1)
                .mostRequests(1)
                .grpc(calls, 1)
                .build();
    }

    private LoadSpecBuilder builder() {
        return LoadSpecBuilder.like(this);
    }

    /// The port of the URL, or that of its scheme.
    public int port() {
        return HttpUrl.port(url);
    }

    /// The host of the URL; empty when it has none.
    public String host() {
        return HttpUrl.host(url).orElse("");
    }

    /// Where the load goes, as users write it: of gRPC `grpc://…` in place of the URL of HTTP/2.
    public String address() {
        return grpc.isPresent() ? GrpcUrl.of(url) : url.toString();
    }

    public boolean isTls() {
        return "https".equalsIgnoreCase(url.getScheme());
    }

    /// The one request of a session without a workload.
    public RequestParts parts() {
        return new RequestParts(method, RequestText.target(url), headers, body);
    }

    /// How many users a level's figure of connections means for each.
    public int usersPerConnection() {
        return grpc.filter(GrpcCalls::byCalls).isPresent() ? 1 : streams;
    }

    /// True if a call may be answered by any number of messages: one of the methods of the session
    /// streams its replies, or is known only when its path is filled.
    public boolean isStreamed() {
        return grpc.isPresent()
                && paths().anyMatch(p -> hasHole(p) || grpc.get().messages().isStreamed(p));
    }

    private static boolean hasHole(String path) {
        return path.contains("${");
    }

    /// True if the path of a request is known only when it is sent.
    public boolean hasHoles() {
        return paths().anyMatch(LoadSpec::hasHole);
    }

    /// The paths of all requests, polls among them, as they are written.
    public Stream<String> paths() {
        return workload.isEmpty()
                ? Stream.of(RequestText.target(url))
                : workload.get().journeys().stream()
                        .flatMap(j -> j.steps().stream())
                        .flatMap(s ->
                                Stream.concat(
                                        Stream.of(s.path()),
                                        s.poll().map(Workload.Poll::path).stream()));
    }

    /// The protocol's name in a result: `HTTP/1.1`, `HTTP/2`, `gRPC`.
    public String protocolLabel() {
        return grpc.isPresent() ? "gRPC" : protocol.label();
    }

    /// A request as it goes over the wire.
    ///
    /// @throws IllegalArgumentException when it is a call of gRPC whose body is no message
    public byte[] encode(RequestParts request) {
        RequestParts sent = replies.trace() ? TraceContext.in(request) : request;
        return switch (protocol) {
            case HTTP_1_1 -> RequestText.encode(this, sent);
            case HTTP_2 -> Http2Request.encode(this, grpc.map(g -> g.carried(sent)).orElse(sent));
        };
    }
}
