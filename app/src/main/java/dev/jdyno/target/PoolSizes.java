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
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

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
    private final JmxSession jmx;
    private Optional<PoolNote> note = Optional.empty();
    // written by the thread that asks, and by no other while it does
    private final List<PoolNote.Before> resized = new CopyOnWriteArrayList<>();
    private final double factor;

    private PoolSizes(Target target, JmxSession jmx, double factor) {
        this.target = target;
        this.jmx = jmx;
        this.factor = factor;
    }

    /// @throws UserError when there is no such pool or it cannot be resized; then nothing is
    ///   changed
    public static PoolSizes enlarge(Target target, LargerPool.Kind kind, double factor)
            throws InterruptedException {
        var pools = new PoolSizes(target, connect(target), factor);
        try {
            pools.jmx.ask(beans -> pools.resize(kind, beans));
            if (pools.resized.isEmpty()) {
                throw refused(
                        "no pool of " + kind.key() + " lets itself be resized over JMX",
                        "Spring Boot: server.tomcat.mbeanregistry.enabled=true; HikariCP:"
                                + " registerMbeans=true");
            }
            return pools;
        } catch (InterruptedException interrupted) {
            pools.close();
            throw interrupted;
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
                    try (JmxSession jmx = connect(target)) {
                        jmx.ask(beans -> set(beans, pools));
                    }
                    for (PoolNote.Before pool : pools) {
                        restored.add(pool.attribute() + " " + pool.size() + " of " + pool.name());
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

    private static int set(MBeanServerConnection beans, List<PoolNote.Before> pools)
            throws IOException, JMException {
        for (PoolNote.Before pool : pools) {
            beans.setAttribute(
                    new ObjectName(pool.name()), new Attribute(pool.attribute(), pool.size()));
        }
        return pools.size();
    }

    private static JmxSession connect(Target target) throws InterruptedException {
        Optional<String> address = LocalConnector.address(target);
        if (address.isEmpty()) {
            LocalConnector.start(target);
            address = LocalConnector.address(target);
        }
        JmxSession jmx =
                JmxSession.to(
                        address.orElseThrow(
                                () -> refused("its local connector did not start", "see its log")));
        try {
            jmx.ask(MBeanServerConnection::getMBeanCount);
            return jmx;
        } catch (IOException | JMException | RuntimeException notReached) {
            jmx.close();
            throw refused(
                            "its local JMX connector cannot be reached: " + notReached.getMessage(),
                            "run jdyno in the target's network namespace")
                    .causedBy(notReached);
        }
    }

    private int resize(LargerPool.Kind kind, MBeanServerConnection beans)
            throws IOException, JMException {
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
        return resized.size();
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

    /// Restores the sizes. Whoever interrupts does not keep it from that: it takes no longer than
    /// the limit of one question.
    ///
    /// @throws UserError when they could not be restored; the note in the target's `/tmp` stays
    ///   then
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        try (jmx) {
            if (!resized.isEmpty()) {
                jmx.ask(beans -> set(beans, resized));
            }
            if (note.isPresent()) {
                note.get().remove();
            }
        } catch (InterruptedException again) {
            interrupted = true;
            throw notRestored(again);
        } catch (IOException | JMException failed) {
            throw notRestored(failed);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private UserError notRestored(Exception why) {
        return UserError.target(
                        "a pool of the target still has another size",
                        String.valueOf(why.getMessage()),
                        "set by hand: " + resized)
                .causedBy(why);
    }
}
