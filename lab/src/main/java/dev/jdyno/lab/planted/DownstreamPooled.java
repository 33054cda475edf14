package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// A downstream with few slots behind a pool that is nearly as large as the load. The pool is also
/// saturated, but a larger one would not help.
final class DownstreamPooled implements Case {
    @Override
    public Label label() {
        return Label.of(
                        "downstream-pooled",
                        "downstream",
                        20,
                        "127.0.0.1",
                        "a called service with a few slots behind a pool with enough connections")
                .also("connection-pool");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int slots = caseSetup.vary().between("slots", 2, 4);
        int connections = caseSetup.vary().between("connections", 18, 30);
        int millis = caseSetup.vary().between("callMs", 10, 30);
        DownstreamClient downstream =
                caseSetup.client(caseSetup.startDownstream("--slots", "" + slots), connections);
        return caseSetup.serve(query -> {
            downstream.await(millis);
            return "ok\n";
        });
    }
}
