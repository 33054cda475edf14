package dev.jdyno.cli.options;

import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.wire.Transport;
import dev.jdyno.measure.text.Problems;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of `jdyno load` for the connection to the server, named as in curl.
final class ConnectOptions {
    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            description = "Default: ${DEFAULT-VALUE}")
    private String connectTimeout = "5s";

    @Option(
            names = "--no-keepalive",
            description = "Open a connection for each request; latency includes connecting.")
    private boolean noKeepAlive;

    @Option(
            names = "--resolve",
            paramLabel = "HOST[:PORT]:IP",
            description = "Use this address for a host instead of asking DNS.")
    private List<String> resolve = List.of();

    @Option(
            names = "--source",
            paramLabel = "IP",
            split = ",",
            description = "Local addresses to connect from, in turn.")
    private List<String> sources = List.of();

    @Mixin private TlsOptions tls = new TlsOptions();

    @Option(
            names = "--unix-socket",
            paramLabel = "PATH",
            description = "Connect to this Unix socket instead of the URL's host and port.")
    private @Nullable Path unixSocket;

    @Option(
            names = "--transport",
            paramLabel = "KIND",
            defaultValue = "auto",
            description = "auto, epoll or nio. Default: ${DEFAULT-VALUE}")
    private Transport transport;

    boolean keepAlive() {
        return !noKeepAlive;
    }

    void read(OptionTexts values, LoadSpecBuilder spec) {
        spec.keepAlive(keepAlive())
                .connectTimeout(values.positive("--connect-timeout", connectTimeout))
                .transport(transport)
                .tls(tls.settings());
        if (unixSocket != null) {
            spec.unixSocket(unixSocket);
        }
        Problems problems = values.problems();
        resolve.forEach(r -> resolve(problems, spec, r));
        List<InetAddress> from = new ArrayList<>();
        sources.forEach(s -> address(problems, "--source " + s, s).ifPresent(from::add));
        spec.sources(from);
    }

    /// Reads `host:ip` or, as in curl, `host:port:ip`.
    private static void resolve(Problems problems, LoadSpecBuilder b, String text) {
        int first = text.indexOf(':');
        if (first < 1) {
            problems.add("--resolve " + text, "not HOST:IP", "e.g. --resolve shop.test:127.0.0.1");
            return;
        }
        String ip = text.substring(first + 1).replaceFirst("^\\d+:(?=.)(?![^:]*::)", "");
        address(problems, "--resolve " + text, ip.replaceAll("[\\[\\]]", ""))
                .ifPresent(a -> b.resolve(text.substring(0, first), a));
    }

    private static Optional<InetAddress> address(Problems problems, String where, String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            problems.add(where, "'" + text + "' is not an IP address", "e.g. 127.0.0.1 or ::1");
            return Optional.empty();
        }
    }
}
