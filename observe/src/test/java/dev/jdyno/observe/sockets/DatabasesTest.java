package dev.jdyno.observe.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Copies of files of `/proc`: the target is process 42, and the server is process 55, which
/// listens on port 17492.
class DatabasesTest {
    private static final long TARGET = 42;

    private static final String TCP =
            """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:4454 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 777
            """;

    @TempDir Path root;

    @BeforeEach
    void aServerListens() throws IOException {
        Files.createDirectories(root.resolve("42/net"));
        Files.writeString(root.resolve("42/net/tcp"), TCP);
        Files.createDirectories(root.resolve("55/fd"));
        Files.createSymbolicLink(root.resolve("55/fd/6"), Path.of("socket:[777]"));
    }

    private Databases ofProcess(String comm) throws IOException {
        Files.writeString(root.resolve("55/comm"), comm + "\n");
        return new Databases(new ProcFs(root), TARGET, true);
    }

    @Test
    void aServerOnThisMachineIsKnownByItsProcess() throws IOException {
        assertThat(ofProcess("postgres").at("127.0.0.1:17492")).contains("PostgreSQL");
        assertThat(ofProcess("mariadbd").at("127.0.0.1:17492")).contains("MariaDB");
        assertThat(ofProcess("java").at("127.0.0.1:17492")).isEmpty();
    }

    @Test
    void recognisesOtherDatabasesByDefaultPort() throws IOException {
        Databases databases = ofProcess("java");

        assertThat(databases.at("10.0.0.9:3306")).contains("MySQL");
        assertThat(databases.at("[0:0:0:0:0:0:0:1]:27017")).contains("MongoDB");
        assertThat(databases.at("10.0.0.9:8080")).isEmpty();
    }

    @Test
    void theLoopbackOfAnotherNetworkIsNotOurs() throws IOException {
        Files.writeString(root.resolve("55/comm"), "postgres\n");
        var databases = new Databases(new ProcFs(root), TARGET, false);

        assertThat(databases.at("127.0.0.1:17492")).isEmpty();
        assertThat(databases.at("127.0.0.1:5432")).contains("PostgreSQL");
    }
}
