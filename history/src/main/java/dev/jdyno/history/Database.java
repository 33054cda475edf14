package dev.jdyno.history;

import dev.jdyno.files.FileLock;
import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.logging.Logger;
import javax.net.ssl.SSLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.ConnectionFactory;
import org.sqlite.SQLiteConfig;

/// Connects to a store and migrates its tables to this version.
final class Database {
    private static final int VERSION = Entry.Row.VERSION;

    private static final Duration BUSY = Duration.ofSeconds(20);

    private Database() {}

    /// @throws UserError if it cannot be reached, or a newer jdyno made it
    static ConnectionFactory open(Store store) {
        return switch (store) {
            case Store.File(Path path) -> file(path);
            case Store.Server server -> server(server);
        };
    }

    private static ConnectionFactory file(Path path) {
        try {
            Path folder = path.toAbsolutePath().getParent();
            if (folder == null) {
                throw new IOException("it names no file");
            }
            PrivateFolder.open(folder);
            requireOwnFile(path);
            // the driver unpacks its native library here, where no other user can replace it
            System.setProperty("org.sqlite.tmpdir", folder.toString());
            SQLiteConfig config = config();
            ConnectionFactory factory = () -> config.createConnection("jdbc:sqlite:" + path);
            if (version(factory) != VERSION) {
                try (FileLock _ = FileLock.await(lock(path), BUSY)) {
                    writeAhead(factory);
                    migrate(factory, path.toString());
                }
            }
            return factory;
        } catch (IOException | SQLException refused) {
            throw UserError.target(
                            "cannot open the history " + path,
                            String.valueOf(refused.getMessage()),
                            "give --store FILE where only you can write, or --no-store")
                    .causedBy(refused);
        }
    }

    /// Creates the file if it is missing, readable by its owner only.
    private static void requireOwnFile(Path path) throws IOException {
        try {
            Files.createFile(path, ownerOnly(path));
        } catch (FileAlreadyExistsException exists) {
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException("it is no regular file", exists);
            }
        }
    }

    /// Returns mode 0600; nothing on file systems without modes, as on Windows.
    private static FileAttribute<?>[] ownerOnly(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    private static SQLiteConfig config() {
        var config = new SQLiteConfig();
        config.enforceForeignKeys(true);
        // a power failure loses no stored result
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout((int) BUSY.toMillis());
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        return config;
    }

    /// The file beside the store that is locked. To close a descriptor of the store itself would
    /// end the record locks that SQLite holds on it in this process.
    private static Path lock(Path path) throws IOException {
        Path lock = path.resolveSibling("." + path.getFileName() + ".lock");
        requireOwnFile(lock);
        return lock;
    }

    /// Makes the file a write-ahead log (WAL), which it remains. The caller holds the lock, because
    /// if two connections change the mode at once, SQLite refuses one without waiting.
    private static void writeAhead(ConnectionFactory factory) throws SQLException {
        try (Connection connection = factory.openConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
        }
    }

    private static ConnectionFactory server(Store.Server server) {
        ConnectionFactory factory =
                () -> DriverManager.getConnection(server.url(), server.properties());
        try {
            migrate(factory, server.url());
        } catch (SQLException refused) {
            throw UserError.target(
                            "cannot use the history " + server.url(),
                            String.valueOf(refused.getMessage()),
                            server.verified() && isAboutTls(refused)
                                    ? "a server on another host proves its name by a certificate:"
                                            + " give it one that this JVM trusts, name its"
                                            + " authority with ?sslrootcert=FILE, or end the URL"
                                            + " with ?sslmode=require (traffic is encrypted, but"
                                            + " another host can pass for the server)"
                                    : "give --store postgresql://user@host/database; its password"
                                            + " is taken from ~/.pgpass or PGPASSWORD")
                    .causedBy(refused);
        }
        return factory;
    }

    /// True if the connection failed because of TLS. The driver has no exception class or SQL state
    /// for such failures.
    private static boolean isAboutTls(SQLException refused) {
        String says = String.valueOf(refused.getMessage()).toLowerCase(Locale.ROOT);
        return says.contains("ssl")
                || says.contains("certificate")
                || refused.getCause() instanceof GeneralSecurityException
                || refused.getCause() instanceof SSLException;
    }

    /// Migrates the tables. Flyway runs only if the version is old, because it is slower than the
    /// check.
    private static void migrate(ConnectionFactory factory, String where) throws SQLException {
        int version = version(factory);
        if (version > VERSION) {
            throw UserError.target(
                    "the history " + where + " was made by a newer jdyno",
                    "its tables have version " + version + ", this one knows " + VERSION,
                    "update jdyno, or give --store another place");
        }
        if (version == VERSION) {
            return;
        }
        try {
            Flyway.configure(Database.class.getClassLoader())
                    .dataSource(new Connections(factory))
                    .locations("classpath:dev/jdyno/history/migration")
                    .loggers("slf4j")
                    .load()
                    .migrate();
        } catch (FlywayException refused) {
            throw new SQLException("its tables cannot be made: " + refused.getMessage(), refused);
        }
    }

    /// Returns 0 if the tables do not exist.
    private static int version(ConnectionFactory factory) throws SQLException {
        try (Connection connection = factory.openConnection()) {
            DatabaseMetaData about = connection.getMetaData();
            try (ResultSet tables =
                    about.getTables(null, null, "flyway_schema_history", new String[] {"TABLE"})) {
                if (!tables.next()) {
                    return 0;
                }
            }
            try (Statement statement = connection.createStatement();
                    ResultSet version =
                            statement.executeQuery(
                                    "SELECT MAX(CAST(version AS INTEGER)) FROM"
                                            + " flyway_schema_history WHERE success")) {
                return version.next() ? version.getInt(1) : 0;
            }
        }
    }

    /// The data source that Flyway needs.
    private record Connections(ConnectionFactory factory) implements DataSource {
        @Override
        public Connection getConnection() throws SQLException {
            return factory.openConnection();
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return factory.openConnection();
        }

        @Override
        public PrintWriter getLogWriter() {
            return new PrintWriter(Writer.nullWriter());
        }

        @Override
        public void setLogWriter(PrintWriter out) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setLoginTimeout(int seconds) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            throw new SQLException("it wraps nothing");
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }
    }
}
