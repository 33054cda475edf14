package dev.jdyno.diagnose.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which commands are recommended for which database, and when the command that shows locks comes
/// before the plan of a query.
class DatabaseTest {
    private static final String POOL = "HikariCP in com.acme.Orders.take";

    private static EvidenceFixture held(String database) {
        return EvidenceFixture.plateau()
                .rounds(r -> r.cores(0.1))
                .pool(new ThreadSamples.Pool("http-nio-exec", 20, 20, 0, 0, true))
                .held(
                        Cause.POOL,
                        POOL,
                        15,
                        "probably database: " + database + " in com.acme.Orders.find")
                .busy(Cause.DATABASE, database, 5);
    }

    private static Recommendation query(EvidenceFixture evidence) {
        var patient = new Patient();
        patient.evidence = evidence;
        return patient.recommendation(Bottleneck.CONNECTION_POOL, "pool-query");
    }

    private static DiskUse disk(double utilisation) {
        return new DiskUse(
                "vda", true, 1, 1, 10, 10, utilisation, Optional.empty(), 0, Optional.empty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PostgreSQL db:5432  | EXPLAIN (ANALYZE, BUFFERS) | pg_blocking_pids | SELECT query FROM pg_stat_activity
                    MySQL db:3306       | EXPLAIN ANALYZE            | sys.innodb_lock_waits | SHOW FULL PROCESSLIST
                    MariaDB db:3306     | ANALYZE FORMAT=JSON        | INNODB_LOCK_WAITS | SHOW FULL PROCESSLIST
                    H2 db:9092          | EXPLAIN ANALYZE            | BLOCKER_ID | EXECUTING_STATEMENT
                    Oracle db:1521      | DBMS_XPLAN                 | blocking_session | v$sql
                    SQL-Server db:1433  | SET STATISTICS XML         | blocking_session_id | sys.dm_exec_sql_text
                    """)
    void eachDriverHasItsOwnCommands(String place, String plan, String locks, String sql) {
        assertThat(Database.of(place).plan()).contains(plan);
        assertThat(query(held(place)).how()).contains(plan, locks, sql);
    }

    /// The text of the SQL comes first, because the plan needs it. This holds for a full connection
    /// pool and for a limiting database.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PostgreSQL db:5432",
                "MySQL db:3306",
                "MariaDB db:3306",
                "H2 db:9092",
                "Oracle db:1521",
                "SQL-Server db:1433"
            })
    void theQueryThatShowsTheSqlComesFirst(String place) {
        var limits = new Patient();
        limits.where = place;
        limits.evidence = EvidenceFixture.plateau().busy(Cause.DATABASE, place, 18);
        Recommendation held = query(held(place));

        assertThat(held.how()).startsWith(Database.of(place).running());
        assertThat(held.says().names()).extracting(n -> n.name()).contains("com.acme.Orders.find");
        assertThat(limits.recommendation(Bottleneck.DATABASE, "queries-faster").how())
                .startsWith(Database.of(place).running());
    }

    /// A host with the name of a database does not identify its driver. A database without known
    /// commands gets none.
    @ParameterizedTest
    @CsvSource({"JDBC db:5432", "Firebird db:3050", "h2-db.acme:9092", "PostgreSQL-proxy:5432"})
    void givesNoCommandForUnknownDriver(String place) {
        assertThat(query(held(place)).how()).doesNotContain("EXPLAIN", "pg_stat", "innodb");
    }

    /// The queries are computed by another process on this machine, or by the service itself.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PostgreSQL localhost:5432 | 0.1 | 0.1 | 0.02 | true
                    H2                        | 0.1 | 0.9 | 0.02 | true
                    MySQL 127.0.0.1:3306      | 0.9 | 0.1 | 0.02 | true
                    PostgreSQL localhost:5432 | 0.1 | 0.9 | 0.02 | false
                    H2                        | 0.9 | 0.1 | 0.02 | false
                    PostgreSQL localhost:5432 | 0.1 | 0.1 | 0.95 | false
                    PostgreSQL 10.0.0.8:5432  | 0.1 | 0.1 | 0.02 | false
                    """)
    void suggestsLocksFirstIfDatabaseIsIdle(
            String place, double own, double others, double utilisation, boolean first) {
        EvidenceFixture evidence =
                held(place).rounds(r -> r.cores(own).others(others)).disk(disk(utilisation));
        Recommendation query = query(evidence);

        assertThat(query.how().startsWith(Database.of(place).locks())).isEqualTo(first);
        assertThat(query.says().names()).extracting(n -> n.name()).contains("com.acme.Orders.find");
    }

    /// Without a measurement, it is unknown whether a disk reads. A single query cannot wait for
    /// another one.
    @Test
    void missingMeasurementIsNotIdle() {
        assertThat(IdleDatabase.of(held("PostgreSQL localhost:5432").build())).isEmpty();
        assertThat(
                        IdleDatabase.of(
                                EvidenceFixture.plateau()
                                        .rounds(r -> r.cores(0.1))
                                        .busy(Cause.DATABASE, "PostgreSQL localhost:5432", 1)
                                        .disk(disk(0))
                                        .build()))
                .isEmpty();
    }

    @Test
    void suggestsLocksFirstForIdleLimitingDatabase() {
        var patient = new Patient();
        patient.where = "PostgreSQL localhost:5432";
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.1))
                        .busy(Cause.DATABASE, patient.where, 18)
                        .disk(disk(0.01));
        List<Recommendation> all = patient.recommendations(Bottleneck.DATABASE);

        assertThat(all)
                .extracting(Recommendation::id)
                .containsSubsequence("queries-faster", "queries-fewer");
        assertThat(all.getFirst().how()).startsWith(Database.of("PostgreSQL").locks());
    }

    /// At the higher load, a query takes 1.35 times, once or half the time. With an error of 0.4,
    /// the true factor of 1.35 may also be 1.
    @ParameterizedTest
    @CsvSource({"10.8, true", "8, false", "4, false"})
    void aWideErrorDoesNotExcludeLocks(double queries, boolean idle) {
        String place = "PostgreSQL localhost:5432";
        var evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.1))
                        .busy(Cause.DATABASE, place, queries)
                        .relaxed(Cause.DATABASE, place, 4)
                        .disk(disk(0.01))
                        .build();

        assertThat(IdleDatabase.of(evidence).isPresent()).isEqualTo(idle);
    }
}
