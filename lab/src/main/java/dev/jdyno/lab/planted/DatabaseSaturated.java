package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// A database that runs only a few queries at once, behind a pool with enough connections.
final class DatabaseSaturated implements Case {
    @Override
    public Label label() {
        return Label.of(
                "database-saturated",
                "database",
                20,
                "127.0.0.1",
                "a database that runs a few slow queries at once");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int slots = caseSetup.vary().between("slots", 2, 5);
        int millis = caseSetup.vary().between("queryMs", 12, 30);
        Store store = Store.start(caseSetup, 100, slots);
        return caseSetup.serve(query -> {
            store.query(millis);
            return "ok\n";
        });
    }
}
