package dev.jdyno.load.request;

import dev.jdyno.load.pacing.Part;
import dev.jdyno.load.wire.TlsSettings;
import dev.jdyno.load.wire.Transport;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Workload;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Builds a {@link LoadSpec}. Every value except the URL has a default.
public final class LoadSpecBuilder {
    private final URI url;
    private String method = "GET";
    private final List<LoadSpec.Header> headers = new ArrayList<>();
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
    private Optional<GrpcCalls> grpc = Optional.empty();
    private int mostRedirects;
    private ReplyRules replies = ReplyRules.NONE;

    LoadSpecBuilder(URI url) {
        this.url = url;
    }

    /// A builder with all values of a spec.
    static LoadSpecBuilder like(LoadSpec spec) {
        var b = new LoadSpecBuilder(spec.url());
        b.method = spec.method();
        b.headers.addAll(spec.headers());
        b.body = spec.body();
        b.keepAlive = spec.keepAlive();
        b.connectTimeout = spec.connectTimeout();
        b.requestTimeout = spec.requestTimeout();
        b.loops = spec.loops();
        b.spin = spec.spin();
        b.mostReplyBytes = spec.mostReplyBytes();
        b.mostBacklog = spec.mostBacklog();
        b.mostRequests = spec.mostRequests();
        b.resolve.putAll(spec.resolve());
        b.sources = spec.sources();
        b.slow = spec.slow();
        b.activeShare = spec.activeShare();
        b.part = spec.part();
        b.transport = spec.transport();
        b.tls = spec.tls();
        b.unixSocket = spec.unixSocket();
        b.workload = spec.workload();
        b.protocol = spec.protocol();
        b.streams = spec.streams();
        b.grpc = spec.grpc();
        b.mostRedirects = spec.mostRedirects();
        b.replies = spec.replies();
        return b;
    }

    /// A builder for another URL of the same server, with the spec's headers and connection
    /// settings.
    static LoadSpecBuilder sameServer(LoadSpec spec, URI url) {
        var b = new LoadSpecBuilder(url);
        b.headers.addAll(spec.headers());
        b.connectTimeout = spec.connectTimeout();
        b.resolve.putAll(spec.resolve());
        b.transport = spec.transport();
        b.tls = spec.tls();
        b.unixSocket = spec.unixSocket();
        return b;
    }

    /// Default number of loops: half of the cores, because the target uses the other half if both
    /// share a machine. One loop sends some 100,000 requests a second.
    private static int defaultLoops() {
        return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 8);
    }

    public LoadSpecBuilder method(String value) {
        method = value;
        return this;
    }

    public LoadSpecBuilder header(String name, String value) {
        headers.add(new LoadSpec.Header(name, value));
        return this;
    }

    public LoadSpecBuilder body(Body value) {
        body = value;
        return this;
    }

    public LoadSpecBuilder keepAlive(boolean value) {
        keepAlive = value;
        return this;
    }

    public LoadSpecBuilder connectTimeout(Duration value) {
        connectTimeout = value;
        return this;
    }

    public LoadSpecBuilder requestTimeout(Duration value) {
        requestTimeout = value;
        return this;
    }

    public LoadSpecBuilder loops(int value) {
        loops = value;
        return this;
    }

    public LoadSpecBuilder spin(Duration value) {
        spin = value;
        return this;
    }

    public LoadSpecBuilder mostReplyBytes(long value) {
        mostReplyBytes = value;
        return this;
    }

    public LoadSpecBuilder mostBacklog(int value) {
        mostBacklog = value;
        return this;
    }

    public LoadSpecBuilder mostRequests(long value) {
        return mostRequests(Optional.of(value));
    }

    LoadSpecBuilder mostRequests(Optional<Long> value) {
        mostRequests = value;
        return this;
    }

    public LoadSpecBuilder resolve(String host, InetAddress address) {
        resolve.put(host, address);
        return this;
    }

    public LoadSpecBuilder sources(List<InetAddress> value) {
        sources = List.copyOf(value);
        return this;
    }

    public LoadSpecBuilder slow(SlowClients value) {
        slow = value;
        return this;
    }

    public LoadSpecBuilder activeShare(double value) {
        activeShare = value;
        return this;
    }

    public LoadSpecBuilder part(Part value) {
        part = value;
        return this;
    }

    public LoadSpecBuilder transport(Transport value) {
        transport = value;
        return this;
    }

    public LoadSpecBuilder tls(TlsSettings value) {
        tls = value;
        return this;
    }

    public LoadSpecBuilder unixSocket(Path value) {
        unixSocket = Optional.of(value);
        return this;
    }

    public LoadSpecBuilder workload(Workload value) {
        workload = Optional.of(value);
        return this;
    }

    public LoadSpecBuilder http2(int streamsPerConnection) {
        protocol = Protocol.HTTP_2;
        streams = streamsPerConnection;
        return this;
    }

    /// Turns the requests into gRPC calls over HTTP/2.
    public LoadSpecBuilder grpc(GrpcCalls value, int streamsPerConnection) {
        grpc = Optional.of(value);
        return http2(streamsPerConnection);
    }

    public LoadSpecBuilder followRedirects(int max) {
        mostRedirects = max;
        return this;
    }

    public LoadSpecBuilder replies(ReplyRules value) {
        replies = value;
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
                grpc,
                mostRedirects,
                replies);
    }
}
