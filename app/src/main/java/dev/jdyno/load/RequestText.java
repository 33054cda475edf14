package dev.jdyno.load;

import dev.jdyno.load.LoadSpec.Header;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/// HTTP/1.1 requests as bytes.
final class RequestText {
    private RequestText() {}

    /// The path and query of a URL; `/` when it has none.
    static String target(URI url) {
        String raw = url.getRawPath();
        String path = raw == null || raw.isEmpty() ? "/" : raw;
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    static byte[] encode(
            LoadSpec spec, String method, String target, List<Header> headers, Body body) {
        var text = new StringBuilder();
        text.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
        if (!has(headers, "host")) {
            text.append("Host: ").append(spec.url().getRawAuthority()).append("\r\n");
        }
        for (Header h : headers) {
            text.append(h.name()).append(": ").append(h.value()).append("\r\n");
        }
        if (!has(headers, "user-agent")) {
            text.append("User-Agent: jdyno\r\n");
        }
        if (!spec.keepAlive() && !has(headers, "connection")) {
            text.append("Connection: close\r\n");
        }
        boolean bodyExpected =
                body.length() > 0 || List.of("POST", "PUT", "PATCH").contains(method);
        if (bodyExpected && !has(headers, "content-length") && !has(headers, "transfer-encoding")) {
            text.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        text.append("\r\n");
        byte[] head = text.toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[head.length + body.length()];
        System.arraycopy(head, 0, all, 0, head.length);
        body.copyTo(all, head.length);
        return all;
    }

    private static boolean has(List<Header> headers, String lowerCaseName) {
        return headers.stream()
                .anyMatch(h -> h.name().toLowerCase(Locale.ROOT).equals(lowerCaseName));
    }
}
