package dev.jdyno.inside;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.RunningJvm;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// The JVMs of this host that the user of this process may observe. Nothing is sent to them or
/// started in them: all data come from `/proc`.
///
/// @param proc this host's processes
public record RunningJvms(ProcFs proc) {
    /// Seconds over which their CPU is counted.
    private static final double SAMPLE_SECONDS = 0.5;

    /// `USER_HZ`, which the kernel's interface fixes at 100.
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    /// Flags of the launcher that take the next word as their value.
    private static final Set<String> WITH_VALUE =
            Set.of(
                    "-cp",
                    "-classpath",
                    "--class-path",
                    "-p",
                    "--module-path",
                    "--upgrade-module-path",
                    "--add-modules",
                    "--limit-modules",
                    "--add-reads",
                    "--add-exports",
                    "--add-opens",
                    "--patch-module",
                    "--enable-native-access",
                    "--source");

    /// Beginnings of the launcher's flags that contain their value, or have none.
    private static final List<String> SHORT =
            List.of(
                    "-X",
                    "-D",
                    "-ea",
                    "-enable",
                    "-da",
                    "-disable",
                    "-esa",
                    "-dsa",
                    "-verbose",
                    "-javaagent:",
                    "-agentlib:",
                    "-agentpath:",
                    "-server",
                    "-client",
                    "-splash:",
                    "-showversion");

    /// Long flags of the launcher without a value.
    private static final Set<String> ALONE = Set.of("--enable-preview", "--show-version");

    private static final String LAUNCHER = "java";

    /// Flags whose value names the main class, jar or module.
    private static final Set<String> NAMES_MAIN = Set.of("-jar", "-m", "--module");

    private static final List<String> SPRING_NAME =
            List.of("--spring.application.name=", "-Dspring.application.name=");

    /// All JVMs, in the order of their pids.
    public List<RunningJvm> all() {
        return Target.jvms(proc).stream().map(this::of).toList();
    }

    /// All JVMs, in the order of their pids, with the CPU that they use now. Takes half a second.
    public List<RunningJvm> all(NanoClock clock) throws InterruptedException {
        List<Long> pids = Target.jvms(proc);
        long start = clock.nanos();
        Map<Long, Double> before = cpuSeconds(pids);
        TimeUnit.NANOSECONDS.sleep(Math.round(SAMPLE_SECONDS * 1e9));
        Map<Long, Double> after = cpuSeconds(pids);
        double seconds = clock.secondsSince(start);
        return after.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(e ->
                        of(
                                e.getKey(),
                                Optional.ofNullable(before.get(e.getKey()))
                                        .map(b -> (e.getValue() - b) / seconds)))
                .filter(jvm -> proc.startTicksAlive(jvm.pid()).isPresent())
                .toList();
    }

    /// The JVMs that accept connections on a port of this number. A JVM in a container with its own
    /// network counts, too, although its port is not this host's port.
    public List<RunningJvm> listeningOn(int port) {
        return all().stream().filter(jvm -> jvm.ports().contains(port)).toList();
    }

    /// True if any process accepts connections on this port, in the network of this process.
    public boolean anythingListensOn(int port) {
        return Sockets.listenerOn(proc, ProcessHandle.current().pid(), port).isPresent();
    }

    /// The JVM of this pid.
    public RunningJvm of(long pid) {
        return of(pid, Optional.empty());
    }

    /// The name of the service that a command starts; empty if its first word is not `java`,
    /// because a script does not show what it starts.
    public static Optional<String> serviceNameOf(String command) {
        List<String> words = List.of(command.trim().split("\\s+"));
        return program(words).equals(LAUNCHER)
                ? RunningJvm.serviceName(main(words), springName(words))
                : Optional.empty();
    }

    private RunningJvm of(long pid, Optional<Double> cores) {
        List<String> words = words(pid);
        return new RunningJvm(
                pid,
                user(pid),
                List.copyOf(Sockets.portsOf(proc, pid)),
                main(words),
                springName(words),
                age(pid),
                cores,
                Target.isOpenJ9(proc, pid) ? RunningJvm.Access.LOAD_ONLY : RunningJvm.Access.ALL,
                !proc.networkOf(pid).equals(proc.ownNetwork()));
    }

    /// The main class, jar or module of a JVM; blank if its command line is unknown.
    String mainOf(long pid) {
        return main(words(pid));
    }

    private List<String> words(long pid) {
        return proc.text(pid, "cmdline").map(c -> Arrays.asList(c.split("\0"))).orElse(List.of());
    }

    private static String main(List<String> words) {
        String program = program(words);
        if (!program.equals(LAUNCHER)) {
            // another launcher, such as javac: the options of java do not apply
            return program;
        }
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            if (NAMES_MAIN.contains(word)) {
                return i + 1 < words.size() ? words.get(i + 1) : "";
            }
            if (WITH_VALUE.contains(word)) {
                i++;
            } else if (isUnknown(word)) {
                // the next word may be the value of an unknown flag, and a secret
                return "";
            } else if (!word.startsWith("-")) {
                return word;
            }
        }
        return "";
    }

    private static boolean isUnknown(String word) {
        return word.startsWith("--")
                ? !word.contains("=") && !ALONE.contains(word)
                : word.startsWith("-") && SHORT.stream().noneMatch(word::startsWith);
    }

    private static String program(List<String> words) {
        String path = words.isEmpty() ? "" : words.getFirst();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static Optional<String> springName(List<String> words) {
        return words.stream()
                .flatMap(w ->
                        SPRING_NAME.stream()
                                .filter(w::startsWith)
                                .map(start -> w.substring(start.length())))
                .filter(name -> !name.isBlank())
                .findFirst();
    }

    private Optional<String> user(long pid) {
        try {
            return Optional.of(Files.getOwner(proc.of(pid)).getName());
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    private Optional<Double> age(long pid) {
        // seconds since boot, then idle seconds: 350735.47 234388.90
        OptionalDouble uptime =
                proc.text("uptime").stream()
                        .mapToDouble(t -> Double.parseDouble(t.split(" ")[0]))
                        .findFirst();
        return proc.startTicks(pid)
                .filter(_ -> uptime.isPresent())
                .map(t -> uptime.getAsDouble() - Long.parseLong(t) / TICKS_PER_SECOND);
    }

    private Map<Long, Double> cpuSeconds(List<Long> pids) {
        Map<Long, Double> seconds = new HashMap<>();
        for (long pid : pids) {
            proc.stat(pid)
                    .ifPresent(s ->
                            seconds.put(
                                    pid,
                                    (Long.parseLong(s[USER_TICKS])
                                                    + Long.parseLong(s[SYSTEM_TICKS]))
                                            / TICKS_PER_SECOND));
        }
        return seconds;
    }
}
