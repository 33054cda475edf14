package dev.jdyno.cli.options;

import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.measure.text.Problems;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `jdyno load` for the version of HTTP, named as in curl and h2load.
final class ProtocolOptions {
    /// Maximum streams on one connection; no server allows more by default.
    private static final int MAX_STREAMS = 10_000;

    private static final int DEFAULT_REDIRECTS = 10;

    @Option(
            names = "--http2",
            description = "HTTP/2 over TLS (ALPN h2). A server that does not agree is an error.")
    private boolean http2;

    @Option(
            names = "--http2-prior-knowledge",
            description = "HTTP/2 at once, also without TLS (h2c).")
    private boolean priorKnowledge;

    @Option(
            names = {"--max-concurrent-streams", "--streams"},
            paramLabel = "N",
            description =
                    "HTTP/2, gRPC: requests at a time on each connection, h2load's -m. Closed model: users"
                            + " per connection. Default: 1")
    private @Nullable Integer streams;

    @Option(
            names = {"-L", "--location"},
            description =
                    "Follow redirects on the same server; latency is until the last reply. Without"
                            + " it a redirect is a good reply.")
    private boolean follow;

    @Option(
            names = "--max-redirs",
            paramLabel = "N",
            description = "With -L: more hops in a row are an error. Default: 10")
    private @Nullable Integer mostRedirects;

    /// Number of concurrent requests on each connection.
    int streams() {
        return streams == null ? 1 : streams;
    }

    /// @param method as given; a number is the value of h2load's `-m`
    ///
    /// @param grpc true if the requests are gRPC calls, which imply HTTP/2
    void read(
            Problems problems,
            URI url,
            boolean keepAlive,
            String method,
            boolean grpc,
            LoadSpecBuilder spec) {
        boolean any = http2 || priorKnowledge || grpc;
        boolean tls = "https".equalsIgnoreCase(url.getScheme());
        if (http2 && !priorKnowledge && !grpc && !tls) {
            problems.add(
                    "--http2",
                    "without TLS nothing negotiates HTTP/2: RFC 9113 has no Upgrade any more",
                    "give --http2-prior-knowledge for h2c, or an https:// URL");
        }
        if (any && !keepAlive) {
            problems.add(
                    "--no-keepalive",
                    "an HTTP/2 connection carries many requests",
                    "leave it out, or load over HTTP/1.1");
        }
        if (streams != null && !any) {
            problems.add(
                    "--max-concurrent-streams",
                    "an HTTP/1.1 connection carries one request at a time",
                    "add --http2 or --http2-prior-knowledge, or raise -c");
        }
        if (streams != null && (streams < 1 || streams > MAX_STREAMS)) {
            problems.add(
                    "--max-concurrent-streams " + streams,
                    "must be 1…" + MAX_STREAMS,
                    "servers allow 100 to 256 by default");
            return;
        }
        if (method.chars().allMatch(Character::isDigit)) {
            problems.add(
                    "-m " + method,
                    "-m is the method here",
                    "h2load's -m is --max-concurrent-streams " + method);
        }
        if (mostRedirects != null && (mostRedirects < 1 || !follow)) {
            problems.add(
                    "--max-redirs " + mostRedirects,
                    "it bounds what -L follows, and must be ≥ 1",
                    "e.g. -L --max-redirs 5; without -L nothing is followed");
        }
        if (grpc && follow) {
            problems.add("-L", "gRPC has no redirects", "leave it out");
        }
        if (follow) {
            spec.followRedirects(mostRedirects == null ? DEFAULT_REDIRECTS : mostRedirects);
        }
        if (any) {
            spec.http2(streams());
        }
    }
}
