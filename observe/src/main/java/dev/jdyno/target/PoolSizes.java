package dev.jdyno.target;

import dev.jdyno.measure.Intervention.LargerPool;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/// Resizes pools inside the target over JMX for a limited time, through the JVM's local connector.
///
/// The connector is started if it does not run yet, and stays. If jdyno is killed with SIGKILL
/// meanwhile, the pools keep their new size until the next jdyno on that JVM restores it ({@link
/// #restoreLeft}).
public final class PoolSizes implements AutoCloseable {
    /// Maximum time for a pool to remove members above its restored size: members in use are
    /// removed when they are returned.
    static final Duration SURPLUS_LIMIT = Duration.ofSeconds(10);

    /// Maximum time for a pool that keeps surplus members while there is work. Such a pool removes
    /// idle members at once, or only after a minute.
    static final Duration IDLE_LIMIT = Duration.ofSeconds(2);

    private static final long POLL_MILLIS = 50;

    /// @param most number of members when the pool was enlarged, or the pool's size if that is
    ///   larger
    /// @param larger the temporary size
    private record Resized(PoolNote.Before before, int most, int larger) {}

    private final Target target;
    private final JmxSession jmx;
    private Optional<PoolNote> note = Optional.empty();
    // written only by the requesting thread, and read by no other one meanwhile
    private final List<Resized> resized = new CopyOnWriteArrayList<>();
    private final double factor;
    private Optional<String> kept = Optional.empty();

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
                        "Spring Boot: server.tomcat.mbeanregistry.enabled=true; Jetty:"
                                + " an MBeanContainer; HikariCP: registerMbeans=true");
            }
            return pools;
        } catch (InterruptedException interrupted) {
            pools.close();
            throw interrupted;
        } catch (IOException | JMException | RuntimeException failed) {
            pools.close();
            throw failed instanceof UserError reported
                    ? reported
                    : refused(String.valueOf(failed.getMessage()), "try it with jconsole")
                            .causedBy(failed);
        }
    }

    /// Restores the sizes of pools that killed jdyno processes left changed in this JVM.
    ///
    /// @return the restored sizes, one line per pool; the JVM receives no request when there are
    ///   none
    /// @throws UserError when one cannot be restored; its note stays for the next run
    public static List<String> restoreLeft(Target target) throws InterruptedException {
        List<String> restored = new ArrayList<>();
        try {
            for (PoolNote left : PoolNote.leftAbout(ProcFs.SYSTEM, target.pid())) {
                List<PoolNote.Before> pools = left.pools();
                if (pools.isEmpty()) {
                    left.remove();
                } else {
                    restore(target, left, pools);
                }
                for (PoolNote.Before pool : pools) {
                    restored.add(pool.attribute() + " " + pool.size() + " of " + pool.name());
                }
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

    private static void restore(Target target, PoolNote left, List<PoolNote.Before> pools)
            throws IOException, JMException, InterruptedException {
        try (JmxSession jmx = connect(target)) {
            try {
                jmx.ask(beans -> set(beans, pools));
            } catch (IOException | JMException | RuntimeException notRestored) {
                left.leave();
                throw notRestored;
            }
            // the sizes are restored, so the note is no longer needed
            left.remove();
            shrink(jmx, pools.stream().map(p -> new Resized(p, p.size(), p.size())).toList());
        }
    }

    private static int set(MBeanServerConnection beans, List<PoolNote.Before> pools)
            throws IOException, JMException {
        for (PoolNote.Before pool : pools) {
            var name = new ObjectName(pool.name());
            beans.setAttribute(name, new Attribute(pool.attribute(), pool.size()));
        }
        for (PoolNote.Before pool : pools) {
            Object now = beans.getAttribute(new ObjectName(pool.name()), pool.attribute());
            if (!now.equals(pool.size())) {
                throw new IOException("its " + pool.attribute() + " is " + now);
            }
        }
        return pools.size();
    }

    /// Waits until no pool has more members than before.
    ///
    /// @return the surplus members that pools keep while there is work, in words
    /// @throws UserError when another pool still has surplus members at the end of the limit
    private static Optional<String> shrink(JmxSession jmx, List<Resized> pools)
            throws IOException, JMException, InterruptedException {
        long start = NanoClock.SYSTEM.nanos();
        Map<String, String> kept = new LinkedHashMap<>();
        for (Resized pool : pools) {
            Optional<PoolKnob> knob = PoolKnob.of(pool.before());
            boolean keeps = knob.filter(PoolKnob::keeps).isPresent();
            long deadline = start + (keeps ? IDLE_LIMIT : SURPLUS_LIMIT).toNanos();
            String name = pool.before().name();
            boolean evicted = false;
            while (knob.isPresent()) {
                OptionalInt held = jmx.ask(beans -> knob.get().held(beans, name));
                if (held.isEmpty() || held.getAsInt() <= pool.most()) {
                    break;
                }
                if (NanoClock.SYSTEM.nanos() > deadline && keeps) {
                    int surplus = held.getAsInt() - pool.most();
                    kept.put(
                            name,
                            surplus
                                    + (surplus == 1 ? " thread" : " threads")
                                    + " above the maximum leave as they idle, in "
                                    + name);
                    break;
                }
                if (NanoClock.SYSTEM.nanos() > deadline) {
                    throw surplus(pool, held.getAsInt(), knob.get());
                }
                if (!evicted) {
                    jmx.ask(beans -> knob.get().evict(beans, name));
                    evicted = true;
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
        return kept.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", kept.values()));
    }

    private static UserError surplus(Resized pool, int held, PoolKnob knob) throws JMException {
        return UserError.target(
                "a pool of the target still holds more than its size",
                held
                        + " instead of "
                        + pool.most()
                        + " in "
                        + pool.before().name()
                        + ", "
                        + SURPLUS_LIMIT.toSeconds()
                        + " s after its "
                        + pool.before().attribute()
                        + " was set back to "
                        + pool.before().size(),
                knob.byHand(pool.before().name()));
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
        for (PoolKnob knob : PoolKnob.of(kind)) {
            for (ObjectName name : beans.queryNames(knob.pattern(), null)) {
                if (!isWritable(beans, name, knob.attribute())) {
                    continue;
                }
                if (beans.getAttribute(name, knob.attribute()) instanceof Integer size
                        && size > 0) {
                    int larger = knob.larger(beans, name, size, factor);
                    // the size is first added to the list of sizes to restore, because setting it
                    // may fail halfway
                    var before = new PoolNote.Before(name.toString(), knob.attribute(), size);
                    note(before);
                    int held = knob.held(beans, before.name()).orElse(0);
                    resized.add(new Resized(before, Math.max(size, held), larger));
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
            note = Optional.of(PoolNote.begin(ProcFs.SYSTEM, target.pid()));
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

    /// The changes in words: `maxThreads 4 -> 8 of Tomcat:type=ThreadPool,name="http-nio-8080"`.
    public String says() {
        return String.join(
                "; ",
                resized.stream()
                        .map(r ->
                                r.before().attribute()
                                        + " "
                                        + r.before().size()
                                        + " -> "
                                        + r.larger()
                                        + " of "
                                        + r.before().name())
                        .toList());
    }

    /// Surplus threads of pools whose sizes are restored, as text: `7 threads above the maximum
    /// leave as they idle, in …`. Such a pool removes a thread only when it is idle. Empty before
    /// {@link #close}.
    public Optional<String> kept() {
        return kept;
    }

    /// Restores the sizes, checks them, and waits until the pools have removed surplus members. An
    /// interrupt does not prevent restoring.
    ///
    /// @throws UserError when they could not be restored; the note in the target's `/tmp` then
    ///   stays; or when a pool keeps surplus members although its size is restored
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        try (jmx) {
            if (!resized.isEmpty()) {
                jmx.ask(beans -> set(beans, resized.stream().map(Resized::before).toList()));
            }
            if (note.isPresent()) {
                note.get().remove();
            }
            kept = shrink(jmx, resized);
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
                        "set by hand: "
                                + String.join(
                                        "; ",
                                        resized.stream().map(r -> r.before().toString()).toList()))
                .causedBy(why);
    }
}
