package dev.jdyno.observe.logging;

import dev.jdyno.foreign.ForeignXml;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.observe.host.JvmStart;
import dev.jdyno.observe.host.Resources;
import dev.jdyno.observe.host.Resources.Resource;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds a process's logging configuration. A property, the environment or Spring Boot's properties
/// may name the file. Otherwise it is a file with a usual name on its class path or in its web
/// applications. The costs of Spring Boot's own patterns are added.
public final class LoggingFiles {
    /// The names in the order in which the libraries look for them, followed by Spring Boot's.
    private static final List<String> NAMES =
            List.of(
                    "logback-test.xml",
                    "logback.groovy",
                    "logback.xml",
                    "logback-test-spring.xml",
                    "logback-spring.groovy",
                    "logback-spring.xml",
                    "log4j2-test.properties",
                    "log4j2-test.yaml",
                    "log4j2-test.yml",
                    "log4j2-test.json",
                    "log4j2-test.jsn",
                    "log4j2-test.xml",
                    "log4j2.properties",
                    "log4j2.yaml",
                    "log4j2.yml",
                    "log4j2.json",
                    "log4j2.jsn",
                    "log4j2.xml",
                    "log4j2-spring.properties",
                    "log4j2-spring.yaml",
                    "log4j2-spring.yml",
                    "log4j2-spring.json",
                    "log4j2-spring.xml");

    /// Beginning of a location that is not a file.
    private static final Pattern SCHEME = Pattern.compile("^(\\w{2,}):.*");

    private static final String CLASS_PATH_SCHEME = "classpath:";

    private final JvmStart start;
    private final SpringLogging spring;

    private LoggingFiles(JvmStart start) {
        this.start = start;
        this.spring = SpringLogging.of(start);
    }

    /// The parts of the target's logging configuration that make each line expensive; empty when
    /// there are none or no configuration was found. A configuration that cannot be read is
    /// reported.
    public static List<LoggingCost> costs(Target target) throws InterruptedException {
        return costs(JvmStart.of(target));
    }

    public static List<LoggingCost> costs(JvmStart start) {
        try {
            start.files().stat("/");
        } catch (IOException refused) {
            return List.of(unread("/", "its files cannot be seen: " + Resources.why(refused)));
        }
        return new LoggingFiles(start).find();
    }

    /// The text of a configuration.
    ///
    /// @param name a path, or a jar and its entry, as in {@link LoggingCost#file()}
    public record Configuration(String name, String text) {
        static Configuration of(String name, byte[] content) throws IOException {
            return new Configuration(
                    name,
                    name.endsWith(".xml")
                            ? ForeignXml.text(content)
                            : new String(content, StandardCharsets.UTF_8));
        }

        /// The content in UTF-8, whatever its original encoding.
        public byte[] content() {
            return asUtf8().getBytes(StandardCharsets.UTF_8);
        }

        String asUtf8() {
            return ENCODING.matcher(text).replaceFirst("$1UTF-8");
        }
    }

    private static final Pattern ENCODING =
            Pattern.compile("^(<\\?xml[^>]{0,100}?\\sencoding\\s*=\\s*[\"'])[A-Za-z][\\w.-]*");

    /// The target's logging configurations that could be read.
    public static List<Configuration> configurations(Target target) throws InterruptedException {
        JvmStart start = JvmStart.of(target);
        try {
            start.files().stat("/");
        } catch (IOException refused) {
            return List.of();
        }
        var files = new LoggingFiles(start);
        return files.found(new ArrayList<>()).stream()
                .flatMap(f -> f.configuration().stream())
                .toList();
    }

    /// Spring Boot's patterns that need the caller, by their properties; empty if they are not
    /// used.
    public static Map<String, String> costlyPatterns(JvmStart start) {
        try {
            start.files().stat("/");
        } catch (IOException refused) {
            return Map.of();
        }
        var files = new LoggingFiles(start);
        List<Found> found = files.found(new ArrayList<>());
        return found.isEmpty() || found.stream().anyMatch(Found::springs)
                ? files.spring.costly()
                : Map.of();
    }

    /// A configuration that was read, or that could not be read.
    ///
    /// @param springs whether it uses Spring Boot's patterns
    /// @param configuration empty if it could not be read
    private record Found(
            List<LoggingCost> costs, boolean springs, Optional<Configuration> configuration) {
        static Found unreadable(LoggingCost why) {
            return new Found(List.of(why), false, Optional.empty());
        }
    }

    private List<LoggingCost> find() {
        List<LoggingCost> unread = new ArrayList<>(spring.unread());
        List<Found> found = found(unread);
        List<LoggingCost> costs = new ArrayList<>();
        found.forEach(f -> costs.addAll(f.costs()));
        if (found.isEmpty() || found.stream().anyMatch(Found::springs)) {
            costs.addAll(spring.costs());
        }
        if (found.isEmpty()) {
            costs.addAll(unread);
        }
        return List.copyOf(costs);
    }

    /// @param unread receives places that may contain a configuration and could not be read
    private List<Found> found(List<LoggingCost> unread) {
        List<Found> found = named();
        if (found.isEmpty()) {
            List<String> places =
                    Stream.of(start.classPath(), modules(), shared())
                            .flatMap(List::stream)
                            .toList();
            found = among(places, unread).stream().toList();
        }
        if (found.isEmpty()) {
            found =
                    webApps(unread).stream()
                            .flatMap(w -> among(List.of(w), unread).stream())
                            .toList();
        }
        return found;
    }

    /// The configurations that a property or a variable names. Spring Boot's property has
    /// precedence, because Spring Boot replaces an earlier configuration of the library.
    private List<Found> named() {
        Optional<String> file =
                spring.config()
                        .or(() -> start.property("logback.configurationFile"))
                        .or(() -> start.property("log4j2.configurationFile"))
                        .or(() -> start.property("log4j.configurationFile"))
                        .or(() -> start.variable("LOG4J_CONFIGURATION_FILE"));
        return file.stream()
                .flatMap(f -> Arrays.stream(f.split(",")))
                .map(String::strip)
                .filter(f -> !f.isEmpty())
                .map(this::at)
                .toList();
    }

    /// The configuration at a location: a path, a `file:` location, or a name on the class path.
    private Found at(String location) {
        if (location.startsWith(CLASS_PATH_SCHEME)) {
            return onClassPath(location.substring(CLASS_PATH_SCHEME.length()), location);
        }
        String path = location.replaceFirst("^file:(/*(?=/))?", "");
        if (SCHEME.matcher(path).matches()) {
            return Found.unreadable(unread(location, "it is no file, and nothing is fetched"));
        }
        try {
            if (start.files().isFile(path)) {
                return read(new Resource(path, () -> start.files().text(path)));
            }
        } catch (IOException refused) {
            return Found.unreadable(unread(path, Resources.why(refused)));
        }
        return onClassPath(path, location);
    }

    private Found onClassPath(String name, String location) {
        String relative = name.replaceFirst("^/+", "");
        List<LoggingCost> unread = new ArrayList<>();
        return Stream.concat(Stream.of(start.classPath()), webApps(unread).stream().map(List::of))
                .flatMap(places ->
                        Resources.in(start.files(), places, List.of(relative))
                                .of(relative)
                                .stream())
                .findFirst()
                .map(LoggingFiles::read)
                .orElseGet(() ->
                        Found.unreadable(
                                unread(
                                        location,
                                        "it is named, and neither a file nor on the class path")));
    }

    private Optional<Found> among(List<String> places, List<LoggingCost> unread) {
        Resources in = Resources.in(start.files(), places, NAMES);
        in.unread().forEach(u -> unread.add(unread(u.name(), u.why())));
        return in.firstOf(NAMES).map(LoggingFiles::read);
    }

    /// The jars and folders of jars of the module path.
    private List<String> modules() {
        return start.modulePath().stream()
                .flatMap(m -> m.endsWith(".jar") ? Stream.of(m) : Stream.of(m, m + "/*"))
                .toList();
    }

    private Optional<String> catalina() {
        return start.property("catalina.base")
                .or(() -> start.variable("CATALINA_BASE"))
                .or(() -> start.property("catalina.home"));
    }

    /// Places that Tomcat and Jetty put on the class path of all their web applications.
    private List<String> shared() {
        return Stream.of(
                        catalina().map(b -> List.of(b + "/lib", b + "/lib/*")),
                        start.property("jetty.base").map(b -> List.of(b + "/resources")))
                .flatMap(Optional::stream)
                .flatMap(List::stream)
                .toList();
    }

    /// Web applications as containers store them: below `webapps`, unpacked or not, named by the
    /// program's arguments, or the working folder itself. Each has its own configuration.
    private List<String> webApps(List<LoggingCost> unread) {
        List<String> apps = new ArrayList<>();
        start.program().stream().filter(a -> a.endsWith(".war")).forEach(apps::add);
        apps.add("WEB-INF/classes");
        Stream.of(catalina(), start.property("jetty.base"), Optional.of("."))
                .flatMap(Optional::stream)
                .distinct()
                .forEach(base -> {
                    String folder = base + "/webapps";
                    try {
                        List<String> names = start.files().names(folder);
                        names.stream()
                                // an archive next to its unpacked folder is the same application
                                .filter(n ->
                                        !n.endsWith(".war")
                                                || !names.contains(n.substring(0, n.length() - 4)))
                                .map(n -> folder + "/" + n)
                                .forEach(apps::add);
                    } catch (IOException refused) {
                        unread.add(unread(folder, Resources.why(refused)));
                    }
                });
        return apps;
    }

    private static Found read(Resource resource) {
        try {
            byte[] content = resource.content().read();
            return new Found(
                    LoggingConfig.read(resource.name(), content),
                    SpringLogging.isTakenOverBy(content),
                    Optional.of(Configuration.of(resource.name(), content)));
        } catch (IOException unread) {
            return Found.unreadable(unread(resource.name(), Resources.why(unread)));
        }
    }

    static LoggingCost unread(String name, String why) {
        return new LoggingCost(
                name, LogPart.UNREAD, "it cannot be read: " + why, "look at it by hand");
    }
}
