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
/// @param keeps whether it keeps what is more than its size while there is work for it: nobody can
///   make it let go
record PoolKnob(
        Kind kind,
        String names,
        String attribute,
        List<String> counts,
        Optional<String> evict,
        UnaryOperator<String> counter,
        boolean keeps) {
    private static final String LEASED = "leasedThreads";

    /// Undertow's worker, by JBoss Threads.
    private static final String JBOSS = "jboss.threads:type=thread-pool,*";

    private static final List<PoolKnob> ALL =
            List.of(
                    // Tomcat's connectors; Spring Boot registers them with
                    // server.tomcat.mbeanregistry.enabled=true. `ThreadPoolExecutor` ends what is
                    // too much as it becomes idle.
                    threads("*:type=ThreadPool,*", "maxThreads", "currentThreadCount", false),
                    threads("*:type=Executor,*", "maxThreads", "poolSize", false),
                    // Jetty with an MBeanContainer: a thread ends when it was idle for long, 60 s
                    // by itself
                    threads("org.eclipse.jetty.util.thread:*", "maxThreads", "threads", true),
                    // the most comes first: it bounds the core, up to which tasks get a thread of
                    // their own. A thread too many ends when it finds no task
                    threads(JBOSS, "MaximumPoolSize", "PoolSize", true),
                    threads(JBOSS, "CorePoolSize", "PoolSize", true),
                    // HikariCP with registerMbeans=true: closes none for being one too many
                    new PoolKnob(
                            Kind.CONNECTIONS,
                            "com.zaxxer.hikari:type=PoolConfig*,*",
                            "MaximumPoolSize",
                            List.of("TotalConnections"),
                            Optional.of("softEvictConnections"),
                            name -> name.replace("type=PoolConfig", "type=Pool"),
                            false),
                    new PoolKnob(
                            Kind.CONNECTIONS,
                            "*:type=BasicDataSource,*",
                            "maxTotal",
                            List.of("numActive", "numIdle"),
                            Optional.empty(),
                            UnaryOperator.identity(),
                            false),
                    new PoolKnob(
                            Kind.CONNECTIONS,
                            "*:type=ConnectionPool,*",
                            "MaxActive",
                            List.of("Size"),
                            Optional.of("purge"),
                            UnaryOperator.identity(),
                            false));

    PoolKnob {
        counts = List.copyOf(counts);
    }

    private static PoolKnob threads(String names, String attribute, String count, boolean keeps) {
        return new PoolKnob(
                Kind.THREADS,
                names,
                attribute,
                List.of(count),
                Optional.empty(),
                UnaryOperator.identity(),
                keeps);
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

    /// The size with so many times the members that serve whoever waits: Jetty's most threads count
    /// those that accept and select, which no larger size needs more of.
    int larger(MBeanServerConnection beans, ObjectName name, int size, double factor)
            throws IOException, JMException {
        int others = 0;
        for (var info : beans.getMBeanInfo(name).getAttributes()) {
            if (info.getName().equals(LEASED)
                    && beans.getAttribute(name, LEASED) instanceof Integer leased) {
                others = Math.clamp(leased, 0, size - 1);
            }
        }
        return others + (int) Math.ceil((size - others) * factor);
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
