package dev.jdyno.watch;

import dev.jdyno.inside.RunningJvms;
import dev.jdyno.measure.RunningJvm;
import dev.jdyno.measure.text.Problems;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A service that the user wants to watch.
///
/// @param service the name in day files, metrics and events
/// @param pid the only JVM to watch; empty if every JVM of the name is watched, one after another
/// @param name the name or main class by which a JVM is found; the pid as text if there is one
public record Wanted(String service, Optional<Long> pid, String name) {
    /// Maximum number of services of one watch. Each has four threads of jdyno.
    public static final int MAX = 32;

    private static final String PID = "\\d{1,10}";

    /// A pid or a name, as `jdyno ps` shows them.
    ///
    /// @param where its place in messages
    public record Word(String text, String where) {}

    /// Reads pids and names. A name needs no JVM yet: the service may start later.
    ///
    /// @return the services in the order of the words; without mistakes, one for each different
    ///   word
    public static List<Wanted> of(List<Word> words, RunningJvms jvms, Problems problems) {
        if (words.isEmpty()) {
            problems.add(
                    "PID|NAME",
                    "is missing",
                    "give a pid or a name (jdyno ps lists them), or --config FILE with services");
        }
        if (words.size() > MAX) {
            problems.add(
                    words.size() + " services",
                    "one watch has at most " + MAX,
                    "start a second one with another --out DIR");
            return List.of();
        }
        List<RunningJvm> running = words.isEmpty() ? List.of() : jvms.all();
        Map<Word, Wanted> all = new LinkedHashMap<>();
        for (Word word : words.stream().distinct().toList()) {
            (word.text().matches(PID)
                            ? ofPid(word, running, problems)
                            : ofName(word, running, problems))
                    .ifPresent(wanted -> all.put(word, wanted));
        }
        List<Wanted> services = distinct(List.copyOf(all.values()));
        refuseEqual(List.copyOf(all.keySet()), services, problems);
        return services;
    }

    /// Refuses words that name one service: both watches would write the same day files.
    ///
    /// @param services of these words
    private static void refuseEqual(List<Word> words, List<Wanted> services, Problems problems) {
        Map<String, Word> first = new HashMap<>();
        for (int i = 0; i < words.size(); i++) {
            Word word = words.get(i);
            String service = services.get(i).service();
            // the file of --config refuses the same word
            Optional.ofNullable(first.putIfAbsent(service, word))
                    .filter(other -> !other.text().equals(word.text()))
                    .ifPresent(other ->
                            problems.add(
                                    word.where(),
                                    "names the service " + service + ", like " + other.text(),
                                    "keep one of them"));
        }
    }

    private static Optional<Wanted> ofPid(Word word, List<RunningJvm> running, Problems problems) {
        long pid = Long.parseLong(word.text());
        Optional<RunningJvm> jvm = running.stream().filter(j -> j.pid() == pid).findFirst();
        if (jvm.isEmpty()) {
            problems.add(
                    word.where(),
                    "is no JVM that this user may observe",
                    "jdyno ps lists the JVMs; run jdyno as the service's user, or as root");
        }
        return jvm.map(j ->
                new Wanted(
                        j.serviceName().orElse("pid-" + word.text()),
                        Optional.of(pid),
                        word.text()));
    }

    private static Optional<Wanted> ofName(Word word, List<RunningJvm> running, Problems problems) {
        Optional<String> service = RunningJvm.serviceName(word.text(), Optional.empty());
        if (service.isEmpty()) {
            problems.add(
                    word.where(),
                    "is neither a pid nor the name of a service",
                    "jdyno ps lists both");
            return Optional.empty();
        }
        var wanted = new Wanted(service.get(), Optional.empty(), word.text());
        List<RunningJvm> found = running.stream().filter(wanted::is).toList();
        if (found.size() > 1) {
            problems.add(
                    word.where(),
                    "is the name of several JVMs: "
                            + found.stream()
                                    .map(j -> Long.toString(j.pid()))
                                    .collect(Collectors.joining(", ")),
                    "give their pids");
        }
        return Optional.of(wanted);
    }

    /// Adds the pid to names that two services have.
    private static List<Wanted> distinct(List<Wanted> all) {
        Map<String, Integer> times = new HashMap<>();
        all.forEach(w -> times.merge(w.service(), 1, Integer::sum));
        return all.stream()
                .map(w ->
                        times.getOrDefault(w.service(), 0) > 1 && w.pid().isPresent()
                                ? new Wanted(w.service() + "-" + w.pid().get(), w.pid(), w.name())
                                : w)
                .toList();
    }

    /// True if the JVM is the wanted one, or has the wanted name.
    boolean is(RunningJvm jvm) {
        return pid.isPresent()
                ? jvm.pid() == pid.get()
                : jvm.main().equals(name) || jvm.serviceName().filter(service::equals).isPresent();
    }

    /// The JVM to watch: of several of one name the one that started last.
    Optional<Long> find(List<RunningJvm> running) {
        return running.stream()
                .filter(this::is)
                .min(
                        Comparator.comparingDouble(
                                j -> j.ageSeconds().orElse(Double.POSITIVE_INFINITY)))
                .map(RunningJvm::pid);
    }
}
