package dev.jdyno.target;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/// A real HikariCP pool of {@link #SIZE} connections in its own JVM, for tests. It has more threads
/// than that, each of which always needs a connection.
final class HikariVictim {
    static final int SIZE = 5;

    private HikariVictim() {}

    /// Runs in the child JVM, which has HikariCP on its class path, but no class of jdyno.
    static final class Service {
        private static final int THREADS = 12;
        private static final long SHORT_MILLIS = 5;

        private Service() {}

        public static void main(String[] args) throws InterruptedException {
            long holdMillis = Long.parseLong(args[0]);
            HikariConfig config = new HikariConfig();
            config.setDataSource(nowhere(DataSource.class));
            config.setMaximumPoolSize(SIZE);
            config.setPoolName("orders");
            config.setRegisterMbeans(true);
            HikariDataSource pool = new HikariDataSource(config);
            for (int i = 0; i < THREADS; i++) {
                Thread thread = new Thread(() -> use(pool, holdMillis));
                thread.setDaemon(true);
                thread.start();
            }
            System.out.println("ready 0");
            System.out.flush();
            // sleeps: the process runs until it is ended
            Thread.sleep(600_000);
        }

        private static void use(HikariDataSource pool, long holdMillis) {
            while (true) {
                try (Connection connection = pool.getConnection()) {
                    boolean grown = pool.getHikariPoolMXBean().getTotalConnections() > SIZE;
                    // sleeps: time for which a connection is used
                    TimeUnit.MILLISECONDS.sleep(
                            connection.isClosed() ? 0 : grown ? holdMillis : SHORT_MILLIS);
                } catch (java.sql.SQLException | InterruptedException failed) {
                    throw new IllegalStateException(failed);
                }
            }
        }
    }

    /// A JDBC object that answers the pool's calls without a database.
    private static <T> T nowhere(Class<T> part) {
        return part.cast(
                Proxy.newProxyInstance(
                        Service.class.getClassLoader(),
                        new Class<?>[] {part},
                        (self, method, arguments) ->
                                switch (method.getName()) {
                                    case "getConnection" -> nowhere(Connection.class);
                                    case "isValid", "getAutoCommit" -> true;
                                    case "isClosed", "isReadOnly" -> false;
                                    case "hashCode" -> System.identityHashCode(self);
                                    case "equals" ->
                                            System.identityHashCode(self)
                                                    == System.identityHashCode(arguments[0]);
                                    case "toString" -> "nowhere";
                                    default -> method.getReturnType() == int.class ? 0 : null;
                                }));
    }

    /// @param holdMillis time for which a thread holds a connection once the pool is larger than
    ///   its original size
    static Target launch(Path dir, long holdMillis)
            throws IOException, InterruptedException, URISyntaxException {
        Set<String> places = new LinkedHashSet<>();
        for (Class<?> c : List.of(HikariVictim.class, HikariConfig.class, org.slf4j.Logger.class)) {
            places.add(
                    Path.of(c.getProtectionDomain().getCodeSource().getLocation().toURI())
                            .toString());
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        String.join(java.io.File.pathSeparator, places),
                        Service.class.getName(),
                        Long.toString(holdMillis)));
        return Victims.await(Target.launch(command, Victims.output(dir), Victims.limit()), dir);
    }
}
