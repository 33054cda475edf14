package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Services;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.h2.tools.Server;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// An H2 server in memory with a function `TAKE(ms)` that takes its time, as a slow query does.
@Command(name = "database", description = "H2 over TCP with SELECT TAKE(ms).")
public final class Database implements Callable<Integer> {
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

    /// The SQL function: waits for a slot, then for the time given; public because H2 calls it.
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
        Server server = listening();
        try (Connection first = DriverManager.getConnection("jdbc:h2:mem:lab;DB_CLOSE_DELAY=-1");
                Statement statement = first.createStatement()) {
            statement.execute("CREATE ALIAS TAKE FOR '" + Database.class.getName() + ".take'");
            Services.listening(listen, server.getPort());
            new CountDownLatch(1).await();
        } finally {
            server.stop();
        }
        return 0;
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
