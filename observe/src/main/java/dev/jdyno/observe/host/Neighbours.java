package dev.jdyno.observe.host;

import dev.jdyno.measure.Neighbour;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.target.ProcFs;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The CPU of the other processes of this machine, by name: who it is that takes the cores.
public final class Neighbours {
    /// Cores of a process from which it is worth naming.
    static final double NAMED_FROM = 0.05;

    /// Processes that are named, the largest first.
    static final int NAMED = 3;

    /// Options of `java` whose value is the next argument.
    private static final Set<String> TAKE_A_VALUE =
            Set.of(
                    "-cp",
                    "-classpath",
                    "--class-path",
                    "-p",
                    "--module-path",
                    "--add-modules",
                    "--add-exports",
                    "--add-opens",
                    "--add-reads",
                    "--patch-module",
                    "--upgrade-module-path");

    private final ProcFs proc;
    private final Set<Long> ours;
    private final Set<Long> roots;

    /// @param ours processes that are no neighbours: the target and this tool
    public Neighbours(ProcFs proc, Set<Long> ours) {
        this(proc, ours, Set.of());
    }

    private Neighbours(ProcFs proc, Set<Long> ours, Set<Long> roots) {
        this.proc = proc;
        this.ours = Set.copyOf(ours);
        this.roots = Set.copyOf(roots);
    }

    /// Of everybody but these processes and all that they started.
    static Neighbours besideFamilies(ProcFs proc, Set<Long> ours) {
        return new Neighbours(proc, ours, ours);
    }

    /// Ticks of user and system time of every other process that may be seen.
    public Map<Long, Long> read() {
        Map<Long, Long> ticks = new HashMap<>();
        Map<Long, Long> parents = new HashMap<>();
        for (long pid : proc.pids()) {
            proc.stat(pid)
                    .ifPresent(s -> {
                        ticks.put(pid, Long.parseLong(s[11]) + Long.parseLong(s[12]));
                        parents.put(pid, Long.parseLong(s[1]));
                    });
        }
        ticks.keySet().removeIf(pid -> isOurs(pid, parents));
        return ticks;
    }

    /// Follows the parents up; processes that come and go meanwhile could make a ring of them.
    private boolean isOurs(long pid, Map<Long, Long> parents) {
        if (ours.contains(pid)) {
            return true;
        }
        long up = pid;
        for (int i = 0; i < parents.size() && !roots.isEmpty(); i++) {
            Long parent = parents.get(up);
            if (parent == null) {
                return false;
            }
            if (roots.contains(parent)) {
                return true;
            }
            up = parent;
        }
        return false;
    }

    /// The others that used the cores between two readings, the largest first; those with next to
    /// nothing left out.
    public List<Neighbour> users(Map<Long, Long> from, Map<Long, Long> to, double seconds) {
        return to.entrySet().stream()
                .map(e ->
                        new Use(
                                e.getKey(),
                                (e.getValue() - from.getOrDefault(e.getKey(), 0L))
                                        / CpuProbe.TICKS_PER_SECOND
                                        / seconds))
                .filter(u -> u.cores() >= NAMED_FROM)
                .sorted(Comparator.comparingDouble(Use::cores).reversed())
                .map(u -> new Neighbour(name(proc, u.pid()), u.pid(), u.cores()))
                .toList();
    }

    private record Use(long pid, double cores) {}

    /// Cores that the others used between two readings, and which of them most; nothing where
    /// nobody used any to speak of.
    public Signals between(Map<Long, Long> from, Map<Long, Long> to, double seconds) {
        List<Neighbour> users = users(from, to, seconds);
        if (users.isEmpty()) {
            return Signals.NONE;
        }
        String names =
                users.stream()
                        .limit(NAMED)
                        .map(u ->
                                String.format(
                                        Locale.ROOT,
                                        "%s (pid %d) %.2f",
                                        u.name(),
                                        u.pid(),
                                        u.cores()))
                        .collect(Collectors.joining(", "));
        return new Signals(
                Map.of(Sign.NEIGHBOUR_CORES, users.stream().mapToDouble(Neighbour::cores).sum()),
                Map.of(Sign.NEIGHBOUR_CORES, names));
    }

    /// The program's name; of a JVM also the class or jar that it runs. Other arguments may hold
    /// secrets and are not told.
    static String name(ProcFs proc, long pid) {
        String program = proc.text(pid, "comm").map(String::strip).orElse("a process");
        String name =
                program.equals("java")
                        ? program + " " + mainOf(CommandLine.of(proc, pid).words())
                        : program;
        // the user who starts a process chooses its name
        return name.replaceAll("\\p{Cntrl}", "?").strip();
    }

    /// What a `java` command runs: the first argument that is neither an option nor an option's
    /// value. A jar comes after `-jar`.
    static String mainOf(List<String> command) {
        for (int i = 1; i < command.size(); i++) {
            String argument = command.get(i);
            if (TAKE_A_VALUE.contains(argument)) {
                i++;
            } else if (!argument.startsWith("-") && !argument.startsWith("@")) {
                return argument.substring(argument.lastIndexOf('/') + 1);
            }
        }
        return "";
    }
}
