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
    public Running start(CaseSetup ground) throws IOException {
        int connections = ground.vary().between("connections", 3, 7);
        int millis = ground.vary().between("queryMs", 12, 30);
        Store store = Store.start(ground, connections, 1000);
        return ground.serve(query -> {
            store.query(millis);
            return "ok\n";
        });
    }
}
