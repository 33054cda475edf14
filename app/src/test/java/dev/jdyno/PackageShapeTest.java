package dev.jdyno;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Prints the graphs of modules and packages, and limits the size of packages and methods.
class PackageShapeTest {
    private static final int MAX_FILES = 45;
    private static final int MAX_METHOD_LINES = 70;

    /// Packages with one case in each file. Such a package may be larger.
    private static final Set<String> ONE_CASE_A_FILE =
            Set.of("dev.jdyno.lab.planted", "dev.jdyno.gclog.rules");

    /// The first line of a class member. Its body ends with a brace at the same indentation.
    private static final Pattern HEAD =
            Pattern.compile(
                    "^( {4}| {8})(?!//|/\\*|@|\\*|\\}|.*\\b(?:class|record|interface|enum) )\\S.*");

    private static final Pattern END = Pattern.compile("^( {4}| {8})\\}$");
    private static final Pattern KNOWS =
            Pattern.compile("<artifactId>jdyno(?:-([a-z]+))?</artifactId>");

    /// The modules of the tool in build order: each may use only modules before it. Modules that
    /// are not listed are independent of this order.
    private static final List<String> UPWARDS =
            List.of(
                    "measure",
                    "files",
                    "load",
                    "gclog",
                    "observe",
                    "diagnose",
                    "run",
                    "compare",
                    "history",
                    "report",
                    "experiment",
                    "app");

    private static final Set<String> BESIDE = Set.of("lab", "junit", "bench");

    @Test
    void moduleGraphIsPrintedAndModulesUseOnlyEarlierOnes() throws IOException {
        Map<String, Set<String>> graph = new TreeMap<>();
        for (String module : Modules.all()) {
            String pom = Files.readString(Path.of("..", module, "pom.xml"));
            Set<String> known =
                    KNOWS.matcher(pom.substring(pom.indexOf("<dependencies>")))
                            .results()
                            .map(m -> Optional.ofNullable(m.group(1)).orElse("app"))
                            .collect(Collectors.toCollection(TreeSet::new));
            graph.put(module, known);
        }
        graph.forEach((module, known) -> System.out.println(module + " -> " + known));
        assertThat(graph.get("measure")).isEmpty();
        assertThat(graph.get("diagnose")).containsExactly("measure");
        assertThat(graph.get("lab")).isEmpty();
        assertThat(graph.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(UPWARDS.stream(), BESIDE.stream()).toList());
        for (int i = 0; i < UPWARDS.size(); i++) {
            var others = new TreeSet<>(graph.get(UPWARDS.get(i)));
            others.removeAll(UPWARDS.subList(0, i));
            // the lab's jar is packed with the tool, but no class of the tool uses it
            others.remove("lab");
            assertThat(others).as("what %s knows from above", UPWARDS.get(i)).isEmpty();
        }
    }

    /// If two modules had the same package, neither would show the whole package.
    @Test
    void eachPackageBelongsToOneModule() throws IOException {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (Path file : sources()) {
            modules.computeIfAbsent(packageOf(file), _ -> new TreeSet<>())
                    .add(file.getName(1).toString());
        }
        assertThat(modules).hasSizeGreaterThan(UPWARDS.size());
        modules.values().removeIf(of -> of.size() == 1);
        assertThat(modules).isEmpty();
    }

    @Tag("full") // reads what all classes depend on
    @Test
    void theGraphOfPackagesIsPrinted() {
        JavaClasses classes = OurClasses.imported();
        Map<String, Set<String>> graph = new TreeMap<>();
        for (JavaClass c : classes) {
            Set<String> known = graph.computeIfAbsent(c.getPackageName(), _ -> new TreeSet<>());
            for (Dependency d : c.getDirectDependenciesFromSelf()) {
                String other = d.getTargetClass().getPackageName();
                if (other.startsWith("dev.jdyno") && !other.equals(c.getPackageName())) {
                    known.add(other);
                }
            }
        }
        graph.forEach((name, known) -> System.out.println(name + " -> " + known));
        assertThat(graph).containsKeys("dev.jdyno.judge", "dev.jdyno.observe.window");
    }

    @Test
    void noPackageHasTooManyFiles() throws IOException {
        Map<String, Integer> sizes = new TreeMap<>();
        for (Path file : sources()) {
            sizes.merge(packageOf(file), 1, Integer::sum);
        }
        sizes.keySet().removeAll(ONE_CASE_A_FILE);
        sizes.values().removeIf(files -> files <= MAX_FILES);
        assertThat(sizes).isEmpty();
    }

    @Test
    void noMethodIsTooLong() throws IOException {
        Map<String, Integer> found = new TreeMap<>();
        for (Path file : sources()) {
            int methods = longMethods(Files.readAllLines(file));
            if (methods > 0) {
                found.put(file.toString(), methods);
            }
        }
        assertThat(found).as("methods over %d lines", MAX_METHOD_LINES).isEmpty();
    }

    /// Counts methods that are too long. Only members with parameters count, because arrays and
    /// enum constants are tables.
    private static int longMethods(List<String> lines) {
        int found = 0;
        Map<String, Integer> heads = new TreeMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            var end = END.matcher(line);
            if (end.matches()) {
                Integer head = heads.remove(end.group(1));
                if (head != null
                        && i - head >= MAX_METHOD_LINES
                        && lines.get(head).contains("(")
                        && !lines.get(head).contains("=")
                        && !lines.get(head).strip().startsWith("switch")) {
                    found++;
                }
            } else if (HEAD.matcher(line).matches()) {
                String depth = line.startsWith("        ") ? "        " : "    ";
                if (line.endsWith("{}")) {
                    heads.remove(depth);
                } else {
                    heads.put(depth, i);
                }
            }
        }
        return found;
    }

    private static String packageOf(Path file) {
        String path = file.toString();
        int from = path.indexOf("/java/") + "/java/".length();
        return path.substring(from, path.lastIndexOf('/')).replace('/', '.');
    }

    private static List<Path> sources() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String module : Modules.all()) {
            Path main = Path.of("..", module, "src/main/java");
            if (!Files.isDirectory(main)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(main)) {
                files.filter(f -> f.toString().endsWith(".java")).forEach(all::add);
            }
        }
        return all;
    }
}
