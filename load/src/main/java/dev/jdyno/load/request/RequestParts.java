package dev.jdyno.load.request;

import dev.jdyno.load.request.LoadSpec.Header;
import java.util.List;
import java.util.Locale;

/// A request before it is encoded for HTTP/1.1 or HTTP/2.
///
/// @param target path and query
public record RequestParts(String method, String target, List<Header> headers, Body body) {
    public RequestParts {
        headers = List.copyOf(headers);
    }

    public boolean isHead() {
        return method.equals("HEAD");
    }

    /// The request that follows a redirect (RFC 9110 §15.4), as curl and browsers send it. After
    /// 303, and after 301 and 302 for a POST, it is a GET. 307 and 308 repeat the request
    /// unchanged.
    public RequestParts redirected(int status, String newTarget) {
        boolean toGet =
                (status == 303 && !isHead())
                        || ((status == 301 || status == 302) && method.equals("POST"));
        if (!toGet) {
            return new RequestParts(method, newTarget, headers, body);
        }
        List<Header> kept =
                headers.stream()
                        .filter(h -> !h.name().toLowerCase(Locale.ROOT).startsWith("content-"))
                        .toList();
        return new RequestParts("GET", newTarget, kept, Body.NONE);
    }
}
