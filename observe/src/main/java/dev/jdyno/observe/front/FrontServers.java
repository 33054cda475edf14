package dev.jdyno.observe.front;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Web servers of this machine with connections to the target, and their configured limits. They
/// are found by their sockets: they own the other end of a connection that the target accepted.
///
/// If no such server runs, the cost is reading the name of each process once.
public final class FrontServers {
    /// Names of processes that pass requests on, as the kernel shows them.
    private static final Set<String> KNOWN =
            Set.of("nginx", "apache2", "httpd", "haproxy", "envoy", "traefik", "caddy", "varnishd");

    private final ProcFs proc;
    private final Map<Long, String> candidates = new LinkedHashMap<>();
    private final Map<Long, String> roots = new LinkedHashMap<>();
    private final Set<Long> hidden = new TreeSet<>();

    /// @param limits limits of the servers
    /// @param unread servers whose limit is unknown, with the reason
    public record Reported(List<LayerLimit> limits, List<String> unread) {
        static Reported unread(String why) {
            return new Reported(List.of(), List.of(why));
        }
    }

    public FrontServers(ProcFs proc) {
        this.proc = proc;
        for (long pid : proc.pids()) {
            String name = proc.text(pid, "comm").orElse("").strip();
            if (KNOWN.contains(name)) {
                candidates.put(pid, name);
            }
        }
    }

    /// Examines the target's connections once.
    public void look(Sockets target) {
        if (candidates.isEmpty() || !roots.isEmpty()) {
            return;
        }
        Set<Sockets.Ports> accepted = target.acceptedPorts();
        if (accepted.isEmpty()) {
            return;
        }
        // a server may have a process for each core: the sockets of one network namespace are read
        // once for all of them
        Map<String, Set<Long>> byNetwork = new HashMap<>();
        candidates.forEach((pid, name) -> {
            Set<Long> theirs =
                    byNetwork.computeIfAbsent(
                            proc.networkOf(pid).orElse("of " + pid),
                            _ -> Sockets.callers(proc, pid, accepted));
            if (theirs.isEmpty()) {
                return;
            }
            holds(pid, theirs)
                    .ifPresentOrElse(
                            holds -> {
                                if (holds) {
                                    roots.put(root(pid, name), name);
                                }
                            },
                            () -> hidden.add(root(pid, name)));
        });
    }

    /// True if one of the sockets belongs to the process; empty if the sockets of the process
    /// cannot be read.
    private Optional<Boolean> holds(long pid, Set<Long> inodes) {
        try (var fds = Files.newDirectoryStream(proc.of(pid, "fd"))) {
            for (Path fd : fds) {
                if (Sockets.inode(fd).filter(inodes::contains).isPresent()) {
                    return Optional.of(true);
                }
            }
            return Optional.of(false);
        } catch (IOException | DirectoryIteratorException notOurs) {
            return proc.exists(pid) ? Optional.empty() : Optional.of(false);
        }
    }

    /// The topmost ancestor with the same name: the master process, whose children serve the
    /// requests.
    private long root(long pid, String name) {
        long at = pid;
        Set<Long> seen = new HashSet<>();
        while (seen.add(at)) {
            Optional<Long> parent = proc.stat(at).map(s -> Long.parseLong(s[1]));
            if (parent.filter(p -> name.equals(candidates.get(p))).isEmpty()) {
                break;
            }
            at = parent.get();
        }
        return at;
    }

    /// The configured limits.
    ///
    /// @param ports ports on which the target accepts connections
    public Reported reported(Set<Integer> ports) {
        List<LayerLimit> limits = new ArrayList<>();
        List<String> unread = new ArrayList<>();
        roots.forEach((root, name) -> {
            Reported reported =
                    switch (name) {
                        case "nginx" -> NginxSettings.of(proc, root, ports);
                        case "apache2", "httpd" -> ApacheSettings.of(proc, root, ports);
                        case "haproxy" -> HaproxySettings.of(proc, root, ports);
                        default ->
                                Reported.unread(
                                        name + " (pid " + root + "): its limit is not read");
                    };
            limits.addAll(reported.limits());
            unread.addAll(reported.unread());
        });
        if (roots.isEmpty()) {
            hidden.forEach(root ->
                    unread.add(
                            candidates.get(root)
                                    + " (pid "
                                    + root
                                    + "): whether it is in front may not be seen, it is another"
                                    + " user's"));
        }
        return new Reported(limits, unread);
    }
}
