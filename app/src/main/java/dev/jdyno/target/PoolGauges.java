package dev.jdyno.target;

import dev.jdyno.measure.PoolQueue;
import dev.jdyno.measure.PoolQueue.Kind;
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

/// Pools that tell over JMX how many wait for them, at one moment.
final class PoolGauges {
    /// @param names pattern of the beans' names
    /// @param key of the property of the bean's name that is the pool's; `type` where the type
    ///   holds it in brackets
    /// @param size attribute with the members, `busy` of those in use, `waiting` of who waits
    /// @param says who counted
    private record Gauge(
            Kind kind,
            String names,
            String key,
            String size,
            String busy,
            String waiting,
            String says) {
        Optional<PoolQueue> of(MBeanServerConnection beans, ObjectName name)
                throws IOException, JMException {
            Map<String, Double> numbers = new HashMap<>();
            for (Attribute a :
                    beans.getAttributes(name, new String[] {size, busy, waiting}).asList()) {
                if (a.getValue() instanceof Number number) {
                    numbers.put(a.getName(), number.doubleValue());
                }
            }
            return Optional.ofNullable(numbers.get(waiting))
                    .map(length ->
                            new PoolQueue(
                                    pool(name),
                                    kind,
                                    Optional.ofNullable(numbers.get(size)),
                                    Optional.ofNullable(numbers.get(busy)),
                                    Optional.of(length),
                                    false,
                                    says));
        }

        /// `com.zaxxer.hikari:type=Pool (HikariPool-1)` is `HikariPool-1`.
        private String pool(ObjectName name) {
            String value = name.getKeyProperty(key);
            if (value == null) {
                return name.toString();
            }
            String bare = value.startsWith("\"") ? ObjectName.unquote(value) : value;
            int bracket = bare.indexOf('(');
            return bracket < 0 ? bare : bare.substring(bracket + 1).replaceFirst("\\)$", "");
        }
    }

    private static final List<Gauge> ALL =
            List.of(
                    // with registerMbeans=true
                    new Gauge(
                            Kind.LENT,
                            "com.zaxxer.hikari:type=Pool *,*",
                            "type",
                            "TotalConnections",
                            "ActiveConnections",
                            "ThreadsAwaitingConnection",
                            "HikariCP's MBean"),
                    new Gauge(
                            Kind.LENT,
                            "*:type=ConnectionPool,*",
                            "name",
                            "Size",
                            "Active",
                            "WaitCount",
                            "Tomcat JDBC's MBean"),
                    // an <Executor> of server.xml; a connector's own pool does not tell its queue
                    new Gauge(
                            Kind.THREADS,
                            "*:type=Executor,*",
                            "name",
                            "poolSize",
                            "activeCount",
                            "queueSize",
                            "Tomcat's executor MBean"),
                    new Gauge(
                            Kind.THREADS,
                            "org.eclipse.jetty.util.thread:type=queuedthreadpool,*",
                            "type",
                            "threads",
                            "utilizedThreads",
                            "queueSize",
                            "Jetty's thread pool MBean"),
                    new Gauge(
                            Kind.THREADS,
                            "org.xnio:type=Xnio,*",
                            "worker",
                            "WorkerPoolSize",
                            "BusyWorkerThreadCount",
                            "WorkerQueueSize",
                            "Undertow's worker MBean"));

    private PoolGauges() {}

    static List<PoolQueue> read(MBeanServerConnection beans) throws IOException, JMException {
        List<PoolQueue> pools = new ArrayList<>();
        for (Gauge gauge : ALL) {
            for (ObjectName name : beans.queryNames(new ObjectName(gauge.names()), null)) {
                gauge.of(beans, name).ifPresent(pools::add);
            }
        }
        return pools;
    }
}
