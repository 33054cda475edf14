package dev.jdyno.observe.metrics;

import dev.jdyno.foreign.PrometheusText;
import dev.jdyno.foreign.PrometheusText.Sample;
import dev.jdyno.measure.service.ServicePool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Names of the metrics of one library's pools, as Micrometer's binders or the library itself have
/// them. An empty name means that the library does not expose the metric.
///
/// @param library its name in thread samples
/// @param label label that names the pool; empty if a service has only one
/// @param max gauge of the maximum number of members
/// @param idle gauge of the members that are not in use, if `idle` and `inUse` always add up to the
///   maximum. A library whose idle members are only those that it has created so far has none here.
/// @param inUse gauge of the members in use; `name{label=value}` if it also has other members
/// @param waiting gauge of the callers or tasks that wait
/// @param waits timer of the waits for a member
/// @param held timer of the time for which a member is in use
/// @param timeouts counter of the callers that gave up
record PoolGauge(
        String library,
        String label,
        String max,
        String idle,
        String inUse,
        String waiting,
        String waits,
        String held,
        String timeouts) {
    static final List<PoolGauge> ALL =
            List.of(
                    new PoolGauge(
                            "HikariCP",
                            "pool",
                            "hikaricp_connections_max",
                            "hikaricp_connections_active",
                            "hikaricp_connections_pending",
                            "hikaricp_connections_acquire_seconds",
                            "hikaricp_connections_usage_seconds",
                            "hikaricp_connections_timeout_total"),
                    new PoolGauge(
                            "Agroal",
                            "datasource",
                            "",
                            "agroal_active_count",
                            "agroal_awaiting_count",
                            "",
                            "",
                            ""),
                    new PoolGauge(
                            "JDBC",
                            "name",
                            "jdbc_connections_max",
                            "jdbc_connections_active",
                            "",
                            "",
                            "",
                            ""),
                    new PoolGauge(
                            "Tomcat",
                            "name",
                            "tomcat_threads_config_max_threads",
                            "tomcat_threads_busy_threads",
                            "",
                            "",
                            "",
                            ""),
                    new PoolGauge(
                            "Jetty",
                            "",
                            "jetty_threads_config_max",
                            "jetty_threads_busy",
                            "jetty_threads_jobs",
                            "",
                            "",
                            ""),
                    new PoolGauge(
                            "executor",
                            "name",
                            "executor_pool_max_threads",
                            "executor_active_threads",
                            "executor_queued_tasks",
                            "executor_idle_seconds",
                            "executor_seconds",
                            ""),
                    // Vert.x in Quarkus
                    new PoolGauge(
                            "Vert.x",
                            "pool_name",
                            "",
                            "worker_pool_idle",
                            "worker_pool_active",
                            "worker_pool_queue_size",
                            "worker_pool_queue_delay_seconds",
                            "worker_pool_usage_seconds",
                            "worker_pool_rejected_total"),
                    // of all routes together; the use of one route has no gauge
                    new PoolGauge(
                            "Apache-HttpClient",
                            "httpclient",
                            "httpcomponents_httpclient_pool_total_max",
                            "httpcomponents_httpclient_pool_total_connections{state=leased}",
                            "httpcomponents_httpclient_pool_total_pending",
                            "",
                            "",
                            ""),
                    new PoolGauge(
                            "Reactor-Netty",
                            "remote_address",
                            "reactor_netty_connection_provider_max_connections",
                            "reactor_netty_connection_provider_active_connections",
                            "reactor_netty_connection_provider_pending_connections",
                            "",
                            "",
                            ""),
                    helidonLimit("fixed", "fixed"),
                    helidonLimit("aimd", "AIMD"),
                    helidonLimit("throughput", "throughput"));

    /// Size that a pool without a limit exposes.
    private static final double NO_LIMIT = Integer.MAX_VALUE;

    /// Maximum number of pools that are kept.
    private static final int MAX = 64;

    /// A pool with a gauge of its maximum, or with none.
    private PoolGauge(
            String library,
            String label,
            String max,
            String inUse,
            String waiting,
            String waits,
            String held,
            String timeouts) {
        this(library, label, max, "", inUse, waiting, waits, held, timeouts);
    }

    /// A limit on the requests in flight of Helidon's web server. Only AIMD exposes its size.
    private static PoolGauge helidonLimit(String algorithm, String word) {
        return new PoolGauge(
                "Helidon " + word + " limit",
                "socketName",
                algorithm + "_limit",
                algorithm + "_concurrent_requests",
                algorithm + "_queue_length",
                algorithm + "_queue_wait_time_seconds",
                algorithm + "_rtt_seconds",
                algorithm + "_rejected_requests");
    }

    private boolean has(String name) {
        return Stream.of(max, idle, inUse, waiting, timeouts)
                        .anyMatch(gauge -> name.equals(nameOf(gauge)))
                || Stream.of(waits, held)
                        .anyMatch(t -> name.equals(t + "_count") || name.equals(t + "_sum"));
    }

    /// True if samples of this name are read here.
    static boolean wants(String name) {
        return ALL.stream().anyMatch(g -> g.has(name));
    }

    /// Returns the pools of a window, the most waiting callers first.
    ///
    /// @param seconds length of the window
    static List<ServicePool> between(PrometheusText before, PrometheusText after, double seconds) {
        List<ServicePool> pools = new ArrayList<>();
        for (PoolGauge gauge : ALL) {
            // the metrics `jdbc_*` repeat a pool of HikariCP or Agroal, under the name of its data
            // source
            boolean known = gauge.library.equals("JDBC") && !pools.isEmpty();
            if (!known) {
                gauge.names(after)
                        .forEach(pool -> pools.add(gauge.pool(pool, before, after, seconds)));
            }
        }
        return pools.stream()
                .sorted(
                        Comparator.comparing((ServicePool p) -> p.waiting().orElse(0.0))
                                .thenComparing(p -> p.use().orElse(0.0))
                                .reversed())
                .limit(MAX)
                .toList();
    }

    private List<String> names(PrometheusText text) {
        return samples(text, inUse).map(s -> s.label(label)).distinct().limit(MAX).toList();
    }

    /// The name of a gauge that may be restricted to one value of a label: `name{label=value}`.
    private static String nameOf(String gauge) {
        int labels = gauge.indexOf('{');
        return labels < 0 ? gauge : gauge.substring(0, labels);
    }

    private static Stream<Sample> samples(PrometheusText text, String gauge) {
        String name = nameOf(gauge);
        Stream<Sample> all = text.samples(name).stream();
        if (name.length() == gauge.length()) {
            return all;
        }
        int equal = gauge.indexOf('=');
        String key = gauge.substring(name.length() + 1, equal);
        String only = gauge.substring(equal + 1, gauge.length() - 1);
        return all.filter(s -> s.label(key).equals(only));
    }

    private ServicePool pool(
            String pool, PrometheusText before, PrometheusText after, double seconds) {
        Optional<Timed> waited = timed(waits, pool, before, after);
        Optional<Timed> used = timed(held, pool, before, after);
        return new ServicePool(
                pool.isEmpty() ? library : pool,
                library,
                size(pool, after).filter(m -> m > 0 && m < NO_LIMIT),
                used.map(t -> t.seconds() / seconds).or(() -> mean(inUse, pool, before, after)),
                waited.map(t -> t.seconds() / seconds).or(() -> mean(waiting, pool, before, after)),
                waited.map(Timed::meanMs),
                used.map(Timed::meanMs),
                value(after, timeouts, pool)
                        .flatMap(now ->
                                value(before, timeouts, pool)
                                        .filter(was -> was <= now)
                                        .map(was -> Math.round(now - was))));
    }

    private Optional<Double> size(String pool, PrometheusText text) {
        return value(text, max, pool)
                .or(() ->
                        value(text, idle, pool)
                                .flatMap(i -> value(text, inUse, pool).map(n -> i + n)));
    }

    /// Growth of a timer in a window.
    private record Timed(double count, double seconds) {
        double meanMs() {
            return seconds / count * 1000;
        }
    }

    /// Returns the growth of a timer; empty if nothing was timed or the timer started again.
    private Optional<Timed> timed(
            String timer, String pool, PrometheusText before, PrometheusText after) {
        Optional<Double> count = grown(timer + "_count", pool, before, after).filter(n -> n > 0);
        Optional<Double> seconds = grown(timer + "_sum", pool, before, after);
        return count.flatMap(n -> seconds.map(s -> new Timed(n, s)));
    }

    private Optional<Double> grown(
            String name, String pool, PrometheusText before, PrometheusText after) {
        return value(after, name, pool)
                .flatMap(now ->
                        value(before, name, pool).filter(was -> was <= now).map(was -> now - was));
    }

    private Optional<Double> mean(
            String name, String pool, PrometheusText before, PrometheusText after) {
        return value(after, name, pool)
                .map(now -> value(before, name, pool).map(was -> (was + now) / 2).orElse(now));
    }

    private Optional<Double> value(PrometheusText text, String name, String pool) {
        return samples(text, name)
                .filter(s -> s.label(label).equals(pool))
                .flatMap(s -> MetricsReading.amount(s).stream())
                .reduce(Double::sum);
    }
}
