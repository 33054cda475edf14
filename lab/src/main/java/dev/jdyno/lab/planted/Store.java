package dev.jdyno.lab.planted;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/// A database in another process behind a HikariCP pool.
record Store(HikariDataSource pool) {
    /// Maximum wait for a connection: longer than any queue of a case, so that waits do not become
    /// errors.
    private static final long BORROW_WITHIN_MILLIS = 60_000;

    /// @param connections size of the pool
    /// @param slots number of queries that the database runs at once
    static Store start(CaseSetup caseSetup, int connections, int slots) throws IOException {
        String password = Database.newPassword();
        HelperProcess database =
                caseSetup.start(
                        Map.of(Database.PASSWORD, password), Database.class, "--slots", "" + slots);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(Database.urlAt(database.port()));
        config.setUsername(Database.USER);
        config.setPassword(password);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(BORROW_WITHIN_MILLIS);
        return new Store(caseSetup.closing(new HikariDataSource(config)));
    }

    /// Runs a query that takes `millis` in the database.
    void query(int millis) throws IOException {
        try (Connection connection = pool.getConnection()) {
            run(connection, millis);
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    /// Runs a quick query and holds the connection for `millis` before returning it.
    void queryAndKeep(int millis) throws IOException, InterruptedException {
        try (Connection connection = pool.getConnection()) {
            run(connection, 0);
            Thread.sleep(millis);
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private static void run(Connection connection, int millis) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT TAKE(?)")) {
            statement.setInt(1, millis);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
            }
        }
    }
}
