package dev.jdyno.tune;

import dev.jdyno.compare.Note;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.plan.Environment;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/// The files from which a command line starts a service, identified by content. It reads the
/// command as text: it includes a script in the command, but not what that script starts. A missing
/// file does not count, because the service may write it.
///
/// @param files digests by path ({@link Digests})
/// @param java digests of the JDKs' `release` files, by the path of the JDK
/// @param variables digests of the environment variables that the command names or that every JVM
///   reads; secrets are left out, because they may change
/// @param notes notes on changes that cannot be detected
record Programs(
        Map<String, String> files,
        Map<String, String> java,
        Map<String, String> variables,
        List<Note> notes) {
    static final Programs NONE = new Programs(Map.of(), Map.of(), Map.of(), List.of());

    /// Variables that every JVM or its launcher reads.
    private static final List<String> OF_JVMS =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private static final String CLASS_PATH_VARIABLE = "CLASSPATH";

    // separators between paths in a word: -javaagent:a.jar=b, @options, --config=a.yaml,b.yaml
    private static final Pattern BETWEEN = Pattern.compile("[=:;,@]+");

    private static final Set<String> CLASS_PATH =
            Set.of("-cp", "-classpath", "--class-path", "--module-path");
    private static final Pattern CLASS_PATH_WORD =
            Pattern.compile("(?:--class-path|--module-path)=(.*)", Pattern.DOTALL);

    /// An option of `java` only; in `mkdir -p` it means something else.
    private static final String MODULE_PATH = "-p";

    /// @param environment environment variables with which the service is started
    /// @param result the folder that jdyno writes into
    static Programs of(String command, Environment environment, Path result) throws IOException {
        return new Reading(environment, result).of(command);
    }

    private static boolean isJava(String word) {
        return word.equals("java") || word.endsWith("/java");
    }

    /// @param text a path, or a text that contains paths
    /// @param isClassPath whether the whole text is a class path
    private record Place(String text, boolean isClassPath) {}

    private static final class Reading {
        private final Environment environment;
        private final Digests digests;
        private final Map<String, String> java = new TreeMap<>();
        private final Set<Path> folders = new LinkedHashSet<>(List.of(Path.of("")));
        private final List<Place> places = new ArrayList<>();
        private final Set<Path> launchers = new TreeSet<>();

        Reading(Environment environment, Path result) {
            this.environment = environment;
            this.digests = new Digests(result);
        }

        Programs of(String command) throws IOException {
            ShellWords.Line line = ShellWords.of(command, environment);
            Map<String, String> variables = new TreeMap<>(line.variables());
            for (String name : OF_JVMS) {
                environment
                        .value(name)
                        .ifPresent(v -> {
                            variables.put(name, v);
                            ShellWords.of(v, environment).commands().forEach(this::words);
                        });
            }
            environment
                    .value(CLASS_PATH_VARIABLE)
                    .ifPresent(v -> {
                        variables.put(CLASS_PATH_VARIABLE, v);
                        places.add(new Place(v, true));
                    });
            line.commands().forEach(this::words);
            for (List<String> words : line.commands()) {
                for (String word : words) {
                    if (isJava(word)) {
                        jdk(word, line);
                    }
                }
            }
            for (Place place : places) {
                for (Path folder : folders) {
                    add(place, folder);
                }
            }
            List<Note> notes = new ArrayList<>(digests.notes());
            if (!digests.hasProgram(launchers)) {
                notes.add(new Note.NoProgram());
            }
            Map<String, String> values = new TreeMap<>();
            variables.forEach((name, value) -> {
                if (!Secrets.isSecretName(name)) {
                    values.put("variable " + name, Digests.of(value));
                }
            });
            return new Programs(digests.files(), java, values, notes);
        }

        private void words(List<String> words) {
            boolean ofJava = false;
            String before = "";
            for (String word : words) {
                path(word).filter(Files::isDirectory).ifPresent(folders::add);
                var classPath = CLASS_PATH_WORD.matcher(word);
                boolean afterOption =
                        CLASS_PATH.contains(before) || (ofJava && before.equals(MODULE_PATH));
                if (classPath.matches()) {
                    places.add(new Place(classPath.group(1), true));
                } else {
                    places.add(new Place(word, afterOption));
                }
                ofJava |= isJava(word);
                before = word;
            }
        }

        private static Optional<Path> path(String word) {
            try {
                return word.isEmpty() || word.contains("{")
                        ? Optional.empty()
                        : Optional.of(Path.of(word));
            } catch (InvalidPathException noPath) {
                return Optional.empty();
            }
        }

        private void add(Place place, Path folder) throws IOException {
            if (place.isClassPath()) {
                for (String entry : place.text().split(":")) {
                    add(entry, folder, true);
                }
            } else if (!add(place.text(), folder, false)) {
                for (String part : BETWEEN.split(place.text())) {
                    add(part, folder, false);
                }
            }
        }

        /// @return whether a file or folder exists there
        private boolean add(String text, Path in, boolean isClassPath) throws IOException {
            Optional<Path> found = path(text).map(in::resolve).map(Path::toAbsolutePath);
            if (found.isEmpty()) {
                return false;
            }
            Path path = found.get().normalize();
            String name = String.valueOf(path.getFileName());
            Path folder = path.getParent();
            if (folder != null && (name.contains("*") || name.contains("?"))) {
                return matching(folder, name);
            }
            if (isClassPath && Files.isDirectory(path)) {
                digests.folder(path);
                return true;
            }
            return digests.file(path);
        }

        /// Adds the files that `-cp lib/*` includes, and those that a shell pattern such as
        /// `app-*.jar` matches.
        private boolean matching(Path folder, String glob) throws IOException {
            if (!Files.isDirectory(folder)) {
                return false;
            }
            String names = glob.equals("*") ? "*.{jar,JAR}" : glob;
            List<Path> found = new ArrayList<>();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, names)) {
                files.forEach(found::add);
            } catch (PatternSyntaxException noGlob) {
                return false;
            }
            return digests.all(folder.resolve(glob), found);
        }

        private void jdk(String word, ShellWords.Line line) throws IOException {
            Optional<Path> launcher =
                    word.contains("/")
                            ? path(word)
                            : Stream.of(searched(line).split(":"))
                                    .filter(d -> !d.isEmpty())
                                    .map(d -> Path.of(d, word))
                                    .filter(Files::isExecutable)
                                    .findFirst();
            if (launcher.isEmpty() || !Files.exists(launcher.get())) {
                return;
            }
            launchers.add(launcher.get().toAbsolutePath().normalize());
            Path bin = launcher.get().toRealPath().getParent();
            Path home = bin == null ? null : bin.getParent();
            if (home != null) {
                Path release = home.resolve("release");
                java.put(
                        "JDK " + home,
                        Files.isRegularFile(release) ? Digests.of(release) : "no file");
            }
        }

        /// Returns the search path: `PATH=/opt/jdk/bin:$PATH java …` takes precedence over the
        /// environment.
        private String searched(ShellWords.Line line) {
            return line.commands().stream()
                    .flatMap(List::stream)
                    .filter(w -> w.startsWith("PATH="))
                    .map(w -> w.substring("PATH=".length()))
                    .findFirst()
                    .or(() -> environment.value("PATH"))
                    .orElse("");
        }
    }
}
