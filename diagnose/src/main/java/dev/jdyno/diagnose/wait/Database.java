package dev.jdyno.diagnose.wait;

import java.util.List;
import java.util.regex.Pattern;

/// The commands with which a database shows its work. Only frames of the driver identify the
/// database. If there are none, the texts name no database.
///
/// @param name name of the database, with which its places in thread samples begin (`frames.txt`)
/// @param running query that shows the SQL of the statements that run now
/// @param plan command that shows the plan of a statement, with measured times
/// @param counts where statements are counted, with their text
/// @param locks command that shows which transactions wait for which others
/// @param slow setting that logs the text of slow statements
record Database(
        String name, String running, String plan, String counts, String locks, String slow) {
    private static final List<Database> KNOWN =
            List.of(
                    new Database(
                            "PostgreSQL",
                            "`SELECT query FROM pg_stat_activity WHERE state = 'active'`",
                            "EXPLAIN (ANALYZE, BUFFERS)",
                            "pg_stat_statements",
                            "`SELECT pid, wait_event_type, pg_blocking_pids(pid), query FROM"
                                    + " pg_stat_activity`",
                            "log_min_duration_statement=100 (ms)"),
                    new Database(
                            "MySQL",
                            "`SHOW FULL PROCESSLIST`",
                            "EXPLAIN ANALYZE",
                            "sys.statement_analysis",
                            "`SELECT waiting_query, blocking_pid, locked_table FROM"
                                    + " sys.innodb_lock_waits`",
                            "slow_query_log=ON with long_query_time=0.1 (s)"),
                    new Database(
                            "MariaDB",
                            "`SHOW FULL PROCESSLIST`",
                            "ANALYZE FORMAT=JSON",
                            "performance_schema.events_statements_summary_by_digest",
                            "`SELECT * FROM information_schema.INNODB_LOCK_WAITS`",
                            "slow_query_log=ON with long_query_time=0.1 (s)"),
                    new Database(
                            "H2",
                            "`SELECT EXECUTING_STATEMENT FROM INFORMATION_SCHEMA.SESSIONS`",
                            "EXPLAIN ANALYZE",
                            "INFORMATION_SCHEMA.QUERY_STATISTICS after SET QUERY_STATISTICS TRUE",
                            "`SELECT * FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID > 0`",
                            "SET QUERY_STATISTICS TRUE"),
                    new Database(
                            "Oracle",
                            "`SELECT q.sql_text FROM v$session s JOIN v$sql q ON q.sql_id = s.sql_id WHERE"
                                    + " s.status = 'ACTIVE'`",
                            "DBMS_XPLAN.DISPLAY_CURSOR with the hint gather_plan_statistics",
                            "v$sqlstats",
                            "`SELECT sid, event, blocking_session, sql_id FROM v$session WHERE"
                                    + " blocking_session IS NOT NULL`",
                            "v$sqlstats by elapsed_time"),
                    new Database(
                            "SQL-Server",
                            "`SELECT t.text FROM sys.dm_exec_requests CROSS APPLY"
                                    + " sys.dm_exec_sql_text(sql_handle) t`",
                            "SET STATISTICS XML ON",
                            "sys.dm_exec_query_stats",
                            "`SELECT session_id, wait_type, blocking_session_id FROM"
                                    + " sys.dm_exec_requests WHERE blocking_session_id <> 0`",
                            "ALTER DATABASE CURRENT SET QUERY_STORE = ON"));

    private static final Database UNKNOWN =
            new Database(
                    "the database",
                    "the database's list of running statements",
                    "the database's plan with times",
                    "the database's statistics of its statements",
                    "the database's view of sessions that block others",
                    "the database's log of slow statements");

    /// Returns how to find the SQL of a statement that the service sends, and how to find where the
    /// statement spends its time. Thread dumps and flight recordings contain methods and lines, but
    /// no SQL.
    String query() {
        return running
                + " shows its SQL under load, and "
                + slow
                + " keeps it; "
                + plan
                + " of it: an index, fewer rows and columns, one query instead of several";
    }

    /// @param place text that contains the database's name as frames of its driver spell it. A host
    ///   with the name `h2` does not count.
    static Database of(String place) {
        return KNOWN.stream()
                .filter(d ->
                        Pattern.compile("(?<![\\w.-])" + d.name() + "(?![\\w.-])")
                                .matcher(place)
                                .find())
                .findFirst()
                .orElse(UNKNOWN);
    }
}
