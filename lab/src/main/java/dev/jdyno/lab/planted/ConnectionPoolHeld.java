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
    public Running start(CaseSetup caseSetup) throws IOException {
        int connections = caseSetup.vary().between("connections", 3, 7);
        int millis = caseSetup.vary().between("heldMs", 12, 30);
        Store store = Store.start(caseSetup, connections, 1000);
        return caseSetup.serve(query -> {
            store.queryAndKeep(millis);
            return "ok\n";
        });
    }
}
