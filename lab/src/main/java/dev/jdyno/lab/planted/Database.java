package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Services;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.h2.tools.Server;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// An in-memory H2 server with a function `TAKE(ms)` that takes that time, like a slow query.
///
/// A user who may define functions in H2 runs code with the server's rights. Therefore the server
/// listens only on the loopback device, admits one user that may only query, and uses a secret
/// administrator password.
@Command(
        name = "database",
        description = {
            "H2 over TCP with SELECT TAKE(ms), for the user " + Database.USER + ".",
            "The password is read from the environment variable " + Database.PASSWORD + "."
        })
public final class Database implements Callable<Integer> {
    static final String USER = "LAB";

    /// Environment variable with a password. It is not an option, because every user of the machine
    /// can read command lines.
    static final String PASSWORD = "JDYNO_LAB_DATABASE_PASSWORD";

    private static final int SECRET_BYTES = 24;

    private static Semaphore slots = new Semaphore(0);

    @Mixin private ListenOptions listen = new ListenOptions();

    @Option(names = "--slots", required = true, description = "Queries that it runs at once.")
    private int slotCount;

    public static void main(String... args) {
        Services.main(new Database(), args);
    }

    static String urlAt(int port) {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/mem:lab";
    }

    /// Returns a new random password.
    static String newPassword() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    /// Returns the password of the user that may query.
    ///
    /// @param given password given at the start of the server; empty without one
    /// @throws CannotStart for root without a password: others may read a printed password, and
    ///   what it opens would run as root
    static String password(Optional<String> given, boolean root) {
        Optional<String> password = given.filter(p -> !p.isBlank());
        if (password.isEmpty() && root) {
            throw new CannotStart(
                    "the database does not start as root without a password",
                    PASSWORD + " is not set",
                    "set it to a random text, or start the database as another user");
        }
        return password.orElseGet(Database::newPassword);
    }

    /// The SQL function: waits for a slot, then for the given time. It is public because H2 calls
    /// it.
    public static int take(int millis) throws InterruptedException {
        slots.acquire();
        try {
            Thread.sleep(millis);
        } finally {
            slots.release();
        }
        return millis;
    }

    @Override
    public Integer call() throws Exception {
        slots = new Semaphore(slotCount);
        Optional<String> given = Optional.ofNullable(System.getenv(PASSWORD));
        String password = password(given, isRoot());
        requireLoopback();
        // H2 has no option for this: without the property it binds to every address of the machine.
        // It reads the property once, when its first class is loaded
        System.setProperty("h2.bindAddress", listen.bind());
        String url = "jdbc:h2:mem:lab;DB_CLOSE_DELAY=-1";
        try (Connection first = DriverManager.getConnection(url, "ADMIN", newPassword());
                Statement statement = first.createStatement()) {
            statement.execute("CREATE ALIAS TAKE FOR '" + Database.class.getName() + ".take'");
            statement.execute(
                    "CREATE USER " + USER + " PASSWORD '" + password.replace("'", "''") + "'");
            serve(given.isEmpty(), password);
        }
        return 0;
    }

    /// Starts to listen only now, when the password is required.
    private void serve(boolean drawn, String password) throws InterruptedException {
        Server server = listening();
        try {
            if (drawn) {
                System.err.println("password of the user " + USER + ": " + password);
            }
            Services.listening(listen, server.getPort());
            new CountDownLatch(1).await();
        } finally {
            server.stop();
        }
    }

    private void requireLoopback() throws UnknownHostException {
        if (!InetAddress.getByName(listen.bind()).isLoopbackAddress()) {
            throw new CannotStart(
                    "the database does not listen on " + listen.bind(),
                    "it takes SQL, and is there for one process of this machine",
                    "leave --bind out");
        }
    }

    private static boolean isRoot() throws IOException {
        Path self = Path.of("/proc/self");
        return Files.exists(self)
                ? Files.getAttribute(self, "unix:uid").equals(0)
                : "root".equals(System.getProperty("user.name"));
    }

    private Server listening() {
        try {
            return Server.createTcpServer("-tcpPort", "" + listen.port(), "-ifExists").start();
        } catch (SQLException e) {
            throw CannotStart.listening(
                    listen.bind(), listen.port(), String.valueOf(e.getMessage()));
        }
    }
}
