package dev.jdyno.lab.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.lab.service.CannotStart;
import dev.jdyno.lab.service.ProcessOf;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DatabaseTest {
    private static final String SECRET = "it's a secret";
    private static final String LISTENING = "listening on ";

    /// H2's error code for a wrong user or password.
    private static final String NOT_LET_IN = "28000";

    private static final int NO_SUCH_DATABASE = 90149;
    private static final int ADMIN_NEEDED = 90040;

    private Process database = start(SECRET);
    private int port;

    private static Process start(String secret, String... more) {
        try {
            String[] args = new String[more.length + 2];
            args[0] = "--slots";
            args[1] = "2";
            System.arraycopy(more, 0, args, 2, more.length);
            ProcessBuilder builder = ProcessOf.builder(List.of(), Database.class, args);
            builder.environment().put(Database.PASSWORD, secret);
            return builder.start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeAll
    void awaitIt() throws IOException {
        BufferedReader out = database.inputReader();
        String line = out.readLine();
        assertThat(line).startsWith(LISTENING);
        port = Integer.parseInt(line.substring(LISTENING.length()));
    }

    @AfterAll
    void endIt() {
        database.destroyForcibly();
    }

    @Test
    void letsTheUserInWithThePasswordAndAnswers() throws SQLException {
        try (Connection connection = connect(Database.USER, SECRET);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT TAKE(1)")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(1);
        }
    }

    @Test
    void refusesAccessWithoutPassword() {
        // H2 delays each further login after a wrong password, so the test makes few attempts
        Map.of("sa", "", "ADMIN", "", Database.USER, "wrong")
                .forEach((user, password) ->
                        assertThatThrownBy(() -> connect(user, password))
                                .as("%s/%s", user, password)
                                .isInstanceOfSatisfying(
                                        SQLException.class,
                                        e -> assertThat(e.getSQLState()).isEqualTo(NOT_LET_IN)));
    }

    @Test
    void userOfTheDatabaseMayNotDefineCode() throws SQLException {
        try (Connection connection = connect(Database.USER, SECRET);
                Statement statement = connection.createStatement()) {
            for (String sql :
                    List.of(
                            "CREATE ALIAS EXIT FOR 'java.lang.System.exit'",
                            "SCRIPT TO 'stolen.sql'",
                            "RUNSCRIPT FROM 'other.sql'",
                            "CREATE USER OTHER PASSWORD 'x' ADMIN")) {
                assertThatThrownBy(() -> statement.execute(sql))
                        .as(sql)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(ADMIN_NEEDED));
            }
        }
    }

    @Test
    void createsNoOtherDatabaseOverNetwork() {
        assertThatThrownBy(() ->
                        DriverManager.getConnection(
                                "jdbc:h2:tcp://127.0.0.1:" + port + "/mem:other", "sa", ""))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(NO_SUCH_DATABASE));
    }

    @Test
    void listensOnTheLoopbackDeviceOnly() throws IOException {
        List<String> addresses = listeners(port);

        // 127.0.0.1, or the same address as IPv6
        assertThat(addresses)
                .isNotEmpty()
                .allMatch(a -> a.equals("0100007F") || a.endsWith("FFFF00000100007F"));
    }

    @Test
    void listensOnlyOnLoopback() throws Exception {
        Process elsewhere = start(SECRET, "--bind", "0.0.0.0");

        String error =
                new String(elsewhere.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(error).contains("0.0.0.0");
        assertThat(elsewhere.waitFor()).isEqualTo(1);
    }

    @Test
    void rootMustGiveAPasswordAndOtherUsersGetARandomPassword() {
        assertThatThrownBy(() -> Database.password(Optional.empty(), true))
                .isInstanceOf(CannotStart.class);
        assertThatThrownBy(() -> Database.password(Optional.of(" "), true))
                .isInstanceOf(CannotStart.class);
        assertThat(Database.password(Optional.of(SECRET), true)).isEqualTo(SECRET);
        assertThat(Database.password(Optional.empty(), false))
                .hasSizeGreaterThanOrEqualTo(32)
                .isNotEqualTo(Database.password(Optional.empty(), false));
    }

    private Connection connect(String user, String password) throws SQLException {
        return DriverManager.getConnection(Database.urlAt(port), user, password);
    }

    /// Local addresses of the sockets that listen on a port, in the kernel's notation.
    private static List<String> listeners(int port) throws IOException {
        String end = String.format(Locale.ROOT, ":%04X", port);
        List<String> lines = new ArrayList<>();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] words = line.trim().split("\\s+");
                if (words[1].endsWith(end) && words[3].equals("0A")) {
                    lines.add(words[1].substring(0, words[1].indexOf(':')));
                }
            }
        }
        return lines;
    }
}
