package dev.jdyno.load.request;

import dev.jdyno.load.request.LoadSpec.Header;
import dev.jdyno.measure.text.Secrets;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/// HTTP/1.1 requests as bytes.
public final class RequestText {
    static final String USER_AGENT = "jdyno";

    private RequestText() {}

    /// The path and query of a URL; `/` if it has none.
    public static String target(URI url) {
        String raw = url.getRawPath();
        String path = raw == null || raw.isEmpty() ? "/" : raw;
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    static byte[] encode(LoadSpec spec, RequestParts request) {
        List<Header> headers = request.headers();
        Body body = request.body();
        var text = new StringBuilder();
        text.append(request.method()).append(' ').append(request.target()).append(" HTTP/1.1\r\n");
        if (!has(headers, "host")) {
            text.append("Host: ")
                    .append(Secrets.withoutUser(spec.url().getRawAuthority()))
                    .append("\r\n");
        }
        for (Header h : headers) {
            text.append(h.name()).append(": ").append(h.value()).append("\r\n");
        }
        if (!has(headers, "user-agent")) {
            text.append("User-Agent: ").append(USER_AGENT).append("\r\n");
        }
        if (!spec.keepAlive() && !has(headers, "connection")) {
            text.append("Connection: close\r\n");
        }
        if (expectsBody(request.method(), body)
                && !has(headers, "content-length")
                && !has(headers, "transfer-encoding")) {
            text.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        text.append("\r\n");
        byte[] head = text.toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[head.length + body.length()];
        System.arraycopy(head, 0, all, 0, head.length);
        body.copyTo(all, head.length);
        return all;
    }

    /// True if the server expects a Content-Length, even 0 (RFC 9110 §8.6).
    static boolean expectsBody(String method, Body body) {
        return body.length() > 0 || List.of("POST", "PUT", "PATCH").contains(method);
    }

    static boolean has(List<Header> headers, String lowerCaseName) {
        return headers.stream().anyMatch(h -> isNamed(h, lowerCaseName));
    }

    /// The value of a header; `otherwise` if the request does not have it.
    static String value(List<Header> headers, String lowerCaseName, String otherwise) {
        return headers.stream()
                .filter(h -> isNamed(h, lowerCaseName))
                .map(Header::value)
                .findFirst()
                .orElse(otherwise);
    }

    private static boolean isNamed(Header h, String lowerCaseName) {
        return h.name().toLowerCase(Locale.ROOT).equals(lowerCaseName);
    }
}
