package dev.jdyno.observe.host;

import dev.jdyno.measure.ChildProgram;
import dev.jdyno.measure.DisturbanceText;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// CPU use of the other processes of this machine, by name.
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

    /// The JDK's helper program, which runs for a moment before it becomes the program that is
    /// started.
    private static final String SPAWN_HELPER = "jspawnhelper";

    private final ProcFs proc;
    private final Set<Long> ours;
    private final Set<Long> roots;

    /// The target if its children are counted; else empty.
    private final Set<Long> target;

    /// @param ours processes that are not neighbours: the target and this tool
    public Neighbours(ProcFs proc, Set<Long> ours) {
        this(proc, ours, Set.of(), Set.of());
    }

    private Neighbours(ProcFs proc, Set<Long> ours, Set<Long> roots, Set<Long> target) {
        this.proc = proc;
        this.ours = Set.copyOf(ours);
        this.roots = Set.copyOf(roots);
        this.target = Set.copyOf(target);
    }

    /// CPU of all processes except the target, this tool and their descendants.
    static Neighbours ofUnrelatedProcesses(ProcFs proc, long target, long tool) {
        Set<Long> ours = Set.of(target, tool);
        return new Neighbours(proc, ours, ours, Set.of(target));
    }

    /// CPU time of all visible processes.
    ///
    /// @param all all processes by pid, including those that are not neighbours. If such a process
    ///   becomes a neighbour when its parent ends, only its CPU time since then may count.
    /// @param ours pids of the processes that are not neighbours
    /// @param children names of the processes that the target started, directly or indirectly, by
    ///   pid
    public record Reading(Map<Long, Seen> all, Set<Long> ours, Map<Long, String> children) {
        public Reading {
            all = Map.copyOf(all);
            ours = Set.copyOf(ours);
            children = Map.copyOf(children);
        }
    }

    /// One process.
    ///
    /// @param ticks user and system time of the process
    /// @param endedTicks the same of its ended children and their descendants
    /// @param startTicks start time of the process, which distinguishes it from a later process
    ///   with the same pid
    public record Seen(long ticks, long endedTicks, long startTicks) {}

    /// The first reading.
    public Reading read() {
        return read(new Reading(Map.of(), Set.of(), Map.of()));
    }

    /// A reading after another one. Processes started by the target or this tool still belong to it
    /// when their parent has ended.
    public Reading read(Reading before) {
        Map<Long, Seen> all = new HashMap<>();
        Map<Long, Long> parents = new HashMap<>();
        for (long pid : proc.pids()) {
            proc.stat(pid)
                    .ifPresent(s -> {
                        long ticks = Long.parseLong(s[11]) + Long.parseLong(s[12]);
                        long ended = Long.parseLong(s[13]) + Long.parseLong(s[14]);
                        all.put(pid, new Seen(ticks, ended, Long.parseLong(s[19])));
                        parents.put(pid, Long.parseLong(s[1]));
                    });
        }
        Set<Long> ours = stayed(before.ours(), before, all);
        Set<Long> children = stayed(before.children().keySet(), before, all);
        return new Reading(
                all,
                all.keySet().stream()
                        .filter(pid ->
                                this.ours.contains(pid)
                                        || Program.isOne(pid)
                                        || isBelow(roots, pid, parents, ours))
                        .collect(Collectors.toSet()),
                all.keySet().stream()
                        .filter(pid ->
                                !target.contains(pid) && isBelow(target, pid, parents, children))
                        .collect(Collectors.toMap(pid -> pid, pid -> name(proc, pid))));
    }

    private static Set<Long> stayed(Set<Long> pids, Reading before, Map<Long, Seen> now) {
        return pids.stream()
                .filter(pid -> isSame(before.all().get(pid), now.get(pid)))
                .collect(Collectors.toSet());
    }

    private static boolean isSame(@Nullable Seen before, @Nullable Seen now) {
        return before != null && now != null && before.startTicks() == now.startTicks();
    }

    /// True if the process is a descendant of a root. The number of steps upwards is limited,
    /// because processes that start and end during the reading could form a circle.
    ///
    /// @param stayed processes that were below the roots before
    private static boolean isBelow(
            Set<Long> roots, long pid, Map<Long, Long> parents, Set<Long> stayed) {
        if (stayed.contains(pid)) {
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

    /// The neighbours that used cores between two readings, the largest first, without those below
    /// the minimum.
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

    /// The programs that the target started, with the cores that they used between two readings.
    /// Processes that started and ended in between are included, because the CPU time of an ended
    /// process is added to its parent. Their names are unknown. So the CPU of ended processes is
    /// divided among the programs of processes that one reading found and the other did not.
    List<ChildProgram> children(Reading from, Reading to, double seconds) {
        double perCore = CpuProbe.TICKS_PER_SECOND * seconds;
        Map<String, Double> cores = new HashMap<>();
        List<String> brief = new ArrayList<>();
        double named = 0;
        for (var child : to.children().entrySet()) {
            Seen now = Objects.requireNonNull(to.all().get(child.getKey()));
            double used = (now.ticks() - ticksBefore(from, child.getKey(), now)) / perCore;
            cores.merge(child.getValue(), used, Double::sum);
            named += used;
            if (!isSame(from.all().get(child.getKey()), now)) {
                brief.add(child.getValue());
            }
        }
        from.children()
                .forEach((pid, name) -> {
                    if (!isSame(from.all().get(pid), to.all().get(pid))) {
                        brief.add(name);
                    }
                });
        brief.removeIf(SPAWN_HELPER::equals);
        double ended = Math.max(0, (childTicks(to) - childTicks(from)) / perCore - named);
        for (String name : brief.isEmpty() ? List.of(ChildProgram.UNNAMED) : brief) {
            cores.merge(name, ended / Math.max(1, brief.size()), Double::sum);
        }
        return ChildProgram.largest(cores);
    }

    /// CPU time of all children so far, in ticks.
    private double childTicks(Reading reading) {
        double ended =
                target.stream()
                        .flatMap(pid -> Optional.ofNullable(reading.all().get(pid)).stream())
                        .mapToDouble(Seen::endedTicks)
                        .sum();
        double alive =
                reading.children().keySet().stream()
                        .map(pid -> Objects.requireNonNull(reading.all().get(pid)))
                        .mapToDouble(s -> s.ticks() + s.endedTicks())
                        .sum();
        return ended + alive;
    }

    /// Ticks at the earlier reading; 0 for a process that started since.
    private static long ticksBefore(Reading from, long pid, Seen now) {
        Seen before = from.all().get(pid);
        return before != null && isSame(before, now) ? before.ticks() : 0;
    }

    private record Use(long pid, double cores) {}

    /// Cores that the neighbours used between two readings, with the names of the largest; nothing
    /// if none reached the minimum.
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

    /// The program's name; for a JVM also the class or jar that it runs. Other arguments may
    /// contain secrets and are left out.
    static String name(ProcFs proc, long pid) {
        String program = proc.text(pid, "comm").map(String::strip).orElse("a process");
        String name =
                program.equals("java")
                        ? program + " " + mainOf(CommandLine.of(proc, pid).words())
                        : program;
        // the user who starts a process can choose any name, so control characters are removed
        return Printable.line(name).strip();
    }

    /// The class or jar of a `java` command: the first argument that is neither an option nor an
    /// option's value. A jar follows `-jar`.
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
