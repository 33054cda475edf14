package dev.jdyno.measure.load;

import java.net.URI;
import java.util.Locale;

/// The address of a gRPC method as users write it, `grpc://host:port/package.Service/Method`;
/// `grpcs://` over TLS. Connections are made to the HTTP/2 URL that it corresponds to.
public final class GrpcUrl {
    private static final String PLAIN = "grpc://";
    private static final String TLS = "grpcs://";

    private GrpcUrl() {}

    /// True if the text is an address of gRPC.
    public static boolean is(String text) {
        String start = text.strip().toLowerCase(Locale.ROOT);
        return start.startsWith(PLAIN) || start.startsWith(TLS);
    }

    /// The HTTP/2 URL that the calls use.
    ///
    /// @throws IllegalArgumentException when the text is not an address, with the reason
    public static URI http(String text) {
        String trimmed = text.strip();
        if (!is(trimmed)) {
            throw new IllegalArgumentException(
                    "'" + text + "' does not start with grpc:// or grpcs://");
        }
        boolean tls = trimmed.toLowerCase(Locale.ROOT).startsWith(TLS);
        return HttpUrl.parse(
                (tls ? "https://" : "http://")
                        + trimmed.substring(tls ? TLS.length() : PLAIN.length()));
    }

    /// The `grpc` address, as users write it, of the HTTP/2 URL that the calls use.
    public static String of(URI http) {
        String text = http.toString();
        return text.regionMatches(true, 0, "https://", 0, 8)
                ? TLS + text.substring(8)
                : PLAIN + text.substring(7);
    }
}
