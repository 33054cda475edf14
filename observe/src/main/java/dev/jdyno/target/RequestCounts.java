package dev.jdyno.target;

import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.statistics.Throughput.Source;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/// The counters of one container's MBeans at one moment: one bean for each connector or handler.
final class RequestCounts {
    /// The kinds of beans; the first kind that exists is used. Undertow registers no such bean (its
    /// XNIO workers count threads only).
    private static final List<Kind> KINDS =
            List.of(
                    // every connector; Spring Boot registers them with
                    // server.tomcat.mbeanregistry.enabled=true
                    new Kind(
                            Source.TOMCAT,
                            "*:type=GlobalRequestProcessor,*",
                            "requestCount",
                            "processingTime",
                            1),
                    // Jetty 12 with an MBeanContainer; nanoseconds
                    new Kind(
                            Source.JETTY,
                            "org.eclipse.jetty.server.handler:type=statisticshandler,*",
                            "requestTotal",
                            "requestTimeTotal",
                            1e-6),
                    // Jetty 9 to 11; milliseconds
                    new Kind(
                            Source.JETTY,
                            "org.eclipse.jetty.server.handler:type=statisticshandler,*",
                            "requests",
                            "requestTimeTotal",
                            1));

    /// @param names pattern of the beans' names
    /// @param requests attribute with the number of requests since the start
    /// @param time attribute with their total time
    /// @param unitMs unit of that time, in ms
    private record Kind(Source source, String names, String requests, String time, double unitMs) {
        /// The counters of a bean; empty when it has no such attributes.
        Optional<Count> of(MBeanServerConnection beans, ObjectName name)
                throws IOException, JMException {
            Map<String, Number> numbers = new HashMap<>();
            for (Attribute a : beans.getAttributes(name, new String[] {requests, time}).asList()) {
                if (a.getValue() instanceof Number number) {
                    numbers.put(a.getName(), number);
                }
            }
            Number n = numbers.get(requests);
            Number t = numbers.get(time);
            return n == null || t == null ? Optional.empty() : Optional.of(new Count(n, t));
        }
    }

    private record Count(Number requests, Number time) {
        static final Count NONE = new Count(0, 0);

        Count since(Count earlier) {
            return new Count(
                    difference(requests, earlier.requests), difference(time, earlier.time));
        }

        /// The difference of two readings, with the width of the counter. A counter of 32 bits
        /// continues at the smallest number after the largest; the difference is right
        /// nevertheless.
        private static Number difference(Number now, Number earlier) {
            return now instanceof Integer
                    ? (Number) (now.intValue() - earlier.intValue())
                    : (Number) (now.longValue() - earlier.longValue());
        }

        boolean wentBack() {
            return requests.longValue() < 0 || time.longValue() < 0;
        }
    }

    private final Kind kind;
    private final Map<ObjectName, Count> counts;

    private RequestCounts(Kind kind, Map<ObjectName, Count> counts) {
        this.kind = kind;
        this.counts = Map.copyOf(counts);
    }

    /// The counters; empty when no known container registered any.
    static Optional<RequestCounts> read(MBeanServerConnection beans)
            throws IOException, JMException {
        for (Kind kind : KINDS) {
            RequestCounts found = read(beans, kind);
            if (!found.counts.isEmpty()) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    /// The present counters of the same container.
    RequestCounts again(MBeanServerConnection beans) throws IOException, JMException {
        return read(beans, kind);
    }

    private static RequestCounts read(MBeanServerConnection beans, Kind kind)
            throws IOException, JMException {
        Map<ObjectName, Count> counts = new HashMap<>();
        for (ObjectName name : beans.queryNames(new ObjectName(kind.names()), null)) {
            kind.of(beans, name).ifPresent(count -> counts.put(name, count));
        }
        return new RequestCounts(kind, counts);
    }

    /// The requests counted in between, over all connectors.
    ///
    /// @param seconds between the two moments
    /// @return empty when a counter was reset or no longer exists: then the number is unknown
    Optional<Throughput> since(RequestCounts earlier, double seconds) {
        if (!counts.keySet().containsAll(earlier.counts.keySet())) {
            return Optional.empty();
        }
        long requests = 0;
        long time = 0;
        for (Map.Entry<ObjectName, Count> now : counts.entrySet()) {
            // a new connector began at zero
            Count did = now.getValue().since(earlier.counts.getOrDefault(now.getKey(), Count.NONE));
            if (did.wentBack()) {
                return Optional.empty();
            }
            requests += did.requests().longValue();
            time += did.time().longValue();
        }
        return Optional.of(
                new Throughput(
                        requests / seconds,
                        kind.source(),
                        requests == 0
                                ? Optional.empty()
                                : Optional.of(time * kind.unitMs() / requests)));
    }
}
