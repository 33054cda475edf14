package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// A listener with a short backlog and a low limit of connections.
final class AcceptQueue implements Case {
    @Override
    public Label label() {
        return Label.of(
                "accept-queue",
                "accept-queue",
                300,
                "",
                "a short backlog and few connections for many clients");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int connections = caseSetup.vary().between("connections", 15, 30);
        int backlog = caseSetup.vary().between("backlog", 1, 4);
        int millis = caseSetup.vary().between("callMs", 10, 30);
        DownstreamClient downstream = caseSetup.downstream();
        return caseSetup.serve(
                caseSetup.tomcat().maxConnections(connections).acceptCount(backlog),
                query -> {
                    downstream.await(millis);
                    return "ok\n";
                });
    }
}
