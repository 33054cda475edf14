package dev.jdyno.observe.host;

import dev.jdyno.measure.DisturbanceText;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Program;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The CPU of the other processes of this machine, by name: who it is that takes the cores.
public final class Neighbours {
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

    /// CPU of all processes except these and their descendants.
    static Neighbours besideFamilies(ProcFs proc, Set<Long> ours) {
        return new Neighbours(proc, ours, ours);
    }

    /// CPU of all processes that may be seen.
    ///
    /// @param all by pid, those that are no neighbours among them: one of these whose parent ends
    ///   must not be taken for one that has used all of its time since
    /// @param ours the pids of those that are no neighbours
    public record Reading(Map<Long, Seen> all, Set<Long> ours) {
        public Reading {
            all = Map.copyOf(all);
            ours = Set.copyOf(ours);
        }
    }

    /// One process.
    ///
    /// @param ticks of user and system time
    /// @param startTicks when it started, which tells it from a later one with its pid
    public record Seen(long ticks, long startTicks) {}

    /// The first reading.
    public Reading read() {
        return read(new Reading(Map.of(), Set.of()));
    }

    /// A reading after another one. What these processes started stays theirs when its parent has
    /// ended.
    public Reading read(Reading before) {
        Map<Long, Seen> all = new HashMap<>();
        Map<Long, Long> parents = new HashMap<>();
        for (long pid : proc.pids()) {
            proc.stat(pid)
                    .ifPresent(s -> {
                        long ticks = Long.parseLong(s[11]) + Long.parseLong(s[12]);
                        all.put(pid, new Seen(ticks, Long.parseLong(s[19])));
                        parents.put(pid, Long.parseLong(s[1]));
                    });
        }
        Set<Long> stayed =
                before.ours().stream()
                        .filter(pid -> isSame(before.all().get(pid), all.get(pid)))
                        .collect(Collectors.toSet());
        return new Reading(
                all,
                all.keySet().stream()
                        .filter(pid -> isOurs(pid, parents, stayed))
                        .collect(Collectors.toSet()));
    }

    private static boolean isSame(@Nullable Seen before, @Nullable Seen now) {
        return before != null && now != null && before.startTicks() == now.startTicks();
    }

    /// Follows the parents up; processes that come and go meanwhile could make a ring of them.
    ///
    /// @param stayed those that were ours before
    private boolean isOurs(long pid, Map<Long, Long> parents, Set<Long> stayed) {
        if (ours.contains(pid) || stayed.contains(pid) || Program.isOne(pid)) {
            return true;
        }
        long up = pid;
        for (int i = 0; i < parents.size() && !roots.isEmpty(); i++) {
            Long parent = parents.get(up);
            if (parent == null) {
                return false;
            }
            if (roots.contains(parent) || stayed.contains(parent)) {
                return true;
            }
            up = parent;
        }
        return false;
    }

    /// The others that used the cores between two readings, the largest first; those with next to
    /// nothing left out.
    public List<Neighbour> users(Reading from, Reading to, double seconds) {
        return to.all().entrySet().stream()
                .filter(e -> !to.ours().contains(e.getKey()))
                .map(e ->
                        new Use(
                                e.getKey(),
                                (e.getValue().ticks() - ticksBefore(from, e.getKey(), e.getValue()))
                                        / CpuProbe.TICKS_PER_SECOND
                                        / seconds))
                .filter(u -> u.cores() >= Neighbour.NAMED_FROM)
                .sorted(Comparator.comparingDouble(Use::cores).reversed())
                .map(u -> new Neighbour(name(proc, u.pid()), u.pid(), u.cores()))
                .toList();
    }

    /// 0 of a process that has started since.
    private static long ticksBefore(Reading from, long pid, Seen now) {
        Seen before = from.all().get(pid);
        return before != null && isSame(before, now) ? before.ticks() : 0;
    }

    private record Use(long pid, double cores) {}

    /// Cores that the others used between two readings, and which of them most; nothing where
    /// nobody used any to speak of.
    public Signals between(Reading from, Reading to, double seconds) {
        List<Neighbour> users = users(from, to, seconds);
        if (users.isEmpty()) {
            return Signals.NONE;
        }
        String names = DisturbanceText.names(users.stream().limit(Neighbour.NAMED).toList());
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
        return Printable.line(name).strip();
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
