package dev.jdyno.observe.front;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.LayerLimit.Kind;
import dev.jdyno.observe.host.CommandLine;
import dev.jdyno.observe.host.SeenFiles;
import dev.jdyno.target.ProcFs;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Maximum number of requests at once that Apache httpd passes to the target: `MaxRequestWorkers`
/// (before 2.4 `MaxClients`), and the `max` of its connections to the target.
final class ApacheSettings {
    /// Defaults of httpd 2.4: `ServerLimit` and `ThreadsPerChild` of the modules worker and event,
    /// and the number of processes of the module prefork.
    private static final long SERVERS = 16;

    private static final long THREADS_PER_CHILD = 25;
    private static final long PREFORK = 256;

    /// Usual paths of the main file in Debian, Red Hat, the container image and Alpine.
    private static final List<String> USUAL =
            List.of(
                    "/etc/apache2/apache2.conf",
                    "/etc/httpd/conf/httpd.conf",
                    "/usr/local/apache2/conf/httpd.conf",
                    "/etc/apache2/httpd.conf");

    private ApacheSettings() {}

    /// @param parent the parent process of its servers
    /// @param ports ports on which the target listens
    static FrontServers.Reported of(ProcFs proc, long parent, Set<Integer> ports) {
        String server = "Apache httpd (pid " + parent + "): ";
        var command = CommandLine.of(proc, parent);
        var files = new SeenFiles(proc, parent);
        Optional<String> root = command.after("-d").stream().findFirst();
        Optional<String> main =
                command.after("-f").stream()
                        .map(f -> f.startsWith("/") ? f : root.orElse("") + "/" + f)
                        .findFirst()
                        .or(() -> root.flatMap(r -> usualBelow(r, files)))
                        .or(() -> USUAL.stream().filter(files::exists).findFirst());
        if (main.isEmpty()) {
            return FrontServers.Reported.unread(
                    server + "its configuration is at none of the usual places");
        }
        String base = main.get().replaceFirst("/(conf/)?[^/]*$", "");
        var config =
                ApacheConfig.read(
                        files, main.get(), root.orElse(base), Set.copyOf(command.after("-D")));
        if (!files.unread().isEmpty()) {
            return FrontServers.Reported.unread(server + String.join(", ", files.unread()));
        }
        return of(config, ports)
                .map(limits -> new FrontServers.Reported(limits, List.of()))
                .orElseGet(() ->
                        FrontServers.Reported.unread(
                                server + "which MPM it runs is not in its configuration"));
    }

    private static Optional<String> usualBelow(String root, SeenFiles files) {
        return Stream.of("/conf/httpd.conf", "/apache2.conf")
                .map(name -> root + name)
                .filter(files::exists)
                .findFirst();
    }

    /// The limits; empty if nothing is set and the defaults are not known.
    static Optional<List<LayerLimit>> of(ApacheConfig config, Set<Integer> ports) {
        Optional<Long> set =
                config.number("MaxRequestWorkers").or(() -> config.number("MaxClients"));
        boolean prefork = config.loads("mpm_prefork_module");
        boolean threaded = config.loads("mpm_event_module") || config.loads("mpm_worker_module");
        if (!prefork && !threaded) {
            return set.map(n -> List.of(front(n, "MaxRequestWorkers " + n)));
        }
        long threads = prefork ? 1 : config.number("ThreadsPerChild").orElse(THREADS_PER_CHILD);
        long servers = config.number("ServerLimit").orElse(prefork ? PREFORK : SERVERS);
        long capacity = servers * threads;
        // httpd limits the value to the capacity of its servers, and rounds it down to whole
        // servers
        long processes = Math.min(set.orElse(capacity), capacity) / threads;
        String says =
                String.format(
                        Locale.ROOT,
                        "%s (%d x %s)",
                        set.map(n -> "MaxRequestWorkers " + n)
                                .orElse("MaxRequestWorkers is not set"),
                        processes,
                        prefork ? "a process" : threads + " threads");
        List<LayerLimit> limits = new ArrayList<>();
        limits.add(front(processes * threads, says));
        maxToTarget(config, ports)
                .map(max ->
                        new LayerLimit(
                                "Apache httpd to the service",
                                Kind.FRONT,
                                max * processes,
                                "max=" + max + ", for each of " + processes + " processes"))
                .ifPresent(limits::add);
        return Optional.of(limits);
    }

    private static LayerLimit front(long most, String says) {
        return new LayerLimit("Apache httpd in front", Kind.FRONT, most, says);
    }

    /// The sum of the limits in `ProxyPass / http://127.0.0.1:8080/ max=20`, or `BalancerMember`
    /// with the same syntax.
    private static Optional<Long> maxToTarget(ApacheConfig config, Set<Integer> ports) {
        return Stream.of("ProxyPass", "BalancerMember")
                .flatMap(name -> config.all(name).stream())
                .filter(d ->
                        d.stream()
                                .anyMatch(w ->
                                        ports.stream()
                                                .anyMatch(p -> w.matches(".*:" + p + "(/.*)?"))))
                .flatMap(d -> d.stream().filter(w -> w.matches("max=[1-9]\\d{0,8}")))
                .map(w -> Long.parseLong(w.substring("max=".length())))
                .reduce(Long::sum);
    }
}
