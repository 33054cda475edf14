package dev.jdyno.observe.front;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.LayerLimit.Kind;
import dev.jdyno.observe.host.Headroom;
import dev.jdyno.observe.host.SeenFiles;
import dev.jdyno.target.ProcFs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Maximum number of requests at once that nginx passes to the target. Its workers are counted; the
/// connections of each are read from the configuration with which its master was started.
///
/// `worker_connections` counts the connection to the client and that to the target, so a request
/// that is passed on takes two. A worker's file descriptors are a limit, too.
final class NginxSettings {
    /// nginx's default if `worker_connections` is not set.
    private static final long CONNECTIONS = 512;

    private static final int A_REQUEST_TAKES = 2;

    private static final List<String> USUAL =
            List.of(
                    "/etc/nginx/nginx.conf",
                    "/usr/local/nginx/conf/nginx.conf",
                    "/usr/local/etc/nginx/nginx.conf",
                    "/usr/local/openresty/nginx/conf/nginx.conf");

    // nginx: master process /usr/sbin/nginx -p /srv -c conf/nginx.conf -g daemon off;
    private static final Pattern OPTION = Pattern.compile(" -([cpg]) ?(.+?)(?= -[a-zA-Z]( |$)|$)");

    private NginxSettings() {}

    /// @param master the parent process of its workers
    /// @param ports ports on which the target listens
    static FrontServers.Reported of(ProcFs proc, long master, Set<Integer> ports) {
        String title = title(proc, master);
        var files = new SeenFiles(proc, master);
        Optional<String> main = mainFile(title, files);
        List<Long> workers =
                proc.pids().stream()
                        .filter(p -> isChild(proc, p, master))
                        .filter(p -> title(proc, p).equals("nginx: worker process"))
                        .toList();
        if (main.isEmpty() || workers.isEmpty()) {
            String why =
                    workers.isEmpty()
                            ? "it has no worker processes"
                            : "its configuration is at none of the usual places";
            return FrontServers.Reported.unread("nginx (pid " + master + "): " + why);
        }
        var config = NginxConfig.read(files, main.get(), option(title, "g").orElse(""));
        if (!files.unread().isEmpty()) {
            return FrontServers.Reported.unread(
                    "nginx (pid " + master + "): " + String.join(", ", files.unread()));
        }
        long connections = config.number("events", "worker_connections").orElse(CONNECTIONS);
        Optional<Long> fds =
                workers.stream().findFirst().flatMap(w -> new Headroom(proc, w).fdLimit());
        boolean fewFds = fds.filter(n -> n < connections).isPresent();
        long each = fewFds ? fds.get() : connections;
        String says =
                String.format(
                        Locale.ROOT,
                        "%d worker%s x %s %d, two connections a request%s",
                        workers.size(),
                        workers.size() == 1 ? "" : "s",
                        fewFds
                                ? "open files (worker_connections " + connections + ")"
                                : "worker_connections",
                        each,
                        changedSince(files.newest(), workers)
                                ? "; the configuration was changed since they started"
                                : "");
        List<LayerLimit> limits = new ArrayList<>();
        limits.add(
                new LayerLimit(
                        "nginx in front",
                        Kind.FRONT,
                        workers.size() * each / (double) A_REQUEST_TAKES,
                        says + keptAlive(config, ports)));
        atMostUpstream(config, ports, workers.size()).ifPresent(limits::add);
        return new FrontServers.Reported(limits, List.of());
    }

    private static boolean isChild(ProcFs proc, long pid, long parent) {
        return proc.stat(pid).filter(s -> s[1].equals(Long.toString(parent))).isPresent();
    }

    /// The title with which the process replaced its command line.
    private static String title(ProcFs proc, long pid) {
        return proc.text(pid, "cmdline").orElse("").replace('\0', ' ').strip();
    }

    static Optional<String> option(String title, String option) {
        Matcher m = OPTION.matcher(title);
        while (m.find()) {
            if (m.group(1).equals(option)) {
                return Optional.of(m.group(2).strip());
            }
        }
        return Optional.empty();
    }

    /// The main configuration file. A relative path is below the prefix. If no prefix is given, the
    /// one of the nginx build applies.
    private static Optional<String> mainFile(String title, SeenFiles files) {
        Optional<String> prefix = option(title, "p").map(p -> p.endsWith("/") ? p : p + "/");
        String given = option(title, "c").orElse("");
        List<String> places = new ArrayList<>();
        if (given.startsWith("/")) {
            places.add(given);
        } else if (!given.isEmpty()) {
            prefix.ifPresent(p -> places.add(p + given));
            USUAL.forEach(u -> places.add(u.replaceFirst("(conf/)?nginx.conf$", "") + given));
        } else {
            prefix.ifPresent(p -> places.add(p + "conf/nginx.conf"));
            places.addAll(USUAL);
        }
        return places.stream().filter(files::exists).findFirst();
    }

    /// True if the configuration changed after the workers started: nginx restarts workers when it
    /// reloads the configuration.
    private static boolean changedSince(Instant changed, List<Long> workers) {
        return workers.stream()
                .flatMap(w -> ProcessHandle.of(w).stream())
                .flatMap(w -> w.info().startInstant().stream())
                .anyMatch(started -> changed.isAfter(started.plusSeconds(1)));
    }

    /// The upstreams with a server on one of the ports.
    private static List<String> upstreams(NginxConfig config, Set<Integer> ports) {
        return config.upstreams().stream()
                .filter(u -> config.all(u, "server").stream().anyMatch(s -> isAt(s, ports)))
                .toList();
    }

    private static boolean isAt(NginxConfig.Directive server, Set<Integer> ports) {
        return server.words().size() >= 2
                && ports.stream().anyMatch(port -> server.words().get(1).endsWith(":" + port));
    }

    private static String keptAlive(NginxConfig config, Set<Integer> ports) {
        return upstreams(config, ports).stream()
                .flatMap(u -> config.number(u, "keepalive").stream())
                .findFirst()
                .map(n -> String.format(Locale.ROOT, "; each keeps %d idle to the service", n))
                .orElse("");
    }

    /// The limit by `max_conns`, which applies to each worker, unless the upstream has a shared
    /// `zone`.
    private static Optional<LayerLimit> atMostUpstream(
            NginxConfig config, Set<Integer> ports, int workers) {
        for (String upstream : upstreams(config, ports)) {
            List<Long> max =
                    config.all(upstream, "server").stream()
                            .filter(s -> isAt(s, ports))
                            .flatMap(s -> s.argument("max_conns").stream())
                            .filter(n -> n.matches("[1-9]\\d{0,8}"))
                            .map(Long::parseLong)
                            .toList();
            if (!max.isEmpty()) {
                boolean shared = !config.all(upstream, "zone").isEmpty();
                double sum = max.stream().mapToLong(n -> n).sum();
                return Optional.of(
                        new LayerLimit(
                                "nginx to the service",
                                Kind.FRONT,
                                sum * (shared ? 1 : workers),
                                "max_conns of "
                                        + upstream
                                        + (shared ? "" : ", for each of " + workers + " workers")));
            }
        }
        return Optional.empty();
    }
}
