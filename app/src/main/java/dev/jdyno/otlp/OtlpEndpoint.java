package dev.jdyno.otlp;

import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.Secrets;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The place to which metrics are sent.
///
/// @param url with the path of metrics
/// @param headers sent with each request, such as credentials
public record OtlpEndpoint(URI url, Map<String, String> headers) {
    /// Path of metrics below the address of a collector, by the protocol's specification.
    private static final String PATH = "/v1/metrics";

    /// The default port of OTLP over gRPC, which refuses OTLP over HTTP.
    private static final int GRPC_PORT = 4317;

    /// A name of an HTTP header (RFC 9110).
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    public OtlpEndpoint {
        headers = Map.copyOf(headers);
    }

    /// Parses the address of a collector. As with `OTEL_EXPORTER_OTLP_ENDPOINT`, the path of
    /// metrics is added to it; a URL that ends with that path stays as it is.
    ///
    /// @throws IllegalArgumentException if the text is not such an address, with the reason
    public static OtlpEndpoint parse(String text) {
        URI url = HttpUrl.parse(text);
        if (url.getHost() == null) {
            throw new IllegalArgumentException("'" + text + "' names no host that Java accepts");
        }
        if (url.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "credentials in the URL are not sent: give them in OTEL_EXPORTER_OTLP_HEADERS,"
                            + " such as Authorization=Basic%20…");
        }
        if (url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "'" + text + "' has a query or a fragment: give the collector's address alone");
        }
        String path = url.getRawPath();
        String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return new OtlpEndpoint(
                HttpUrl.withPath(url, base.endsWith(PATH) ? base : base + PATH), Map.of());
    }

    /// The same place with the headers of `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,name=value`,
    /// with `%XX` for characters that have a meaning.
    ///
    /// @throws IllegalArgumentException if the text has another form; the reason shows no value
    public OtlpEndpoint withHeaders(String text) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String entry : text.split(",", -1)) {
            if (entry.isBlank()) {
                continue;
            }
            int equals = entry.indexOf('=');
            String name = equals < 0 ? "" : entry.substring(0, equals).strip();
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "entry " + (all.size() + 1) + " is not of the form name=value");
            }
            all.put(name, value(name, entry.substring(equals + 1).strip()));
        }
        return new OtlpEndpoint(url, all);
    }

    private static String value(String name, String encoded) {
        String value;
        try {
            // The decoder reads `+` as a blank, as forms do; here it is a plus.
            value = URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the value of " + name + " has a % that is not the start of %XX", e);
        }
        if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "the value of " + name + " has characters that a header cannot hold");
        }
        return value;
    }

    /// True if the port is that of OTLP over gRPC.
    boolean isPortOfGrpc() {
        return url.getPort() == GRPC_PORT;
    }

    @Override
    public String toString() {
        return Secrets.text(url.toString());
    }
}
