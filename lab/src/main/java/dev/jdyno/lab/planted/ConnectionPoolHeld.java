package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// A request holds a database connection while it does other work.
final class ConnectionPoolHeld implements Case {
    @Override
    public Label label() {
        return Label.of(
                "connection-pool-held",
                "connection-pool",
                20,
                "Hikari",
                "HikariCP with a few connections, held over a sleep");
    }

    @Override
    public Running start(CaseSetup ground) throws IOException {
        int connections = ground.vary().between("connections", 3, 7);
        int millis = ground.vary().between("heldMs", 12, 30);
        Store store = Store.start(ground, connections, 1000);
        return ground.serve(query -> {
            store.queryAndKeep(millis);
            return "ok\n";
        });
    }
}
