package dev.jdyno.load;

import dev.jdyno.measure.Workload;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a session sends and within which bounds; how much of it is a {@link Level}. Made by {@link
/// #to}.
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
/// @param mostRedirects hops that a request is followed over; 0: a redirect is a reply like others
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
        int mostRedirects) {

    /// One request header.
    public record Header(String name, String value) {}

    /// How the engine talks to the kernel.
    public enum Transport {
        /// Epoll where there is one, java.nio elsewhere.
        AUTO,
        EPOLL,
        NIO
    }

    public LoadSpec {
        headers = List.copyOf(headers);
        resolve = Map.copyOf(resolve);
        sources = List.copyOf(sources);
        if (loops < 1) {
            throw new IllegalArgumentException("event loops must be ≥ 1: " + loops);
        }
        if (streams < 1 || (protocol == Protocol.HTTP_1_1 && streams > 1)) {
            throw new IllegalArgumentException("streams per connection: " + streams);
        }
        if (!connectTimeout.isPositive() || !requestTimeout.isPositive()) {
            throw new IllegalArgumentException("timeouts must be > 0");
        }
        if (!(activeShare > 0 && activeShare <= 1)) {
            throw new IllegalArgumentException("the active share must be > 0 and ≤ 1");
        }
    }

    public static Builder to(URI url) {
        return new Builder(url);
    }

    /// What one of several processes sends of this.
    LoadSpec part(Part mine) {
        return builder()
                .part(mine)
                .mostRequests(
                        mostRequests.map(
                                n -> n / mine.of() + (mine.index() < n % mine.of() ? 1 : 0)))
                .mostBacklog(Math.max(1, mine.share(mostBacklog)))
                .build();
    }

    /// The same, from these local addresses.
    LoadSpec from(List<InetAddress> local) {
        return builder().sources(local).build();
    }

    private Builder builder() {
        var b = new Builder(url);
        b.method = method;
        b.headers.addAll(headers);
        b.body = body;
        b.keepAlive = keepAlive;
        b.connectTimeout = connectTimeout;
        b.requestTimeout = requestTimeout;
        b.loops = loops;
        b.spin = spin;
        b.mostReplyBytes = mostReplyBytes;
        b.mostBacklog = mostBacklog;
        b.mostRequests = mostRequests;
        b.resolve.putAll(resolve);
        b.sources = sources;
        b.slow = slow;
        b.activeShare = activeShare;
        b.part = part;
        b.transport = transport;
        b.tls = tls;
        b.unixSocket = unixSocket;
        b.workload = workload;
        b.protocol = protocol;
        b.streams = streams;
        b.mostRedirects = mostRedirects;
        return b;
    }

    /// The port of the URL, or that of its scheme.
    int port() {
        return port(url);
    }

    static int port(URI url) {
        return url.getPort() >= 0
                ? url.getPort()
                : "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
    }

    boolean isTls() {
        return "https".equalsIgnoreCase(url.getScheme());
    }

    /// The one request of a session without a workload.
    RequestParts parts() {
        return new RequestParts(method, RequestText.target(url), headers, body);
    }

    /// A request as it goes over the wire.
    byte[] encode(RequestParts request) {
        return switch (protocol) {
            case HTTP_1_1 -> RequestText.encode(this, request);
            case HTTP_2 -> Http2Request.encode(this, request);
        };
    }

    /// Collects a {@link LoadSpec}; everything but the URL has a default.
    public static final class Builder {
        private final URI url;
        private String method = "GET";
        private final List<Header> headers = new ArrayList<>();
        private Body body = Body.NONE;
        private boolean keepAlive = true;
        private Duration connectTimeout = Duration.ofSeconds(5);
        private Duration requestTimeout = Duration.ofSeconds(30);
        private int loops = defaultLoops();
        private Duration spin = Duration.ofNanos(60_000);
        private long mostReplyBytes = 1L << 30;
        private int mostBacklog = 1 << 20;
        private Optional<Long> mostRequests = Optional.empty();
        private final Map<String, InetAddress> resolve = new LinkedHashMap<>();
        private List<InetAddress> sources = List.of();
        private SlowClients slow = SlowClients.NONE;
        private double activeShare = 1;
        private Part part = Part.WHOLE;
        private Transport transport = Transport.AUTO;
        private TlsSettings tls = TlsSettings.DEFAULT;
        private Optional<Path> unixSocket = Optional.empty();
        private Optional<Workload> workload = Optional.empty();
        private Protocol protocol = Protocol.HTTP_1_1;
        private int streams = 1;
        private int mostRedirects;

        private Builder(URI url) {
            this.url = url;
        }

        /// Half the cores: the other half is the target's when both share a machine. One loop sends
        /// some 100,000 requests a second.
        private static int defaultLoops() {
            return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 8);
        }

        public Builder method(String value) {
            method = value;
            return this;
        }

        public Builder header(String name, String value) {
            headers.add(new Header(name, value));
            return this;
        }

        public Builder body(Body value) {
            body = value;
            return this;
        }

        public Builder keepAlive(boolean value) {
            keepAlive = value;
            return this;
        }

        public Builder connectTimeout(Duration value) {
            connectTimeout = value;
            return this;
        }

        public Builder requestTimeout(Duration value) {
            requestTimeout = value;
            return this;
        }

        public Builder loops(int value) {
            loops = value;
            return this;
        }

        public Builder spin(Duration value) {
            spin = value;
            return this;
        }

        public Builder mostReplyBytes(long value) {
            mostReplyBytes = value;
            return this;
        }

        public Builder mostBacklog(int value) {
            mostBacklog = value;
            return this;
        }

        public Builder mostRequests(long value) {
            return mostRequests(Optional.of(value));
        }

        Builder mostRequests(Optional<Long> value) {
            mostRequests = value;
            return this;
        }

        public Builder resolve(String host, InetAddress address) {
            resolve.put(host, address);
            return this;
        }

        public Builder sources(List<InetAddress> value) {
            sources = List.copyOf(value);
            return this;
        }

        public Builder slow(SlowClients value) {
            slow = value;
            return this;
        }

        public Builder activeShare(double value) {
            activeShare = value;
            return this;
        }

        public Builder part(Part value) {
            part = value;
            return this;
        }

        public Builder transport(Transport value) {
            transport = value;
            return this;
        }

        public Builder tls(TlsSettings value) {
            tls = value;
            return this;
        }

        public Builder unixSocket(Path value) {
            unixSocket = Optional.of(value);
            return this;
        }

        public Builder workload(Workload value) {
            workload = Optional.of(value);
            return this;
        }

        public Builder http2(int streamsPerConnection) {
            protocol = Protocol.HTTP_2;
            streams = streamsPerConnection;
            return this;
        }

        public Builder followRedirects(int most) {
            mostRedirects = most;
            return this;
        }

        public LoadSpec build() {
            return new LoadSpec(
                    url,
                    method,
                    headers,
                    body,
                    keepAlive,
                    connectTimeout,
                    requestTimeout,
                    loops,
                    spin,
                    mostReplyBytes,
                    mostBacklog,
                    mostRequests,
                    resolve,
                    sources,
                    slow,
                    activeShare,
                    part,
                    transport,
                    tls,
                    unixSocket,
                    workload,
                    protocol,
                    streams,
                    mostRedirects);
        }
    }
}
