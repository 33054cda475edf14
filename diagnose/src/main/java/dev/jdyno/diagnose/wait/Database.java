package dev.jdyno.diagnose.wait;

import java.util.List;
import java.util.regex.Pattern;

/// How a database shows its work, in its own commands. Only the driver's frames name the database;
/// where none is named the words are neutral.
///
/// @param name as places of thread samples begin (`frames.txt`)
/// @param plan of one statement, with what it really took
/// @param counts where statements are counted, with their text
/// @param locks which transactions wait for which other ones
/// @param slow what makes it log the text of slow statements
record Database(String name, String plan, String counts, String locks, String slow) {
    private static final List<Database> KNOWN =
            List.of(
                    new Database(
                            "PostgreSQL",
                            "EXPLAIN (ANALYZE, BUFFERS)",
                            "pg_stat_statements",
                            "`SELECT pid, wait_event_type, pg_blocking_pids(pid), query FROM"
                                    + " pg_stat_activity`",
                            "log_min_duration_statement=100 (ms)"),
                    new Database(
                            "MySQL",
                            "EXPLAIN ANALYZE",
                            "sys.statement_analysis",
                            "`SELECT waiting_query, blocking_pid, locked_table FROM"
                                    + " sys.innodb_lock_waits`",
                            "slow_query_log=ON with long_query_time=0.1 (s)"),
                    new Database(
                            "MariaDB",
                            "ANALYZE FORMAT=JSON",
                            "performance_schema.events_statements_summary_by_digest",
                            "`SELECT * FROM information_schema.INNODB_LOCK_WAITS`",
                            "slow_query_log=ON with long_query_time=0.1 (s)"),
                    new Database(
                            "H2",
                            "EXPLAIN ANALYZE",
                            "INFORMATION_SCHEMA.QUERY_STATISTICS after SET QUERY_STATISTICS TRUE",
                            "`SELECT * FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID > 0`",
                            "SET QUERY_STATISTICS TRUE"),
                    new Database(
                            "Oracle",
                            "DBMS_XPLAN.DISPLAY_CURSOR with the hint gather_plan_statistics",
                            "v$sqlstats",
                            "`SELECT sid, event, blocking_session, sql_id FROM v$session WHERE"
                                    + " blocking_session IS NOT NULL`",
                            "v$sqlstats by elapsed_time"),
                    new Database(
                            "SQL-Server",
                            "SET STATISTICS XML ON",
                            "sys.dm_exec_query_stats",
                            "`SELECT session_id, wait_type, blocking_session_id FROM"
                                    + " sys.dm_exec_requests WHERE blocking_session_id <> 0`",
                            "ALTER DATABASE CURRENT SET QUERY_STORE = ON"));

    private static final Database UNKNOWN =
            new Database(
                    "the database",
                    "the database's plan of the statement, with times",
                    "the database's statistics of its statements",
                    "the database's view of sessions that block others",
                    "the database's log of slow statements");

    /// @param place text that names the database as the driver's frames do; a host that is called
    ///   `h2` names none
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
