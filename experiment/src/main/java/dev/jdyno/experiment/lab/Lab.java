package dev.jdyno.experiment.lab;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;

/// The lab's services during an experiment. {@link #close} ends everything that it started, in
/// reverse order.
public final class Lab implements AutoCloseable {
    private final Path folder;
    private final Path jar;
    private final Path javaHome;
    private final Deque<Running> running = new ArrayDeque<>();
    private boolean closed;

    /// A resource that ends with the lab. Closing it throws at most an error for the user.
    public interface Running extends AutoCloseable {
        @Override
        void close();
    }

    private Lab(Path folder, Path jar, Path javaHome) {
        this.folder = folder;
        this.jar = jar;
        this.javaHome = javaHome;
    }

    /// @param jar the lab's jar; empty if there is none
    /// @param javaHome the JDK or JRE to run the services with
    public static Lab open(Optional<Path> jar, Path javaHome) {
        Path services = LabJar.required(jar);
        try {
            Path folder = Files.createTempDirectory("jdyno-lab-");
            return new Lab(folder, services, javaHome);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot make a folder for the lab",
                            String.valueOf(e.getMessage()),
                            "free some space in the temporary folder")
                    .causedBy(e);
        }
    }

    /// Starts one service and waits until it listens.
    ///
    /// @param mainClass such as `perf.Perf`, below `dev.jdyno.lab`
    /// @param jvmFlags such as `-Xmx256m`
    public LabService start(String mainClass, List<String> jvmFlags, List<String> arguments) {
        return startOn(javaHome, mainClass, jvmFlags, arguments);
    }

    /// Starts one service on another JDK.
    public synchronized LabService startOn(
            Path java, String mainClass, List<String> jvmFlags, List<String> arguments) {
        if (closed) {
            throw new IllegalStateException("the lab is closed");
        }
        List<String> command = new ArrayList<>();
        command.add(java.resolve("bin").resolve("java").toString());
        command.addAll(jvmFlags);
        command.add("-cp");
        command.add(jar.toString());
        command.add("dev.jdyno.lab." + mainClass);
        command.addAll(arguments);
        command.add("--parent");
        command.add(Long.toString(ProcessHandle.current().pid()));
        LabService service = LabService.start(mainClass, command, folder);
        running.push(service);
        return service;
    }

    /// Registers a further resource, which {@link #close} ends.
    public synchronized void keep(Running started) {
        running.push(started);
    }

    /// Returns the shell command that starts a service. It has no `--parent`, because the process
    /// that runs the command also ends the service.
    public String command(String mainClass, List<String> jvmFlags, List<String> arguments) {
        return String.join(" ", words(mainClass, jvmFlags, arguments));
    }

    /// Returns the same command word by word.
    public List<String> words(String mainClass, List<String> jvmFlags, List<String> arguments) {
        List<String> words = new ArrayList<>();
        words.add(javaHome.resolve("bin").resolve("java").toString());
        words.addAll(jvmFlags);
        words.addAll(List.of("-cp", jar.toString(), "dev.jdyno.lab." + mainClass));
        words.addAll(arguments);
        return words;
    }

    /// Copies a file from the lab's jar into the lab's folder.
    public Path resource(String name) {
        Path file = folder.resolve(name);
        try (var files = new JarFile(jar.toFile());
                InputStream in = files.getInputStream(files.getEntry(name))) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot take " + name + " out of " + jar,
                            String.valueOf(e.getMessage()),
                            "build the lab anew: ./mvnw -pl lab package")
                    .causedBy(e);
        }
    }

    /// The folder of the lab's files while it is open.
    public Path folder() {
        return folder;
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!running.isEmpty()) {
            running.pop().close();
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot remove " + folder, e);
        }
    }
}
