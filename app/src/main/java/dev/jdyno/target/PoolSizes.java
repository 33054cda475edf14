package dev.jdyno.target;

import dev.jdyno.measure.Intervention.LargerPool;
import dev.jdyno.measure.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;

/// Pools inside the target resized over JMX for a while, through the JVM's local connector.
///
/// The connector is started when it does not run yet, and stays. When we are killed with SIGKILL in
/// between, the pools keep their new size until the next jdyno on that JVM restores it ({@link
/// #restoreLeft}).
public final class PoolSizes implements AutoCloseable {
    /// Attributes that libraries let be written while the pool is in use.
    private static final Map<LargerPool.Kind, List<Knob>> KNOBS =
            Map.of(
                    LargerPool.Kind.THREADS,
                    List.of(
                            // Tomcat's connectors; Spring Boot registers them with
                            // server.tomcat.mbeanregistry.enabled=true
                            new Knob("*:type=ThreadPool,*", "maxThreads"),
                            new Knob("*:type=Executor,*", "maxThreads"),
                            // Jetty with an MBeanContainer
                            new Knob("org.eclipse.jetty.util.thread:*", "maxThreads")),
                    LargerPool.Kind.CONNECTIONS,
                    List.of(
                            // HikariCP with registerMbeans=true
                            new Knob("com.zaxxer.hikari:type=PoolConfig*,*", "MaximumPoolSize"),
                            new Knob("*:type=BasicDataSource,*", "maxTotal"),
                            new Knob("*:type=ConnectionPool,*", "MaxActive")));

    private record Knob(String names, String attribute) {}

    private final Target target;
    private final JMXConnector connector;
    private Optional<PoolNote> note = Optional.empty();
    private final List<PoolNote.Before> resized = new ArrayList<>();
    private final double factor;

    private PoolSizes(Target target, JMXConnector connector, double factor) {
        this.target = target;
        this.connector = connector;
        this.factor = factor;
    }

    /// @throws UserError when there is no such pool or it cannot be resized; then nothing is
    ///   changed
    public static PoolSizes enlarge(Target target, LargerPool.Kind kind, double factor)
            throws InterruptedException {
        var pools = new PoolSizes(target, connect(target), factor);
        try {
            pools.resize(kind);
            if (pools.resized.isEmpty()) {
                throw refused(
                        "no pool of " + kind.key() + " lets itself be resized over JMX",
                        "Spring Boot: server.tomcat.mbeanregistry.enabled=true; HikariCP:"
                                + " registerMbeans=true");
            }
            return pools;
        } catch (IOException | JMException | RuntimeException failed) {
            pools.close();
            throw failed instanceof UserError told
                    ? told
                    : refused(String.valueOf(failed.getMessage()), "try it with jconsole")
                            .causedBy(failed);
        }
    }

    /// Restores the sizes that killed jdynos left in this JVM.
    ///
    /// @return what was restored, a pool a line; nothing is asked of the JVM when they left nothing
    /// @throws UserError when one cannot be restored; what says so stays for the next run
    public static List<String> restoreLeft(Target target) throws InterruptedException {
        List<String> restored = new ArrayList<>();
        try {
            Object owner = Files.getAttribute(ProcFs.SYSTEM.of(target.pid()), "unix:uid");
            for (PoolNote left : PoolNote.leftAbout(tmp(target), target.pid(), owner)) {
                List<PoolNote.Before> pools = left.pools(started(target));
                if (!pools.isEmpty()) {
                    try (JMXConnector connector = connect(target)) {
                        for (PoolNote.Before pool : pools) {
                            set(connector, pool);
                            restored.add(
                                    pool.attribute() + " " + pool.size() + " of " + pool.name());
                        }
                    }
                }
                left.remove();
            }
            return restored;
        } catch (IOException | JMException notRestored) {
            throw UserError.target(
                            "a pool of the target has a size that a killed jdyno gave it",
                            String.valueOf(notRestored.getMessage()),
                            "set it by hand, or restart the target")
                    .causedBy(notRestored);
        }
    }

    private static Path tmp(Target target) {
        return ProcFs.SYSTEM.of(target.pid(), "root").resolve("tmp");
    }

    private static String started(Target target) {
        return ProcFs.SYSTEM
                .stat(target.pid())
                .map(fields -> fields[19])
                .orElseThrow(() -> refused("its start time cannot be read", "is it alive?"));
    }

    private static void set(JMXConnector connector, PoolNote.Before pool)
            throws IOException, JMException {
        connector
                .getMBeanServerConnection()
                .setAttribute(
                        new ObjectName(pool.name()), new Attribute(pool.attribute(), pool.size()));
    }

    private static JMXConnector connect(Target target) throws InterruptedException {
        Optional<String> address = LocalConnector.address(target);
        if (address.isEmpty()) {
            LocalConnector.start(target);
            address = LocalConnector.address(target);
        }
        try {
            return LocalConnector.connect(
                    address.orElseThrow(
                            () -> refused("its local connector did not start", "see its log")));
        } catch (IOException notReached) {
            throw refused(
                            "its local JMX connector cannot be reached: " + notReached.getMessage(),
                            "run jdyno in the target's network namespace")
                    .causedBy(notReached);
        }
    }

    private void resize(LargerPool.Kind kind) throws IOException, JMException {
        MBeanServerConnection beans = connector.getMBeanServerConnection();
        for (Knob knob : KNOBS.getOrDefault(kind, List.of())) {
            for (ObjectName name : beans.queryNames(new ObjectName(knob.names()), null)) {
                if (!isWritable(beans, name, knob.attribute())) {
                    continue;
                }
                if (beans.getAttribute(name, knob.attribute()) instanceof Integer size
                        && size > 0) {
                    int larger = (int) Math.ceil(size * factor);
                    // first on the list of what is restored: setting may fail halfway
                    var before = new PoolNote.Before(name.toString(), knob.attribute(), size);
                    note(before);
                    resized.add(before);
                    beans.setAttribute(name, new Attribute(knob.attribute(), larger));
                    if (!beans.getAttribute(name, knob.attribute()).equals(larger)) {
                        throw refused(name + " ignores a new " + knob.attribute(), "restart it");
                    }
                }
            }
        }
    }

    private void note(PoolNote.Before before) throws IOException {
        if (note.isEmpty()) {
            note = Optional.of(PoolNote.begin(tmp(target), target.pid(), started(target)));
        }
        note.get().add(before);
    }

    private static boolean isWritable(
            MBeanServerConnection beans, ObjectName name, String attribute)
            throws IOException, JMException {
        for (var info : beans.getMBeanInfo(name).getAttributes()) {
            if (info.getName().equals(attribute)) {
                return info.isWritable();
            }
        }
        return false;
    }

    private static UserError refused(String why, String fix) {
        return UserError.target("the pool cannot be resized", why, fix);
    }

    /// `maxThreads 4 -> 8 of Tomcat:type=ThreadPool,name="http-nio-8080"`.
    public String says() {
        return String.join(
                "; ",
                resized.stream()
                        .map(b ->
                                b.attribute()
                                        + " "
                                        + b.size()
                                        + " -> "
                                        + (int) Math.ceil(b.size() * factor)
                                        + " of "
                                        + b.name())
                        .toList());
    }

    /// Restores the sizes.
    ///
    /// @throws UserError when they could not be restored
    @Override
    public void close() {
        try (connector) {
            for (PoolNote.Before b : resized) {
                set(connector, b);
            }
            if (note.isPresent()) {
                note.get().remove();
            }
        } catch (IOException | JMException notRestored) {
            throw UserError.target(
                            "a pool of the target still has another size",
                            String.valueOf(notRestored.getMessage()),
                            "set by hand: " + resized)
                    .causedBy(notRestored);
        }
    }
}
