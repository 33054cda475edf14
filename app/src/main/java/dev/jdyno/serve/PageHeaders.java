package dev.jdyno.serve;

import io.javalin.http.Context;

/// Headers of every answer for the browser.
final class PageHeaders {
    private PageHeaders() {}

    /// Nothing is loaded from elsewhere, and no other site may put these pages into a frame. Forms
    /// ask this server; a page without one forbids them in a policy of its own.
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
