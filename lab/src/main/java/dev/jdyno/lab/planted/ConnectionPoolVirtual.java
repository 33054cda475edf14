package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// Virtual threads that wait for a small database pool.
final class ConnectionPoolVirtual implements Case {
    /// Number of queries that the database runs at once: more than the pool has connections.
    private static final int SLOTS = 100;

    @Override
    public Label label() {
        return Label.of(
                        "connection-pool-virtual",
                        "connection-pool",
                        20,
                        "Hikari",
                        "Tomcat on virtual threads, HikariCP with a few connections")
                .jdkFrom(21);
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int connections = caseSetup.vary().between("connections", 3, 6);
        int millis = caseSetup.vary().between("queryMs", 10, 30);
        Store store = Store.start(caseSetup, connections, SLOTS);
        return caseSetup.serve(
                caseSetup.tomcat().onVirtualThreads(),
                query -> {
                    store.query(millis);
                    return "ok\n";
                });
    }
}
