package dev.jdyno.observe.metrics;

import dev.jdyno.foreign.PrometheusText;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.observe.sockets.Sockets.Loopback;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The metrics of one service, read at an address that the user gives, or found on the service's
/// own ports. If they cannot be read, the reason is reported once and nothing fails.
public final class ServiceMetrics {
    /// Paths of the metrics in Spring Boot, Quarkus, Micronaut, Helidon 4 and others, in the order
    /// in which they are tried.
    public static final List<String> PATHS =
            List.of(
                    "/actuator/prometheus",
                    "/q/metrics",
                    "/prometheus",
                    "/metrics",
                    "/observe/metrics");

    /// Maximum number of ports of a target that are tried.
    private static final int MAX_PORTS = 8;

    /// Time limit of one answer during the search: a service that renders its metrics for the first
    /// time may take a second.
    private static final Duration SEARCH_LIMIT = Duration.ofSeconds(2);

    /// Time limit of the whole search, in seconds.
    private static final double SEARCH_SECONDS = 6;

    /// Time limit of one reading. Under load, the request for metrics waits like any other request.
    private static final Duration READ_LIMIT = Duration.ofSeconds(10);

    /// Ports of a debugger or of JMX in the flags of a JVM. A request of HTTP on such a port may
    /// cause an error message of the JVM.
    private static final Pattern JMX = Pattern.compile("jmxremote\\.(?:rmi\\.)?port=(\\d{1,5})");

    // address=5005, address=*:5005, address=[::1]:5005; the limit bounds the run time of the search
    private static final Pattern DEBUGGER =
            Pattern.compile("address=(?:[^,\\s]{0,255}:)?(\\d{1,5})");

    /// Maximum number of reasons that are kept. A service that fails differently each time could
    /// otherwise fill the memory of a watch of days.
    private static final int MAX_REASONS = 20;

    private static final String SOURCE = "metrics";
    private static final String NO_REQUESTS =
            "it has no metrics of requests and pools that jdyno knows";

    private final NanoClock clock;
    private final List<Unseen> missing = new ArrayList<>();
    private Optional<URI> at;
    private boolean gave;

    /// Number of readings that were tried.
    private long asked;

    /// Address of the first page of metrics that has no requests and pools yet. It is used if no
    /// other page has them, because a service may expose them only after its first request.
    private Optional<URI> others = Optional.empty();

    private ServiceMetrics(NanoClock clock, Optional<URI> at) {
        this.clock = clock;
        this.at = at;
    }

    /// Reads nothing.
    public static ServiceMetrics none() {
        return new ServiceMetrics(NanoClock.SYSTEM, Optional.empty());
    }

    /// @param at address of the metrics
    public static ServiceMetrics at(URI at, NanoClock clock) {
        return new ServiceMetrics(clock, Optional.of(at));
    }

    /// Searches on the loopback addresses on which the process itself listens, if it is in jdyno's
    /// network namespace.
    ///
    /// @param first a port that is tried before the others if the process listens on it
    /// @param flags of the JVM: ports of a debugger and of JMX are not tried
    public static ServiceMetrics search(
            ProcFs proc, long pid, int first, List<String> flags, NanoClock clock)
            throws InterruptedException {
        boolean here =
                proc.networkOf(pid).isPresent() && proc.networkOf(pid).equals(proc.ownNetwork());
        return search(
                here ? inOrder(Sockets.onLoopback(proc, pid), first, flags) : List.of(), clock);
    }

    /// @param addresses addresses in the order in which they are tried
    static ServiceMetrics search(List<Loopback> addresses, NanoClock clock)
            throws InterruptedException {
        var metrics = new ServiceMetrics(clock, Optional.empty());
        long start = clock.nanos();
        for (Loopback address : addresses) {
            if (metrics.at.isEmpty()) {
                metrics.look(address, start);
            }
        }
        if (metrics.at.isPresent()) {
            metrics.missing.clear();
        }
        metrics.at = metrics.at.or(() -> metrics.others);
        return metrics;
    }

    /// Addresses to try, in their order: the given port first, IPv4 before IPv6.
    static List<Loopback> inOrder(Set<Loopback> listening, int first, List<String> flags) {
        Set<Integer> others =
                flags.stream().flatMap(ServiceMetrics::otherProtocols).collect(Collectors.toSet());
        List<Integer> ports =
                listening.stream()
                        .map(Loopback::port)
                        .distinct()
                        .filter(port -> !others.contains(port))
                        .sorted(
                                Comparator.comparing((Integer port) -> port != first)
                                        .thenComparing(port -> port))
                        .limit(MAX_PORTS)
                        .toList();
        return ports.stream()
                .flatMap(port ->
                        listening.stream()
                                .filter(l -> l.port() == port)
                                .sorted(Comparator.comparing(Loopback::host)))
                .toList();
    }

    /// Ports of another protocol than HTTP in one flag.
    private static Stream<Integer> otherProtocols(String flag) {
        int jdwp = flag.indexOf("jdwp");
        return Stream.concat(
                        JMX.matcher(flag).results(),
                        jdwp < 0
                                ? Stream.empty()
                                : DEBUGGER.matcher(flag.substring(jdwp)).results())
                .map(m -> Integer.parseInt(m.group(1)));
    }

    private void look(Loopback address, long start) throws InterruptedException {
        for (String path : PATHS) {
            if (clock.secondsSince(start) >= SEARCH_SECONDS) {
                return;
            }
            URI uri = URI.create("http://" + address.host() + ":" + address.port() + path);
            try {
                if (has(uri)) {
                    at = Optional.of(uri);
                    return;
                }
            } catch (IOException notHttp) {
                // the port is closed or has another protocol, so its other paths are not tried
                return;
            }
        }
    }

    private boolean has(URI uri) throws IOException, InterruptedException {
        MetricsPage.Answer answer = MetricsPage.get(uri, SEARCH_LIMIT);
        if (answer.refuses() && missing.isEmpty()) {
            missing.add(
                    new Unseen(
                            SOURCE,
                            uri + " answers " + answer.status(),
                            "open it for loopback, or give --metrics URL"));
        }
        if (!answer.maybe()) {
            return false;
        }
        try {
            var any = new AtomicBoolean();
            PrometheusText text =
                    PrometheusText.read(
                            answer.body(),
                            name -> {
                                any.set(true);
                                return MetricsReading.wants(name);
                            },
                            PrometheusText.Limits.DEFAULT);
            if (any.get() && others.isEmpty()) {
                others = Optional.of(uri);
            }
            return MetricsReading.isKnown(text);
        } catch (IOException noMetrics) {
            // another page of text is not a fault of the service
            return false;
        }
    }

    private static PrometheusText text(MetricsPage.Answer answer) throws IOException {
        return PrometheusText.read(
                answer.body(), MetricsReading::wants, PrometheusText.Limits.DEFAULT);
    }

    /// True if there is an address to read.
    public boolean found() {
        return at.isPresent();
    }

    /// The metrics now; empty if they cannot be read.
    public Optional<MetricsReading> read() throws InterruptedException {
        if (at.isEmpty()) {
            return Optional.empty();
        }
        URI uri = at.get();
        try {
            asked++;
            long start = clock.nanos();
            MetricsPage.Answer answer = MetricsPage.get(uri, READ_LIMIT);
            long end = clock.nanos();
            if (!answer.maybe()) {
                miss(
                        answer.status() == HttpURLConnection.HTTP_OK
                                ? "the answer is not a text of metrics"
                                : "it answers " + answer.status());
                return Optional.empty();
            }
            PrometheusText text = text(answer);
            if (!MetricsReading.isKnown(text)) {
                miss(NO_REQUESTS);
            } else {
                missing.remove(unread(NO_REQUESTS));
            }
            return Optional.of(new MetricsReading(text, uri.getPath(), start, end, asked));
        } catch (IOException unread) {
            miss(String.valueOf(unread.getMessage()));
            return Optional.empty();
        }
    }

    /// Figures of the window between two readings; empty if a count started again in it.
    ///
    /// @param concurrency of the load in the window
    /// @param clientPerS requests per second by jdyno's own count or the access log, if known
    public Optional<ServiceFigures> between(
            MetricsReading before,
            MetricsReading after,
            int concurrency,
            Optional<Double> clientPerS) {
        Optional<ServiceFigures> figures = after.since(before, concurrency, address(), clientPerS);
        if (figures.isEmpty()) {
            miss("its counts of requests started again meanwhile");
        }
        gave |= figures.isPresent();
        return figures;
    }

    /// The address without user, password and query, which may contain secrets.
    private String address() {
        return at.map(u ->
                        u.getScheme()
                                + "://"
                                + u.getAuthority().substring(u.getAuthority().lastIndexOf('@') + 1)
                                + u.getPath())
                .orElse("");
    }

    private void miss(String why) {
        Unseen unread = unread(why);
        if (!missing.contains(unread) && missing.size() < MAX_REASONS) {
            missing.add(unread);
        }
    }

    private Unseen unread(String why) {
        return new Unseen(SOURCE, address() + ": " + why);
    }

    /// The name of the source in a result, if it gave figures.
    public List<String> means() {
        return gave ? List.of(SOURCE) : List.of();
    }

    /// Readings that failed, each with the reason.
    public List<Unseen> missing() {
        return List.copyOf(missing);
    }
}
