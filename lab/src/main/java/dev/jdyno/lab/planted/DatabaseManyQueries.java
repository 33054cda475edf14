package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// One query for a list and one more for each of its rows (N + 1).
final class DatabaseManyQueries implements Case {
    @Override
    public Label label() {
        return Label.of(
                "database-many-queries",
                "database",
                20,
                "127.0.0.1",
                "a query for each row of a list, on a database with few slots");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int rows = caseSetup.vary().between("rows", 10, 25);
        int slots = caseSetup.vary().between("slots", 3, 6);
        Store store = Store.start(caseSetup, 100, slots);
        return caseSetup.serve(query -> {
            for (int row = 0; row <= rows; row++) {
                store.query(2);
            }
            return "ok\n";
        });
    }
}
