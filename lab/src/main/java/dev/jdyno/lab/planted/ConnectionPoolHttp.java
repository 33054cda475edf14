package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// An HTTP client pool with fewer connections than concurrent requests.
final class ConnectionPoolHttp implements Case {
    @Override
    public Label label() {
        return Label.of(
                "connection-pool-http",
                "connection-pool",
                20,
                "",
                "an HTTP client with a few pooled connections to a service that has room");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int connections = caseSetup.vary().between("connections", 3, 7);
        int millis = caseSetup.vary().between("callMs", 15, 40);
        DownstreamClient few = caseSetup.client(caseSetup.startDownstream(), connections);
        return caseSetup.serve(query -> {
            few.await(millis);
            return "ok\n";
        });
    }
}
