package dev.jdyno.observe;

import dev.jdyno.measure.LoggingCost;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.stream.XMLStreamException;

/// Finds a process's logging configuration by its command line: the file that a property names,
/// else the usual names in the folders and jars of its class path.
public final class LoggingFiles {
    private static final List<String> PROPERTIES =
            List.of(
                    "logback.configurationFile",
                    "log4j2.configurationFile",
                    "log4j.configurationFile",
                    "logging.config");

    private static final List<String> NAMES =
            List.of(
                    "logback-test.xml",
                    "logback-spring.xml",
                    "logback.xml",
                    "log4j2-test.xml",
                    "log4j2-spring.xml",
                    "log4j2.xml");

    /// Where Spring Boot and web archives keep their resources.
    private static final List<String> FOLDERS =
            List.of("", "BOOT-INF/classes/", "WEB-INF/classes/");

    /// A class path longer than this is not searched to its end.
    private static final int MOST_PLACES = 500;

    private final Path root;
    private final Path cwd;
    private final List<String> arguments;

    private LoggingFiles(Path root, Path cwd, List<String> arguments) {
        this.root = root;
        this.cwd = cwd;
        this.arguments = arguments;
    }

    /// What in the target's logging configuration makes each line dear; empty when there is none or
    /// none was found.
    public static List<LoggingCost> costs(long pid) {
        ProcFs proc = ProcFs.SYSTEM;
        List<String> arguments =
                proc.text(pid, "cmdline").stream()
                        .flatMap(t -> Arrays.stream(t.split("\0")))
                        .toList();
        return new LoggingFiles(proc.of(pid, "root"), proc.of(pid, "cwd"), arguments).find();
    }

    /// @param cwd what relative paths are relative to
    static List<LoggingCost> costs(Path root, Path cwd, List<String> arguments) {
        return new LoggingFiles(root, cwd, arguments).find();
    }

    private List<LoggingCost> find() {
        for (String property : PROPERTIES) {
            Optional<String> named = value("-D" + property + "=");
            if (named.isPresent()) {
                return readFile(named.get().replaceFirst("^file:/*(?=/)", ""));
            }
        }
        for (String place : classPath()) {
            List<LoggingCost> found = in(place);
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    private Optional<String> value(String prefix) {
        return arguments.stream()
                .filter(a -> a.startsWith(prefix))
                .map(a -> a.substring(prefix.length()))
                .findFirst();
    }

    private List<String> classPath() {
        List<String> places = new ArrayList<>();
        for (int i = 0; i < arguments.size() - 1; i++) {
            switch (arguments.get(i)) {
                case "-cp", "-classpath", "--class-path" ->
                        places.addAll(List.of(arguments.get(i + 1).split(":")));
                case "-jar" -> places.add(arguments.get(i + 1));
                default -> {
                    // not a part of the class path
                }
            }
        }
        return places.stream().flatMap(this::expanded).limit(MOST_PLACES).toList();
    }

    /// `lib/*` is every jar of that folder.
    private Stream<String> expanded(String place) {
        if (!place.endsWith("*")) {
            return Stream.of(place);
        }
        String folder = place.substring(0, place.length() - 1);
        try (var files = Files.list(resolve(folder))) {
            return files
                    .map(f -> folder + f.getFileName())
                    .filter(f -> f.endsWith(".jar"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException gone) {
            return Stream.of();
        }
    }

    /// As the target sees it, through its own root.
    private Path resolve(String path) {
        return path.startsWith("/") ? root.resolve(path.substring(1)) : cwd.resolve(path);
    }

    private List<LoggingCost> in(String place) {
        Path path = resolve(place);
        if (Files.isDirectory(path)) {
            return NAMES.stream()
                    .filter(n -> Files.isRegularFile(path.resolve(n)))
                    .findFirst()
                    .map(n -> readFile(place + (place.endsWith("/") ? "" : "/") + n))
                    .orElse(List.of());
        }
        return Files.isRegularFile(path) ? inJar(place, path) : List.of();
    }

    private List<LoggingCost> inJar(String name, Path jar) {
        try (var zip = new ZipFile(jar.toFile())) {
            for (String folder : FOLDERS) {
                for (String file : NAMES) {
                    ZipEntry entry = zip.getEntry(folder + file);
                    if (entry != null) {
                        try (InputStream xml = zip.getInputStream(entry)) {
                            return LoggingConfig.read(name + "!/" + entry.getName(), xml);
                        }
                    }
                }
            }
            return List.of();
        } catch (IOException | XMLStreamException unread) {
            return List.of(unread(name, unread));
        }
    }

    private List<LoggingCost> readFile(String name) {
        try (InputStream xml = Files.newInputStream(resolve(name))) {
            return LoggingConfig.read(name, xml);
        } catch (IOException | XMLStreamException unread) {
            return List.of(unread(name, unread));
        }
    }

    private static LoggingCost unread(String name, Exception why) {
        return new LoggingCost(
                name, "unread", "it cannot be read: " + why.getMessage(), "look at it by hand");
    }
}
