package dev.jdyno.serve;

import io.javalin.http.Context;

/// Security headers of every response.
final class PageHeaders {
    private PageHeaders() {}

    /// Forbids loading from other sites, and showing these pages in a frame of another site. Forms
    /// may send requests to this server only; pages without a form forbid forms in their own
    /// policy.
    static void into(Context request) {
        request.header("X-Content-Type-Options", "nosniff");
        request.header("X-Frame-Options", "DENY");
        request.header("Referrer-Policy", "no-referrer");
        request.header("Cross-Origin-Resource-Policy", "same-origin");
        request.header("Cache-Control", "no-store");
        request.header(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline';"
                        + " connect-src 'self'; base-uri 'none'; form-action 'self';"
                        + " frame-ancestors 'none'");
    }
}
