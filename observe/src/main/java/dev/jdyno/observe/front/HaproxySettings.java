package dev.jdyno.observe.front;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.LayerLimit.Kind;
import dev.jdyno.observe.host.CommandLine;
import dev.jdyno.observe.host.SeenFiles;
import dev.jdyno.target.ProcFs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Maximum number of requests at once that HAProxy passes to the target: the `maxconn` of the whole
/// process, of the frontends that lead to the target, and of the `server` line of the target.
/// Further requests wait in its queue.
final class HaproxySettings {
    private static final List<String> USUAL =
            List.of("/etc/haproxy/haproxy.cfg", "/usr/local/etc/haproxy/haproxy.cfg");

    /// First words of lines that begin a section.
    private static final Set<String> SECTIONS =
            Set.of(
                    "global",
                    "defaults",
                    "frontend",
                    "backend",
                    "listen",
                    "peers",
                    "mailers",
                    "resolvers",
                    "userlist",
                    "cache",
                    "program",
                    "ring",
                    "http-errors",
                    "fcgi-app",
                    "log-forward",
                    "crt-store",
                    "traces");

    private HaproxySettings() {}

    /// @param inherited `maxconn` of the `defaults` section above it
    private record Section(List<String> head, List<List<String>> lines, Optional<Long> inherited) {
        boolean is(String... kinds) {
            return Set.of(kinds).contains(head.getFirst());
        }

        String name() {
            return head.size() > 1 ? head.get(1) : "";
        }

        Optional<Long> maxconn() {
            return lines.stream()
                    .filter(l -> l.getFirst().equals("maxconn"))
                    .flatMap(l -> behind(l, "maxconn").stream())
                    .reduce((_, last) -> last)
                    .or(() -> inherited);
        }

        /// The `server` lines whose address has one of the ports.
        List<List<String>> servers(Set<Integer> ports) {
            return is("backend", "listen")
                    ? lines.stream()
                            .filter(l -> l.size() > 2 && l.getFirst().equals("server"))
                            .filter(l -> ports.stream().anyMatch(p -> l.get(2).endsWith(":" + p)))
                            .toList()
                    : List.of();
        }

        boolean leadsTo(Set<String> backends) {
            return switch (head.getFirst()) {
                case "listen" -> backends.contains(name());
                case "frontend" ->
                        lines.stream()
                                .filter(l -> l.getFirst().matches("(default|use)_backend"))
                                .anyMatch(l -> l.size() > 1 && backends.contains(l.get(1)));
                default -> false;
            };
        }
    }

    private static Optional<Long> behind(List<String> line, String word) {
        int at = line.indexOf(word) + 1;
        return at > 0 && at < line.size() && line.get(at).matches("[1-9]\\d{0,8}")
                ? Optional.of(Long.parseLong(line.get(at)))
                : Optional.empty();
    }

    /// @param master the parent process of its workers, or the only process
    /// @param ports ports on which the target listens
    static FrontServers.Reported of(ProcFs proc, long master, Set<Integer> ports) {
        String server = "HAProxy (pid " + master + "): ";
        var files = new SeenFiles(proc, master);
        List<String> paths =
                new ArrayList<>(
                        CommandLine.of(proc, master).after("-f").stream()
                                .flatMap(f -> files.inFolder(f, "*.cfg").stream())
                                .toList());
        if (paths.isEmpty()) {
            USUAL.stream().filter(files::exists).findFirst().ifPresent(paths::add);
        }
        if (paths.isEmpty()) {
            return FrontServers.Reported.unread(
                    server + "its configuration is at none of the usual places");
        }
        List<Section> sections = new ArrayList<>();
        paths.forEach(p -> files.text(p).ifPresent(text -> add(text, sections, files::canAdd)));
        if (!files.unread().isEmpty()) {
            return FrontServers.Reported.unread(server + String.join(", ", files.unread()));
        }
        List<LayerLimit> limits = limits(sections, ports);
        return limits.isEmpty()
                ? FrontServers.Reported.unread(
                        server + "no maxconn is set on the way to the service")
                : new FrontServers.Reported(limits, List.of());
    }

    /// The limits in a configuration of one file.
    static List<LayerLimit> limits(String text, Set<Integer> ports) {
        List<Section> sections = new ArrayList<>();
        add(text, sections, _ -> true);
        return limits(sections, ports);
    }

    /// @param room true if another line may be kept
    private static void add(String text, List<Section> sections, Predicate<List<String>> room) {
        Optional<Long> inherited =
                sections.reversed().stream()
                        .filter(s -> s.is("defaults"))
                        .findFirst()
                        .flatMap(Section::maxconn);
        for (String line : text.lines().map(l -> l.replaceFirst("#.*", "").strip()).toList()) {
            List<String> words = List.of(line.split("\\s+"));
            if (!line.isEmpty() && !room.test(words)) {
                return;
            }
            if (SECTIONS.contains(words.getFirst())) {
                if (!sections.isEmpty() && sections.getLast().is("defaults")) {
                    inherited = sections.getLast().maxconn();
                }
                boolean inherits = !words.getFirst().matches("global|defaults");
                sections.add(
                        new Section(
                                words, new ArrayList<>(), inherits ? inherited : Optional.empty()));
            } else if (!line.isEmpty() && !sections.isEmpty()) {
                sections.getLast().lines().add(words);
            }
        }
    }

    private static List<LayerLimit> limits(List<Section> sections, Set<Integer> ports) {
        List<LayerLimit> limits = new ArrayList<>();
        Set<String> backends =
                Set.copyOf(
                        sections.stream()
                                .filter(s -> !s.servers(ports).isEmpty())
                                .map(Section::name)
                                .toList());
        Stream<Section> whole = sections.stream().filter(s -> s.is("global"));
        Stream<Section> ways = sections.stream().filter(s -> s.leadsTo(backends));
        Stream.concat(whole, ways)
                .flatMap(s ->
                        s
                                .maxconn()
                                .map(n ->
                                        new LayerLimit(
                                                "HAProxy in front",
                                                Kind.FRONT,
                                                n,
                                                "maxconn of " + String.join(" ", s.head())))
                                .stream())
                .min((a, b) -> Double.compare(a.atOnce(), b.atOnce()))
                .ifPresent(limits::add);
        sections.stream()
                .flatMap(s -> s.servers(ports).stream())
                .flatMap(line -> behind(line, "maxconn").stream())
                .reduce(Long::sum)
                .map(n ->
                        new LayerLimit(
                                "HAProxy to the service",
                                Kind.FRONT,
                                n,
                                "maxconn of the service as a server; more wait in HAProxy"))
                .ifPresent(limits::add);
        return limits;
    }
}
