package dev.jdyno.observe.host;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.TargetFiles;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/// The start of a JVM: its properties, its class path and the arguments of its program, and its
/// files as it sees them. The properties are those that the JVM reports, if it answers. Otherwise
/// they come from its command line, its argument files and its environment.
///
/// @param files files by the paths that the JVM uses
/// @param properties values of the system properties, by their names
/// @param program arguments of the program itself
/// @param classPath the class path as the user gave it, `lib/*` not expanded
/// @param environment values of the environment variables, by their names
public record JvmStart(
        TargetFiles files,
        Map<String, String> properties,
        List<String> program,
        List<String> classPath,
        Map<String, String> environment) {
    /// Options of the launcher whose value is the next argument.
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
                    "--add-exports",
                    "--add-opens",
                    "--add-reads",
                    "--patch-module",
                    "--enable-native-access",
                    "--source");

    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");
    private static final Set<String> MODULE_PATH = Set.of("-p", "--module-path");
    private static final String MODULE_PATH_PROPERTY = "jdk.module.path";
    private static final String CLASS_PATH_PROPERTY = "java.class.path";

    public JvmStart {
        properties = Map.copyOf(properties);
        program = List.copyOf(program);
        classPath = List.copyOf(classPath);
        environment = Map.copyOf(environment);
    }

    /// Reads the JVM's properties; if it refuses, only its command line is used.
    public static JvmStart of(Target target) throws InterruptedException {
        long pid = target.pid();
        ProcFs proc = ProcFs.SYSTEM;
        JvmStart started =
                of(
                        TargetFiles.of(proc, pid),
                        CommandLine.of(proc, pid).words(),
                        environment(CommandLine.strings(proc.text(pid, "environ"))));
        try {
            return started.answered(target.jcmd().run("VM.system_properties"));
        } catch (UserError refused) {
            return started;
        }
    }

    private static Map<String, String> environment(List<String> pairs) {
        Map<String, String> all = new HashMap<>();
        for (String pair : pairs) {
            int at = pair.indexOf('=');
            if (at > 0) {
                all.putIfAbsent(pair.substring(0, at), pair.substring(at + 1));
            }
        }
        return all;
    }

    /// @param arguments the command line, with the program's own name first
    public static JvmStart of(
            TargetFiles files, List<String> arguments, Map<String, String> environment) {
        List<String> all = new ArrayList<>();
        words(environment.getOrDefault("JAVA_TOOL_OPTIONS", "")).forEach(all::add);
        words(environment.getOrDefault("JDK_JAVA_OPTIONS", "")).forEach(all::add);
        all.addAll(arguments.stream().skip(1).toList());
        Map<String, String> properties = new HashMap<>();
        List<String> classPath = split(environment.getOrDefault("CLASSPATH", "."));
        for (int i = 0; i < all.size(); i++) {
            String argument = all.get(i);
            Optional<String> next =
                    i + 1 < all.size() ? Optional.of(all.get(i + 1)) : Optional.empty();
            if (argument.startsWith("@") && !argument.startsWith("@@")) {
                // the words of the file replace the argument; they cannot name further files
                all.addAll(i + 1, inFile(files, argument.substring(1)));
            } else if (argument.startsWith("-D")) {
                String[] pair = argument.substring(2).split("=", 2);
                properties.put(pair[0], pair.length > 1 ? pair[1] : "");
            } else if (argument.equals("-jar") && next.isPresent()) {
                return new JvmStart(
                        files,
                        properties,
                        all.subList(i + 2, all.size()),
                        List.of(next.get()),
                        environment);
            } else if (argument.startsWith("--class-path=")) {
                classPath = split(argument.substring(argument.indexOf('=') + 1));
            } else if (argument.startsWith("--module-path=")) {
                properties.put(MODULE_PATH_PROPERTY, argument.substring(argument.indexOf('=') + 1));
            } else if (WITH_VALUE.contains(argument) && next.isPresent()) {
                classPath = CLASS_PATH.contains(argument) ? split(next.get()) : classPath;
                if (MODULE_PATH.contains(argument)) {
                    properties.put(MODULE_PATH_PROPERTY, next.get());
                }
                i++;
            } else if (argument.equals("-m") || argument.equals("--module")) {
                i++;
                return new JvmStart(
                        files,
                        properties,
                        all.subList(Math.min(i + 1, all.size()), all.size()),
                        classPath,
                        environment);
            } else if (!argument.startsWith("-")) {
                // the main class
                return new JvmStart(
                        files, properties, all.subList(i + 1, all.size()), classPath, environment);
            }
        }
        return new JvmStart(files, properties, List.of(), classPath, environment);
    }

    private static List<String> split(String path) {
        return Arrays.stream(path.split(":")).filter(p -> !p.isEmpty()).toList();
    }

    /// The words of an argument file. A file that cannot be read gives no words. It was removed
    /// after the JVM started, because a JVM does not start without it.
    private static List<String> inFile(TargetFiles files, String path) {
        try {
            // the launcher does not read argument files inside argument files, so a file cannot
            // include itself
            return words(new String(files.text(path), StandardCharsets.UTF_8)).stream()
                    .filter(w -> !w.startsWith("@"))
                    .toList();
        } catch (IOException gone) {
            return List.of();
        }
    }

    /// The words of an argument file. White space ends a word unless it is quoted, and `#` begins a
    /// comment. A backslash at the end of a line joins the next line. In quotes a backslash takes
    /// the next character literally.
    public static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        var word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length() && text.charAt(i + 1) == '\n') {
                i++;
                while (i + 1 < text.length() && " \t\f".indexOf(text.charAt(i + 1)) >= 0) {
                    i++;
                }
            } else if (quote != 0 && c == '\\' && i + 1 < text.length()) {
                i++;
                word.append(text.charAt(i));
            } else if (quote != 0 && (c == quote || c == '\n')) {
                quote = 0;
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
                inWord = true;
            } else if (quote == 0 && c == '#' && !inWord) {
                while (i + 1 < text.length() && text.charAt(i + 1) != '\n') {
                    i++;
                }
            } else if (quote == 0 && Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                }
                word.setLength(0);
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }

    /// Returns the start data with properties that the JVM itself reports. Agents and programs set
    /// properties, too, and not every launcher is `java`.
    ///
    /// @param text answer of `VM.system_properties`: its pid, then a properties file
    public JvmStart answered(String text) {
        var reported = new Properties();
        try {
            reported.load(new StringReader(text.substring(text.indexOf('\n') + 1)));
        } catch (IOException | IllegalArgumentException noProperties) {
            return this;
        }
        Map<String, String> all = new HashMap<>(properties);
        reported.stringPropertyNames().forEach(name -> all.put(name, reported.getProperty(name)));
        return new JvmStart(
                files,
                all,
                program,
                Optional.ofNullable(reported.getProperty(CLASS_PATH_PROPERTY))
                        .map(JvmStart::split)
                        .orElse(classPath),
                environment);
    }

    public Optional<String> property(String name) {
        return Optional.ofNullable(properties.get(name)).filter(v -> !v.isBlank());
    }

    public Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(v -> !v.isBlank());
    }

    /// The value of `--name=value` among the program's own arguments, as Spring Boot accepts them.
    public Optional<String> argument(String name) {
        String prefix = "--" + name + "=";
        return program.stream()
                .filter(a -> a.startsWith(prefix))
                .map(a -> a.substring(prefix.length()))
                .findFirst();
    }

    public List<String> modulePath() {
        return property(MODULE_PATH_PROPERTY).map(JvmStart::split).orElse(List.of());
    }
}
