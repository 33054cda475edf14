package dev.jdyno.target;

import dev.jdyno.measure.Intervention.LargerPool.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/// Where a library lets the size of a pool be written over JMX while it is in use, what the pool
/// holds at the moment, and how it lets go of what is more than its size.
///
/// @param names of the MBeans that have the size
/// @param counts attributes whose sum is what the pool holds
/// @param evict the operation that closes its members, those in use as they come back
/// @param counter from the MBean with the size to the one that counts
record PoolKnob(
        Kind kind,
        String names,
        String attribute,
        List<String> counts,
        Optional<String> evict,
        UnaryOperator<String> counter) {
    private static final List<PoolKnob> ALL =
            List.of(
                    // Tomcat's connectors; Spring Boot registers them with
                    // server.tomcat.mbeanregistry.enabled=true. `ThreadPoolExecutor` ends what is
                    // too much as it becomes idle.
                    threads("*:type=ThreadPool,*", "currentThreadCount"),
                    threads("*:type=Executor,*", "poolSize"),
                    // Jetty with an MBeanContainer: a thread ends when it was idle for long, 60 s
                    // by itself
                    threads("org.eclipse.jetty.util.thread:*", "threads"),
                    // HikariCP with registerMbeans=true: closes none for being one too many
                    new PoolKnob(
                            Kind.CONNECTIONS,
                            "com.zaxxer.hikari:type=PoolConfig*,*",
                            "MaximumPoolSize",
                            List.of("TotalConnections"),
                            Optional.of("softEvictConnections"),
                            name -> name.replace("type=PoolConfig", "type=Pool")),
                    new PoolKnob(
                            Kind.CONNECTIONS,
                            "*:type=BasicDataSource,*",
                            "maxTotal",
                            List.of("numActive", "numIdle"),
                            Optional.empty(),
                            UnaryOperator.identity()),
                    new PoolKnob(
                            Kind.CONNECTIONS,
                            "*:type=ConnectionPool,*",
                            "MaxActive",
                            List.of("Size"),
                            Optional.of("purge"),
                            UnaryOperator.identity()));

    PoolKnob {
        counts = List.copyOf(counts);
    }

    private static PoolKnob threads(String names, String count) {
        return new PoolKnob(
                Kind.THREADS,
                names,
                "maxThreads",
                List.of(count),
                Optional.empty(),
                UnaryOperator.identity());
    }

    static List<PoolKnob> of(Kind kind) {
        return ALL.stream().filter(k -> k.kind == kind).toList();
    }

    /// The one that a pool was resized by.
    static Optional<PoolKnob> of(PoolNote.Before pool) throws JMException {
        var name = new ObjectName(pool.name());
        for (PoolKnob knob : ALL) {
            if (knob.attribute.equals(pool.attribute()) && knob.pattern().apply(name)) {
                return Optional.of(knob);
            }
        }
        return Optional.empty();
    }

    /// Of the MBeans that have the size.
    ObjectName pattern() throws JMException {
        return new ObjectName(names);
    }

    /// What the pool holds now; empty where its library does not say.
    OptionalInt held(MBeanServerConnection beans, String pool) throws IOException, JMException {
        ObjectName name = counter(pool);
        if (!beans.isRegistered(name)) {
            return OptionalInt.empty();
        }
        var known =
                Stream.of(beans.getMBeanInfo(name).getAttributes())
                        .filter(a -> a.isReadable())
                        .map(a -> a.getName())
                        .toList();
        int all = 0;
        for (String count : counts) {
            if (!known.contains(count)
                    || !(beans.getAttribute(name, count) instanceof Integer some)) {
                return OptionalInt.empty();
            }
            all += some;
        }
        return OptionalInt.of(all);
    }

    /// Lets the pool close its members, where its library can.
    boolean evict(MBeanServerConnection beans, String pool) throws IOException, JMException {
        ObjectName name = counter(pool);
        boolean can =
                evict.isPresent()
                        && Stream.of(beans.getMBeanInfo(name).getOperations())
                                .anyMatch(o -> o.getName().equals(evict.get()));
        if (can) {
            beans.invoke(name, evict.get(), new Object[0], new String[0]);
        }
        return can;
    }

    /// What a user does about a pool that keeps more than its size.
    String byHand(String pool) throws JMException {
        String wait = "wait until what is too much is idle for long, or restart the target";
        return evict.isEmpty()
                ? wait
                : "call " + evict.get() + " of " + counter(pool) + " in jconsole, or " + wait;
    }

    private ObjectName counter(String pool) throws JMException {
        return new ObjectName(counter.apply(pool));
    }
}
