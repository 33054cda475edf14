package dev.jdyno;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.trial.LiveService;
import dev.jdyno.trial.Trial;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// Which package may use which other packages. This test is the architecture document, so the
/// document is always up to date.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchitectureTest {
    private static final String ROOT = "dev.jdyno.";

    /// Package → the packages that it may use. Every package may use `measure`, and `cli` may use
    /// all.
    private static final Map<String, List<String>> ARROWS =
            Map.ofEntries(
                    Map.entry("measure", List.of()),
                    Map.entry("foreign", List.of()),
                    Map.entry("plan", List.of("foreign")),
                    Map.entry("load", List.of()),
                    Map.entry("cluster", List.of("files", "foreign", "load")),
                    Map.entry("files", List.of()),
                    Map.entry("target", List.of("files", "foreign")),
                    Map.entry("observe", List.of("files", "foreign", "target")),
                    Map.entry("inside", List.of("cluster", "target", "observe")),
                    Map.entry("driver", List.of("files", "foreign", "plan", "load", "target")),
                    Map.entry("gclog", List.of("foreign")),
                    Map.entry("doctor", List.of()),
                    Map.entry("heapmodel", List.of()),
                    Map.entry("capacity", List.of()),
                    Map.entry("diagnose", List.of()),
                    Map.entry("judge", List.of("capacity", "diagnose")),
                    Map.entry(
                            "trial",
                            List.of(
                                    "files",
                                    "foreign",
                                    "plan",
                                    "load",
                                    "cluster",
                                    "target",
                                    "observe",
                                    "inside",
                                    "driver",
                                    "capacity")),
                    Map.entry(
                            "watch",
                            List.of(
                                    "files",
                                    "foreign",
                                    "plan",
                                    "target",
                                    "observe",
                                    "inside",
                                    "trial",
                                    "capacity",
                                    "diagnose",
                                    "judge")),
                    Map.entry("compare", List.of("files", "plan", "trial")),
                    Map.entry("warm", List.of("files", "plan", "trial", "compare")),
                    Map.entry(
                            "instance",
                            List.of("files", "plan", "trial", "compare", "target", "capacity")),
                    Map.entry("series", List.of("foreign")),
                    Map.entry("history", List.of("files", "foreign", "compare", "trial", "tune")),
                    Map.entry(
                            "guard",
                            List.of(
                                    "files",
                                    "plan",
                                    "trial",
                                    "compare",
                                    "series",
                                    "history",
                                    "judge",
                                    "repository")),
                    Map.entry("repository", List.of("files", "foreign", "target")),
                    Map.entry("otlp", List.of("foreign", "trial")),
                    Map.entry(
                            "serve",
                            List.of("foreign", "series", "trial", "history", "report", "watch")),
                    Map.entry(
                            "tune",
                            List.of(
                                    "files",
                                    "foreign",
                                    "plan",
                                    "trial",
                                    "compare",
                                    "observe",
                                    "diagnose",
                                    "judge",
                                    "heapmodel",
                                    "sizing")),
                    Map.entry("recorded", List.of("files", "foreign", "gclog", "observe")),
                    Map.entry("sizing", List.of("gclog", "heapmodel", "target", "observe")),
                    Map.entry(
                            "experiment",
                            List.of(
                                    "files",
                                    "foreign",
                                    "plan",
                                    "trial",
                                    "load",
                                    "target",
                                    "capacity",
                                    "heapmodel",
                                    "report")),
                    Map.entry(
                            "report",
                            List.of(
                                    "files",
                                    "doctor",
                                    "load",
                                    "gclog",
                                    "heapmodel",
                                    "sizing",
                                    "capacity",
                                    "compare",
                                    "trial",
                                    "tune",
                                    "warm",
                                    "instance",
                                    "series",
                                    "history",
                                    "guard",
                                    "repository",
                                    "foreign")));

    private JavaClasses classes;

    @BeforeAll
    void importOnce() {
        classes = OurClasses.imported();
        assertThat(classes.contain(NanoClock.class)).isTrue();
        assertThat(classes.contain(getClass())).isFalse();
    }

    @Test
    void packagesDependOnlyAsDesignAllows() {
        ARROWS.forEach((pack, known) -> {
            var forbidden = new TreeSet<>(ARROWS.keySet());
            forbidden.add("cli");
            forbidden.remove(pack);
            forbidden.remove("measure");
            forbidden.removeAll(known);
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + pack + "..")
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(
                                    forbidden.stream()
                                            .map(r -> ROOT + r + "..")
                                            .toArray(String[]::new)))
                    .allowEmptyShould(true)
                    .check(classes);
        });
    }

    /// Decisions use a service interface, so that a test can simulate the measurements.
    @Test
    void enginesThatDecideMeasureThroughService() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "tune..", ROOT + "compare..", ROOT + "guard..")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Trial.class, LiveService.class)
                .check(classes);
    }

    @Test
    void measureDependsOnNoOtherPackage() {
        classes()
                .that()
                .resideInAPackage(ROOT + "measure..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(
                                "java..",
                                "org.HdrHistogram..",
                                "org.jspecify..",
                                ROOT + "measure.."))
                .check(classes);
    }

    @Test
    void designListsEveryPackage() {
        for (var c : classes) {
            String pack = c.getPackageName().substring(ROOT.length()).split("\\.")[0];
            assertThat(ARROWS.keySet().contains(pack) || pack.equals("cli"))
                    .as("package %s is a package of docs/design.md", c.getPackageName())
                    .isTrue();
        }
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("dev.jdyno.(*)..").should().beFreeOfCycles().check(classes);
    }

    /// A package may use other packages with the same parent package, but not in a cycle.
    @Test
    void packagesInsideAPackageFormNoCycle() {
        for (String split :
                List.of(
                        "cli",
                        "cluster",
                        "diagnose",
                        "experiment",
                        "gclog",
                        "heapmodel",
                        "inside",
                        "load",
                        "measure",
                        "observe",
                        "report",
                        "serve",
                        "trial")) {
            slices().assignedFrom(new PackageSlices(ROOT + split))
                    .should()
                    .beFreeOfCycles()
                    .check(classes);
        }
    }

    /// Each package is a separate slice, also the root package.
    private record PackageSlices(String root) implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            String name = javaClass.getPackageName();
            return name.equals(root) || name.startsWith(root + ".")
                    ? SliceIdentifier.of(name)
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages of " + root;
        }
    }

    /// The compiler accepts a value of a type that is not accessible, if no code names the type.
    /// The JVM then refuses the cast.
    @Test
    void noPackageUsesInternalTypesOfAnother() {
        var found = new TreeSet<String>();
        for (JavaClass user : classes) {
            for (JavaAccess<?> access : user.getAccessesFromSelf()) {
                hidden(user, access.getTargetOwner()).ifPresent(found::add);
            }
            for (var check : user.getInstanceofChecks()) {
                hidden(user, check.getRawType()).ifPresent(found::add);
            }
            for (var cast : user.getReferencedClassObjects()) {
                hidden(user, cast.getRawType()).ifPresent(found::add);
            }
        }
        assertThat(found).isEmpty();
    }

    private static Optional<String> hidden(JavaClass user, JavaClass used) {
        boolean foreign =
                used.getPackageName().startsWith(ROOT)
                        && !used.getPackageName().equals(user.getPackageName());
        boolean open =
                used.getModifiers().contains(JavaModifier.PUBLIC)
                        || used.getModifiers().contains(JavaModifier.PROTECTED);
        return foreign && !open
                ? Optional.of(user.getName() + " uses " + used.getName())
                : Optional.empty();
    }

    @Test
    void basePackagesDoNotDependOnLoadEngine() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        ROOT + "load.wire..", ROOT + "load.reply..", ROOT + "load.hpack..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "load")
                .check(classes);
    }

    @Test
    void onlyCommandLineUsesProcessStateAndOneClockReadsSystemTime() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "cli..")
                .and()
                .doNotHaveFullyQualifiedName(ROOT + "measure.NanoClock")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(System.class, "getenv")
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .orShould()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(classes);
    }

    @Test
    void noClassNameEndsInGenericSuffix() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .check(classes);
    }
}
