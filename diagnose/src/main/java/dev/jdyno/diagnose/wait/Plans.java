package dev.jdyno.diagnose.wait;

import java.util.Map;

/// How a database shows what it does for a statement.
final class Plans {
    /// By the name of the database as places of a set of thread samples begin (`frames.txt`).
    private static final Map<String, String> BY_NAME =
            Map.of(
                    "PostgreSQL", "EXPLAIN (ANALYZE, BUFFERS)",
                    "H2", "EXPLAIN ANALYZE",
                    "MySQL", "EXPLAIN ANALYZE",
                    "MariaDB", "ANALYZE FORMAT=JSON",
                    "Oracle", "DBMS_XPLAN.DISPLAY_CURSOR",
                    "SQL Server", "SET STATISTICS XML ON");

    private Plans() {}

    /// @param place text that names the database; any of them may be meant where it names none
    static String of(String place) {
        return BY_NAME.entrySet().stream()
                .filter(e -> place.contains(e.getKey()))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElse("EXPLAIN");
    }
}
