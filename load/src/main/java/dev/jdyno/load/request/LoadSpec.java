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

/// The requests that a session sends, and their limits. The `Level` sets the amount of load. Made
/// by {@link #to}.
///
/// @param url `http://` or `https://host[:port]/path?query`
/// @param headers sent as given, after Host
/// @param keepAlive false: each request has its own connection, and its latency includes connecting
/// @param connectTimeout maximum time to make a connection
/// @param requestTimeout maximum time from the send to the last byte; also the maximum time that an
///   arrival waits in the backlog
/// @param loops number of event loops, each a thread with its own connections
/// @param spin time before a due send of the open model from which the loop polls instead of
///   sleeping, for precision; zero: never
/// @param mostReplyBytes maximum length of a reply; a longer one is an error
/// @param mostBacklog maximum number of arrivals that wait for a free connection, over all loops;
///   further ones are dropped and counted
/// @param mostRequests maximum number of requests (in the open model: of arrivals); empty: no limit
/// @param resolve addresses by host name, used instead of DNS
/// @param sources local addresses to connect from, in turn; empty: the system's choice
/// @param slow which connections read slowly, and how slowly
/// @param activeShare share of the connections that send requests, rounded up in each loop; the
///   others are only held open
/// @param part the part of the load that this process carries
/// @param transport poller to use
/// @param tls TLS settings for `https`
/// @param workload the journeys that users make instead of the one request; empty: the one request
/// @param unixSocket Unix domain socket to connect to instead of the URL's host and port
/// @param protocol HTTP version, the same on every connection
/// @param streams number of concurrent requests on each connection: 1 in HTTP/1.1
/// @param grpc turns the requests into gRPC calls; empty: they are plain HTTP
/// @param mostRedirects maximum number of redirects that a request follows; 0: a redirect is a
///   reply like others
/// @param replies rules for events in replies and for the end of a long reply
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
        /// @throws IllegalArgumentException if the name or the value is not allowed in a request
        public Header {
            HttpWords.headerName(name);
            HttpWords.headerValue(value);
        }
    }

    /// @throws IllegalArgumentException if a value is not valid
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

    /// Returns the part of this load for one of several processes.
    public LoadSpec part(Part mine) {
        return builder()
                .part(mine)
                .mostRequests(
                        mostRequests.map(
                                n -> n / mine.of() + (mine.index() < n % mine.of() ? 1 : 0)))
                .mostBacklog(Math.max(1, mine.share(mostBacklog)))
                .build();
    }

    /// Returns the same load with other local addresses.
    public LoadSpec from(List<InetAddress> local) {
        return builder().sources(local).build();
    }

    /// @throws dev.jdyno.measure.text.UserError of kind usage if the trusted certificates cannot be
    ///   read
    public void checkTls() {
        if (isTls()) {
            tls.context();
        }
    }

    /// The same requests as gRPC calls.
    public LoadSpec calling(GrpcCalls calls, int streamsPerConnection) {
        return builder().grpc(calls, streamsPerConnection).build();
    }

    /// One gRPC call to the same server, with the same metadata.
    ///
    /// @param path path of the method
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

    /// The port of the URL, or the default of its scheme.
    public int port() {
        return HttpUrl.port(url);
    }

    /// Host of the URL; empty if the URL has none.
    public String host() {
        return HttpUrl.host(url).orElse("");
    }

    /// The URL of the server as users write it: `grpc://…` for gRPC instead of the HTTP/2 URL.
    public String address() {
        return grpc.isPresent() ? GrpcUrl.of(url) : url.toString();
    }

    public boolean isTls() {
        return "https".equalsIgnoreCase(url.getScheme());
    }

    /// The request of a session without a workload.
    public RequestParts parts() {
        return new RequestParts(method, RequestText.target(url), headers, body);
    }

    /// Number of users for each connection of a level.
    public int usersPerConnection() {
        return grpc.filter(GrpcCalls::byCalls).isPresent() ? 1 : streams;
    }

    /// True if a call may be answered by any number of messages. This is so if a method of the
    /// session streams its replies, or if a method is known only when its path is filled.
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

    /// The paths of all requests, including polls, with their placeholders.
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

    /// A request as bytes for the wire.
    ///
    /// @throws IllegalArgumentException if the request is a gRPC call and its body is not a message
    ///   of the method
    public byte[] encode(RequestParts request) {
        RequestParts sent = replies.trace() ? TraceContext.in(request) : request;
        return switch (protocol) {
            case HTTP_1_1 -> RequestText.encode(this, sent);
            case HTTP_2 -> Http2Request.encode(this, grpc.map(g -> g.carried(sent)).orElse(sent));
        };
    }
}
