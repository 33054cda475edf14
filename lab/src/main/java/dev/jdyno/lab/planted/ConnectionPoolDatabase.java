package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// A database pool with fewer connections than concurrent requests, all of them in use.
final class ConnectionPoolDatabase implements Case {
    @Override
    public Label label() {
        return Label.of(
                "connection-pool-database",
                "connection-pool",
                20,
                "Hikari",
                "HikariCP with a few connections, busy with queries");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int connections = caseSetup.vary().between("connections", 3, 7);
        int millis = caseSetup.vary().between("queryMs", 12, 30);
        Store store = Store.start(caseSetup, connections, 1000);
        return caseSetup.serve(query -> {
            store.query(millis);
            return "ok\n";
        });
    }
}
