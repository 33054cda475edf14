package dev.jdyno.target;

import dev.jdyno.measure.LayerLimit;
import dev.jdyno.measure.LayerLimit.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/// What a container tells over JMX that it is set to let in.
final class ContainerLimits {
    /// @param names pattern of the beans' names
    /// @param key of the property of the bean's name that names the pool or connector
    /// @param attribute with the limit
    /// @param says who told
    private record Told(Kind kind, String names, String key, String attribute, String says) {
        /// Empty when it is not set: containers say so by -1 or the greatest number.
        Optional<LayerLimit> of(MBeanServerConnection beans, ObjectName name)
                throws IOException, JMException {
            for (Attribute a : beans.getAttributes(name, new String[] {attribute}).asList()) {
                if (a.getValue() instanceof Number n
                        && n.longValue() > 0
                        && n.longValue() < Integer.MAX_VALUE) {
                    return Optional.of(
                            new LayerLimit(
                                    layer(name), kind, n.doubleValue(), attribute + " by " + says));
                }
            }
            return Optional.empty();
        }

        private String layer(ObjectName name) {
            String value = name.getKeyProperty(key);
            if (value == null) {
                return name.toString();
            }
            return value.startsWith("\"") ? ObjectName.unquote(value) : value;
        }
    }

    private static final List<Told> ALL =
            List.of(
                    new Told(
                            Kind.THREADS,
                            "*:type=ThreadPool,name=*",
                            "name",
                            "maxThreads",
                            "Tomcat's connector MBean"),
                    new Told(
                            Kind.CONNECTIONS,
                            "*:type=ThreadPool,name=*",
                            "name",
                            "maxConnections",
                            "Tomcat's connector MBean"),
                    new Told(
                            Kind.THREADS,
                            "org.eclipse.jetty.util.thread:type=queuedthreadpool,*",
                            "type",
                            "maxThreads",
                            "Jetty's thread pool MBean"),
                    new Told(
                            Kind.CONNECTIONS,
                            "org.eclipse.jetty.server:type=connectionlimit,*",
                            "type",
                            "maxConnections",
                            "Jetty's connection limit MBean"),
                    new Told(
                            Kind.THREADS,
                            "org.xnio:type=Xnio,*",
                            "worker",
                            "MaxWorkerPoolSize",
                            "Undertow's worker MBean"));

    private ContainerLimits() {}

    static List<LayerLimit> read(MBeanServerConnection beans) throws IOException, JMException {
        List<LayerLimit> limits = new ArrayList<>();
        for (Told told : ALL) {
            for (ObjectName name : beans.queryNames(new ObjectName(told.names()), null)) {
                told.of(beans, name).ifPresent(limits::add);
            }
        }
        return limits;
    }
}
