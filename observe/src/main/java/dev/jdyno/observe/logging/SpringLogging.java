package dev.jdyno.observe.logging;

import dev.jdyno.foreign.ForeignProperties;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.observe.host.JvmStart;
import dev.jdyno.observe.host.Resources;
import dev.jdyno.observe.host.Resources.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Logging settings in Spring Boot's properties: the configuration that `logging.config` names, and
/// patterns (`logging.pattern.console`, `.file`, …) that need the caller. They come from the
/// program's arguments, the JVM's properties, the environment and the `application` files, in this
/// order.
///
/// @param config location of the configuration
/// @param costs costs of the patterns
/// @param costly these patterns, by their properties
/// @param unread `application` files that exist and cannot be read
record SpringLogging(
        Optional<String> config,
        List<LoggingCost> costs,
        Map<String, String> costly,
        List<LoggingCost> unread) {
    private static final String CONFIG = "logging.config";
    private static final String PATTERN = "logging.pattern.";

    /// Spring Boot's properties, by the JVM properties in which it passes its patterns to the
    /// library, whatever their source.
    private static final Map<String, String> HANDED_ON =
            Map.of(
                    "CONSOLE_LOG_PATTERN", PATTERN + "console",
                    "FILE_LOG_PATTERN", PATTERN + "file");

    private static final List<String> ENDS = List.of(".properties", ".yml", ".yaml");

    SpringLogging {
        costs = List.copyOf(costs);
        costly = Collections.unmodifiableMap(new LinkedHashMap<>(costly));
        unread = List.copyOf(unread);
    }

    static SpringLogging of(JvmStart start) {
        // by key: its value, and its location
        Map<String, String> values = new LinkedHashMap<>();
        Map<String, String> places = new LinkedHashMap<>();
        List<LoggingCost> unread = new ArrayList<>();
        for (Source source : sources(start, unread)) {
            source.values()
                    .forEach((key, value) -> {
                        boolean says = key.equals(CONFIG) || key.startsWith(PATTERN);
                        if (says && !value.isBlank() && values.putIfAbsent(key, value) == null) {
                            places.put(key, source.name());
                        }
                    });
        }
        HANDED_ON.forEach((handed, key) ->
                start.property(handed)
                        .ifPresent(effective -> {
                            values.put(key, effective);
                            places.putIfAbsent(key, "Spring Boot's properties");
                        }));
        List<LoggingCost> costs = new ArrayList<>();
        Map<String, String> costly = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            if (key.startsWith(PATTERN) && LoggingConfig.asksForCaller(value)) {
                costly.put(key, value);
                costs.add(
                        new LoggingCost(
                                places.getOrDefault(key, key),
                                LogPart.CALLER_DATA,
                                key + " asks for class, method or line: each line walks the stack",
                                key + " with the logger's name (%logger, %c) instead"));
            }
        });
        return new SpringLogging(Optional.ofNullable(values.get(CONFIG)), costs, costly, unread);
    }

    /// @param name name of the configuration in messages
    private record Source(String name, Map<String, String> values) {}

    private static List<Source> sources(JvmStart start, List<LoggingCost> unread) {
        List<Source> sources = new ArrayList<>();
        sources.add(new Source("its arguments", arguments(start)));
        Map<String, String> environment = new LinkedHashMap<>();
        start.environment()
                .forEach((name, value) ->
                        environment.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value));
        sources.add(new Source("the JVM's properties", start.properties()));
        sources.add(new Source("its environment", environment));
        sources.addAll(files(start, unread));
        return sources;
    }

    private static Map<String, String> arguments(JvmStart start) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String argument : start.program()) {
            int at = argument.indexOf('=');
            if (argument.startsWith("--") && at > 0) {
                values.putIfAbsent(argument.substring(2, at), argument.substring(at + 1));
            }
        }
        return values;
    }

    /// The files of active profiles come before the general ones, and files next to the program
    /// before those inside it.
    private static List<Source> files(JvmStart start, List<LoggingCost> unread) {
        Optional<String> profiles =
                start.argument("spring.profiles.active")
                        .or(() -> start.property("spring.profiles.active"))
                        .or(() -> start.variable("SPRING_PROFILES_ACTIVE"));
        List<String> names =
                Stream.concat(
                                profiles.stream()
                                        .flatMap(p -> Stream.of(p.split(",")))
                                        .map(p -> "application-" + p.strip())
                                        .toList()
                                        .reversed()
                                        .stream(),
                                Stream.of("application"))
                        .flatMap(n -> ENDS.stream().map(e -> n + e))
                        .flatMap(n -> Stream.of("config/" + n, n))
                        .toList();
        List<Source> sources = new ArrayList<>();
        for (List<String> places : List.of(List.of("."), start.classPath())) {
            Resources found = Resources.in(start.files(), places, names);
            names.stream()
                    .flatMap(n -> found.of(n).stream())
                    .forEach(r -> read(r, unread).ifPresent(sources::add));
        }
        return sources;
    }

    private static Optional<Source> read(Resource resource, List<LoggingCost> unread) {
        try {
            byte[] content = resource.content().read();
            return Optional.of(
                    new Source(
                            resource.name(),
                            resource.name().endsWith(".properties")
                                    ? ForeignProperties.of(content)
                                    : LoggingTree.flatYaml(content)));
        } catch (IOException refused) {
            unread.add(LoggingFiles.unread(resource.name(), Resources.why(refused)));
            return Optional.empty();
        }
    }

    /// True if a configuration uses Spring Boot's patterns: by their names, or by including Spring
    /// Boot's files.
    static boolean isTakenOverBy(byte[] configuration) {
        String text = new String(configuration, StandardCharsets.UTF_8);
        return text.contains("_LOG_PATTERN") || text.contains("org/springframework/boot/logging/");
    }
}
