package dev.jdyno.bench;

import io.helidon.webserver.WebServer;

/// The page on Helidon, in a separate class because Helidon's classes need Java 21.
final class FastHelidon {
    private FastHelidon() {}

    static int start() {
        return WebServer.builder()
                .host(Fast.HOST)
                .port(0)
                .routing(r -> r.get("/", (request, response) -> response.send(Fast.ANSWER)))
                .build()
                .start()
                .port();
    }
}
