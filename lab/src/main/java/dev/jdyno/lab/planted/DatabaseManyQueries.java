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
    public Running start(CaseSetup ground) throws IOException {
        int rows = ground.vary().between("rows", 10, 25);
        int slots = ground.vary().between("slots", 3, 6);
        Store store = Store.start(ground, 100, slots);
        return ground.serve(query -> {
            for (int row = 0; row <= rows; row++) {
                store.query(2);
            }
            return "ok\n";
        });
    }
}
