package dev.jdyno;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The public API of the libraries is the list in docs/library.md. All other public types are
/// internal: they are public because modules and packages share them.
class ExportedTest {
    private static final Path PAGE = Path.of("../docs/library.md");

    /// Types of other projects that members of exported types may use.
    private static final List<String> FOREIGN =
            List.of("java.", "javax.", "org.HdrHistogram.", "org.jspecify.");

    @Test
    void exportedTypesExist() throws IOException {
        Map<String, JavaClass> classes = byName();
        for (String name : exported()) {
            assertThat(classes).containsKey(name);
            assertThat(classes.get(name).getModifiers()).as(name).contains(JavaModifier.PUBLIC);
        }
    }

    @Test
    void membersOfExportedTypesNameExportedTypesOnly() throws IOException {
        Map<String, JavaClass> classes = byName();
        Set<String> exported = exported();
        var found = new TreeSet<String>();
        for (JavaClass type : classes.values()) {
            if (!isOpen(type) || !exported.contains(outermost(type))) {
                continue;
            }
            for (JavaMember member : type.getMembers()) {
                if (!isOpen(member)) {
                    continue;
                }
                for (JavaClass named : namedBy(member)) {
                    JavaClass base = named.getBaseComponentType();
                    boolean known =
                            base.isPrimitive()
                                    || exported.contains(outermost(base))
                                    || FOREIGN.stream().anyMatch(base.getName()::startsWith);
                    if (!known) {
                        found.add(outermost(base) + " (" + member.getFullName() + ")");
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /// In the JUnit extension, every public type is exported: it has no types for its own packages
    /// only.
    @Test
    void everyPublicTypeOfTheJUnitExtensionIsExported() throws IOException {
        Path root = Path.of("../junit/src/main/java");
        var open = new TreeSet<String>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                if (Files.readAllLines(file).stream().anyMatch(l -> l.startsWith("public "))) {
                    String name = root.relativize(file).toString().replace('/', '.');
                    open.add(name.substring(0, name.length() - ".java".length()));
                }
            }
        }
        assertThat(listed().get("jdyno-junit")).isEqualTo(open);
    }

    private static Map<String, JavaClass> byName() {
        JavaClasses classes = OurClasses.imported();
        return classes.stream().collect(Collectors.toMap(JavaClass::getName, c -> c));
    }

    private static boolean isOpen(JavaClass type) {
        boolean open = type.getModifiers().contains(JavaModifier.PUBLIC);
        return open && type.getEnclosingClass().map(ExportedTest::isOpen).orElse(true);
    }

    private static boolean isOpen(JavaMember member) {
        Set<JavaModifier> modifiers = member.getModifiers();
        return modifiers.contains(JavaModifier.PUBLIC)
                || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(ExportedTest::outermost).orElse(type.getName());
    }

    private static Set<JavaClass> namedBy(JavaMember member) {
        Set<JavaClass> named = new HashSet<>();
        switch (member) {
            case JavaField field -> named.addAll(field.getType().getAllInvolvedRawTypes());
            case JavaCodeUnit code -> {
                named.addAll(code.getReturnType().getAllInvolvedRawTypes());
                for (JavaType parameter : code.getParameterTypes()) {
                    named.addAll(parameter.getAllInvolvedRawTypes());
                }
            }
            default -> throw new AssertionError("another kind of member: " + member);
        }
        return named;
    }

    /// The exported types that ArchUnit loads. Those of the JUnit extension are missing, because
    /// its module is built after this one.
    private static Set<String> exported() throws IOException {
        var all = new TreeSet<String>();
        listed().forEach((artifact, types) -> {
            if (!artifact.equals("jdyno-junit")) {
                all.addAll(types);
            }
        });
        return all;
    }

    /// The list in docs/library.md: one artifact a line, and below it its packages with their
    /// types.
    private static Map<String, Set<String>> listed() throws IOException {
        Map<String, Set<String>> listed = new TreeMap<>();
        String artifact = "";
        boolean inside = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```")) {
                inside = line.equals("```exported");
            } else if (inside && !line.startsWith(" ")) {
                artifact = line;
            } else if (inside) {
                String[] words = line.strip().split(" +");
                for (int i = 1; i < words.length; i++) {
                    listed.computeIfAbsent(artifact, _ -> new TreeSet<>())
                            .add(words[0] + "." + words[i]);
                }
            }
        }
        assertThat(listed).hasSizeGreaterThan(3);
        return listed;
    }
}
