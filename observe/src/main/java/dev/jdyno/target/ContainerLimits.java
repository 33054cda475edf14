package dev.jdyno.target;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.LayerLimit.Kind;
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

/// Limits of a container that it exposes over JMX.
final class ContainerLimits {
    /// @param names pattern of the beans' names
    /// @param named how a bean gives the name of its pool or connector
    /// @param attribute attribute with the limit
    /// @param others attribute with the number of threads that do not serve requests
    /// @param says source of the limit in words
    private record Reported(
            Kind kind,
            String names,
            BeanName named,
            String attribute,
            Optional<String> others,
            String says) {
        Reported(Kind kind, String names, BeanName named, String attribute, String says) {
            this(kind, names, named, attribute, Optional.empty(), says);
        }

        /// The limit; empty when it is not set: containers show this by -1 or the largest number.
        Optional<LayerLimit> of(MBeanServerConnection beans, ObjectName name)
                throws IOException, JMException {
            Map<String, Double> numbers = new HashMap<>();
            String[] wanted = {attribute, others.orElse(attribute)};
            for (Attribute a : beans.getAttributes(name, wanted).asList()) {
                if (a.getValue() instanceof Number n) {
                    numbers.put(a.getName(), n.doubleValue());
                }
            }
            double limit = numbers.getOrDefault(attribute, -1.0);
            double serve = limit - others.map(o -> numbers.getOrDefault(o, 0.0)).orElse(0.0);
            return serve <= 0 || limit >= Integer.MAX_VALUE
                    ? Optional.empty()
                    : Optional.of(
                            new LayerLimit(
                                    named.of(beans, name),
                                    kind,
                                    serve,
                                    attribute
                                            + others.map(o -> " - " + o).orElse("")
                                            + " by "
                                            + says));
        }
    }

    private static final List<Reported> ALL =
            List.of(
                    new Reported(
                            Kind.THREADS,
                            "*:type=ThreadPool,name=*",
                            BeanName.TOMCAT_CONNECTOR,
                            "maxThreads",
                            "Tomcat's connector MBean"),
                    new Reported(
                            Kind.CONNECTIONS,
                            "*:type=ThreadPool,name=*",
                            new BeanName.ByKey("name"),
                            "maxConnections",
                            "Tomcat's connector MBean"),
                    new Reported(
                            Kind.THREADS,
                            "*:type=Executor,*",
                            BeanName.TOMCAT_EXECUTOR,
                            "maxThreads",
                            "Tomcat's executor MBean"),
                    new Reported(
                            Kind.THREADS,
                            "org.eclipse.jetty.util.thread:type=queuedthreadpool,*",
                            BeanName.JETTY_POOL,
                            "maxThreads",
                            // leased threads are acceptors and selectors
                            Optional.of("leasedThreads"),
                            "Jetty's thread pool MBean"),
                    new Reported(
                            Kind.CONNECTIONS,
                            "org.eclipse.jetty.server:type=connectionlimit,*",
                            new BeanName.ByKey("type"),
                            "maxConnections",
                            "Jetty's connection limit MBean"),
                    new Reported(
                            Kind.THREADS,
                            "org.xnio:type=Xnio,provider=*,worker=*",
                            BeanName.UNDERTOW_WORKER,
                            "MaxWorkerPoolSize",
                            "Undertow's worker MBean"));

    private ContainerLimits() {}

    static List<LayerLimit> read(MBeanServerConnection beans) throws IOException, JMException {
        List<LayerLimit> limits = new ArrayList<>();
        for (Reported reported : ALL) {
            for (ObjectName name : beans.queryNames(new ObjectName(reported.names()), null)) {
                reported.of(beans, name).ifPresent(limits::add);
            }
        }
        return limits;
    }
}
