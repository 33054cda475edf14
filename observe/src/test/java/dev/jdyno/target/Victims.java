package dev.jdyno.target;

import dev.jdyno.measure.TestSet;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;

/// Real child JVMs for tests: compiles `Victim` once for JDK 17 and starts it on a given JDK.
public final class Victims {
    private static final List<Path> PLACES =
            List.of(Path.of("/usr/lib/jvm/java-17-openjdk-amd64"), Path.of("/usr/lib/jvm/jdk-17"));

    private Victims() {}

    /// The JDK that runs the tests. In the full set also JDK 17, if it is installed.
    public static List<Path> jdks() {
        List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        if (!TestSet.isFull()) {
            return homes;
        }
        PLACES.stream().filter(p -> Files.isExecutable(p.resolve("bin/java"))).forEach(homes::add);
        return homes;
    }

    /// Launches a victim and waits until its threads are in their planned states.
    public static Target launch(Path jdk, Path dir, String mode, String... flags)
            throws IOException, InterruptedException {
        return await(Target.launch(command(jdk, dir, mode, flags), output(dir), limit()), dir);
    }

    /// Launches a victim inside a control group.
    ///
    /// @param group folder of the group
    public static Target launchIn(Path group, Path jdk, Path dir, String mode, String... flags)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        // the shell becomes the JVM, so the group counts all of the JVM's memory
        command.addAll(List.of("sh", "-c", "echo $$ > \"$0\" && exec \"$@\""));
        command.add(group.resolve("cgroup.procs").toString());
        command.addAll(command(jdk, dir, mode, flags));
        return await(Target.launch(command, output(dir), limit()), dir);
    }

    static Duration limit() {
        return Duration.ofSeconds(20);
    }

    static Path output(Path dir) {
        return dir.resolve("output.txt");
    }

    static List<String> command(Path jdk, Path dir, String mode, String... flags)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(jdk.resolve("bin/java").toString());
        command.add("-Xshare:auto");
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", classes(dir).toString(), "Victim", mode));
        return command;
    }

    static Target await(Target target, Path dir) throws IOException, InterruptedException {
        while (!Files.readString(output(dir)).contains("ready")) {
            target.requireAlive();
            Thread.onSpinWait();
        }
        return target;
    }

    /// Kills the JVM, as a crash would.
    public static void kill(Target target) {
        ProcessHandle handle = ProcessHandle.of(target.pid()).orElseThrow();
        handle.destroyForcibly();
        handle.onExit().join();
    }

    /// Stops every thread with a signal. A running thread may continue for a moment and still
    /// answer, so this waits for all.
    static void stop(Target target) throws IOException, InterruptedException {
        if (!ProcessSignals.send("STOP", target.pid())) {
            throw new IOException("the signal was not sent");
        }
        while (!allStopped(Path.of("/proc", Long.toString(target.pid()), "task"))) {
            // sleeps: interval between two checks of stopping threads
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static boolean allStopped(Path threads) throws IOException {
        try (var each = Files.newDirectoryStream(threads)) {
            for (Path thread : each) {
                // a line such as `4711 (C2 CompilerThread0) T 1 …`
                String stat = Files.readString(thread.resolve("stat"));
                if (!stat.substring(stat.lastIndexOf(')') + 1).startsWith(" T")) {
                    return false;
                }
            }
            return true;
        }
    }

    /// The port number in the victim's output.
    public static int port(Path dir) throws IOException {
        String line =
                Files.readString(output(dir))
                        .lines()
                        .filter(l -> l.startsWith("ready "))
                        .findFirst()
                        .orElseThrow();
        return Integer.parseInt(line.substring("ready ".length()).trim());
    }

    private static synchronized Path classes(Path dir) throws IOException {
        byte[] text;
        try (var in = Victims.class.getResourceAsStream("Victim.java.txt")) {
            text = Objects.requireNonNull(in).readAllBytes();
        }
        // compiled from the present source, because an older build in `target` would not have its
        // modes
        Path classes =
                Path.of("target", "victim-classes-" + Integer.toHexString(Arrays.hashCode(text)));
        if (!Files.exists(classes.resolve("Victim.class"))) {
            // tests in another JVM use the same folder, so it must appear complete or not at all
            Path own =
                    Files.createTempDirectory(Files.createDirectories(Path.of("target")), "victim");
            Path source = dir.resolve("Victim.java");
            Files.write(source, text);
            int result =
                    ToolProvider.getSystemJavaCompiler()
                            .run(
                                    null,
                                    null,
                                    null,
                                    "--release",
                                    "17",
                                    "-d",
                                    own.toString(),
                                    source.toString());
            if (result != 0) {
                throw new IllegalStateException("Victim does not compile");
            }
            try {
                Files.move(own, classes, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileSystemException another) {
                if (!Files.exists(classes.resolve("Victim.class"))) {
                    throw another;
                }
            }
        }
        return classes.toAbsolutePath();
    }
}
