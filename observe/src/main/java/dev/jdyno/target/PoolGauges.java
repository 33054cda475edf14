package dev.jdyno.target;

import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.PoolQueue.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/// Pools that expose the length of their queue over JMX, at one moment. The names of beans and
/// attributes are those of HikariCP 7, Tomcat 11, Jetty 12 and Undertow 2.4, each tested.
final class PoolGauges {
    /// @param library name of its connection pools in `frames.txt`; empty for thread pools
    /// @param names pattern of the beans' names
    /// @param named how a bean gives the name of its pool
    /// @param size attribute with the number of members; `busy` has those in use, `waiting` the
    ///   waiters
    /// @param others attribute with the number of members that do not serve waiters
    /// @param says source of the count in words
    private record Gauge(
            Kind kind,
            Optional<String> library,
            String names,
            BeanName named,
            String size,
            Optional<String> others,
            String busy,
            String waiting,
            String says) {
        Optional<LibraryQueue> of(MBeanServerConnection beans, ObjectName name)
                throws IOException, JMException {
            Map<String, Double> numbers = new HashMap<>();
            String[] wanted = {size, others.orElse(size), busy, waiting};
            for (Attribute a : beans.getAttributes(name, wanted).asList()) {
                // XNIO has -1 for a number that it does not count
                if (a.getValue() instanceof Number number && number.doubleValue() >= 0) {
                    numbers.put(a.getName(), number.doubleValue());
                }
            }
            String pool = named.of(beans, name);
            double idleBystanders = others.map(o -> numbers.getOrDefault(o, 0.0)).orElse(0.0);
            return Optional.ofNullable(numbers.get(waiting))
                    .map(length ->
                            new PoolQueue(
                                    pool,
                                    kind,
                                    Optional.ofNullable(numbers.get(size))
                                            .map(all -> Math.max(0, all - idleBystanders)),
                                    Optional.ofNullable(numbers.get(busy)),
                                    Optional.of(length),
                                    false,
                                    says))
                    .map(queue -> new LibraryQueue(queue, library));
        }
    }

    private static final List<Gauge> ALL =
            List.of(
                    // HikariCP registers its MBeans only with registerMbeans=true
                    new Gauge(
                            Kind.LENT,
                            Optional.of("HikariCP"),
                            "com.zaxxer.hikari:type=Pool *,*",
                            new BeanName.ByKey("type"),
                            "TotalConnections",
                            Optional.empty(),
                            "ActiveConnections",
                            "ThreadsAwaitingConnection",
                            "HikariCP's MBean"),
                    new Gauge(
                            Kind.LENT,
                            Optional.of("Tomcat-JDBC"),
                            "*:type=ConnectionPool,*",
                            new BeanName.ByKey("name"),
                            "Size",
                            Optional.empty(),
                            "Active",
                            "WaitCount",
                            "Tomcat JDBC's MBean"),
                    // an <Executor> of server.xml; a connector's own pool does not expose its queue
                    new Gauge(
                            Kind.THREADS,
                            Optional.empty(),
                            "*:type=Executor,*",
                            BeanName.TOMCAT_EXECUTOR,
                            "poolSize",
                            Optional.empty(),
                            "activeCount",
                            "queueSize",
                            "Tomcat's executor MBean"),
                    new Gauge(
                            Kind.THREADS,
                            Optional.empty(),
                            "org.eclipse.jetty.util.thread:type=queuedthreadpool,*",
                            BeanName.JETTY_POOL,
                            "threads",
                            // leased threads are acceptors and selectors
                            Optional.of("leasedThreads"),
                            "utilizedThreads",
                            "queueSize",
                            "Jetty's thread pool MBean"),
                    new Gauge(
                            Kind.THREADS,
                            Optional.empty(),
                            "org.xnio:type=Xnio,provider=*,worker=*",
                            BeanName.UNDERTOW_WORKER,
                            "WorkerPoolSize",
                            Optional.empty(),
                            "BusyWorkerThreadCount",
                            "WorkerQueueSize",
                            "Undertow's worker MBean"));

    private PoolGauges() {}

    static List<LibraryQueue> read(MBeanServerConnection beans) throws IOException, JMException {
        List<LibraryQueue> pools = new ArrayList<>();
        for (Gauge gauge : ALL) {
            for (ObjectName name : beans.queryNames(new ObjectName(gauge.names()), null)) {
                gauge.of(beans, name).ifPresent(pools::add);
            }
        }
        return pools;
    }
}
