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

/// Changes the size of a library's pool over JMX while the pool is in use. The knob also reads the
/// present number of members, and removes surplus ones.
///
/// @param names names of the MBeans with the size
/// @param counts attributes whose sum is the number of members
/// @param evict the operation that closes the members of the pool; members in use are closed when
///   they are returned
/// @param counter converts the name of the MBean with the size to that of the MBean with the counts
/// @param keeps whether the pool keeps surplus members while there is work for them; they cannot be
///   removed then
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
                    // server.tomcat.mbeanregistry.enabled=true. `ThreadPoolExecutor` ends surplus
                    // threads when they become idle.
                    threads("*:type=ThreadPool,*", "maxThreads", "currentThreadCount", false),
                    threads("*:type=Executor,*", "maxThreads", "poolSize", false),
                    // Jetty with an MBeanContainer: a thread ends after a long idle time, 60 s by
                    // default
                    threads("org.eclipse.jetty.util.thread:*", "maxThreads", "threads", true),
                    // the maximum comes first because it limits the core size, up to which each
                    // task gets a new thread. A surplus thread ends when it finds no task
                    threads(JBOSS, "MaximumPoolSize", "PoolSize", true),
                    threads(JBOSS, "CorePoolSize", "PoolSize", true),
                    // HikariCP with registerMbeans=true: it closes no surplus connections by itself
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

    /// The knob by which a pool was resized.
    static Optional<PoolKnob> of(PoolNote.Before pool) throws JMException {
        var name = new ObjectName(pool.name());
        for (PoolKnob knob : ALL) {
            if (knob.attribute.equals(pool.attribute()) && knob.pattern().apply(name)) {
                return Optional.of(knob);
            }
        }
        return Optional.empty();
    }

    /// Pattern of the MBeans with the size.
    ObjectName pattern() throws JMException {
        return new ObjectName(names);
    }

    /// The size at which the number of serving members is multiplied by `factor`. Jetty's maximum
    /// includes acceptors and selectors, and a larger size needs no more of them.
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

    /// Present number of members; empty if the library does not expose it.
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

    /// Makes the pool close its members, if its library can.
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

    /// Advice to the user about a pool that keeps surplus members.
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
