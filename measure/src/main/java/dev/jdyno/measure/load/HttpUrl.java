package dev.jdyno.measure.load;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/// Parses the address of a service, as people write it and curl accepts it, to a {@link URI}.
///
/// A host may contain an underscore, as names of services in Docker Compose do. `URI` accepts such
/// an authority but finds no host in it. Blanks, braces and similar characters in path and query,
/// which RFC 3986 does not allow, are sent as `%XX`; servers decode them to the same characters.
/// Control characters are refused, as curl refuses them.
public final class HttpUrl {
    /// Characters allowed in a URI's path and query (RFC 3986), besides letters and digits.
    private static final String ALLOWED = "-._~:/?#@!$&'()*+,;=";

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private HttpUrl() {}

    /// @param text the address with its scheme
    /// @throws IllegalArgumentException when the text is not an address, with the reason
    public static URI parse(String text) {
        String trimmed = text.trim();
        if (trimmed.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "'" + text + "' has control characters: write them as %XX");
        }
        int authority = trimmed.indexOf("://");
        int path = authority < 0 ? -1 : pathOf(trimmed, authority + 3);
        URI url;
        try {
            url =
                    new URI(
                            path < 0
                                    ? trimmed
                                    : trimmed.substring(0, path)
                                            + encoded(trimmed.substring(path)));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not a URL: " + e.getMessage(), e);
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException(
                    "'" + text + "' does not start with http:// or https://");
        }
        if (host(url).isEmpty()) {
            throw new IllegalArgumentException("'" + text + "' names no host");
        }
        if (port(url) > 65535 || port(url) < 0) {
            throw new IllegalArgumentException("port " + port(url) + " is above 65535");
        }
        return url;
    }

    /// Index of the first character of the path, the query or the fragment; -1 when there is none.
    private static int pathOf(String url, int from) {
        for (int i = from; i < url.length(); i++) {
            char c = url.charAt(i);
            if (c == '/' || c == '?' || c == '#') {
                return i;
            }
        }
        return -1;
    }

    private static String encoded(String text) {
        var out = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            boolean plain = c < 128 && (Character.isLetterOrDigit(c) || ALLOWED.indexOf(c) >= 0);
            if (plain || (c == '%' && isEscape(text, i))) {
                out.appendCodePoint(c);
            } else {
                for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                    out.append('%').append(HEX.toHexDigits(b));
                }
            }
            i += Character.charCount(c);
        }
        return out.toString();
    }

    private static boolean isEscape(String text, int at) {
        return at + 2 < text.length()
                && HexFormat.isHexDigit(text.charAt(at + 1))
                && HexFormat.isHexDigit(text.charAt(at + 2));
    }

    /// The host; empty when there is none.
    public static Optional<String> host(URI url) {
        if (url.getHost() != null) {
            return Optional.of(url.getHost());
        }
        String server = server(url);
        int colon = server.lastIndexOf(':');
        return Optional.of(colon < 0 ? server : server.substring(0, colon))
                .filter(h -> !h.isEmpty());
    }

    /// The port, or the default port of the scheme; -1 when the text in place of the port is not a
    /// number.
    public static int port(URI url) {
        int port = url.getPort();
        if (port >= 0) {
            return port;
        }
        String server = url.getHost() == null ? server(url) : "";
        int colon = server.lastIndexOf(':');
        if (colon >= 0 && colon < server.length() - 1) {
            try {
                return Integer.parseInt(server.substring(colon + 1));
            } catch (NumberFormatException notAPort) {
                return -1;
            }
        }
        boolean tls =
                "https".equalsIgnoreCase(url.getScheme())
                        || "grpcs".equalsIgnoreCase(url.getScheme());
        return tls ? 443 : 80;
    }

    /// The same URL with another path and no query.
    public static URI withPath(URI url, String path) {
        return URI.create(url.getScheme() + "://" + url.getRawAuthority() + path);
    }

    /// The same URL with another port.
    public static URI at(URI url, int port) {
        String authority = url.getRawAuthority() == null ? "" : url.getRawAuthority();
        return URI.create(
                url.getScheme()
                        + "://"
                        + authority.substring(0, authority.lastIndexOf('@') + 1)
                        + host(url).orElse("")
                        + ":"
                        + port
                        + (url.getRawPath() == null ? "" : url.getRawPath())
                        + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery()));
    }

    private static String server(URI url) {
        String authority = url.getRawAuthority() == null ? "" : url.getRawAuthority();
        return authority.substring(authority.lastIndexOf('@') + 1);
    }
}
