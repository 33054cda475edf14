package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The launcher in odd environments. Its `java` is a script that prints the arguments and the
/// environment that it gets.
class LauncherTest {
    private static final Path TREE = Path.of(System.getProperty("basedir", ".")).resolve("..");
    private static final long HANG_MINUTES = 2;

    /// A JVM that refuses to start if its variables or arguments contain the word `bad`.
    private static final String JAVA =
            """
            #!/bin/sh
            case "${JAVA_TOOL_OPTIONS-} ${JDK_JAVA_OPTIONS-} ${_JAVA_OPTIONS-} $*" in
              *bad*) echo 'Error: Could not create the Java Virtual Machine.'; exit 1 ;;
            esac
            for word in "$@"; do echo "arg $word"; done
            export -p | sed 's/^export /env /'
            """;

    private static final String MAVEN =
            """
            #!/bin/sh
            {
              for word in "$@"; do echo "arg $word"; done
              export -p | sed 's/^export /env /'
            } > "${0%/*}/maven.txt"
            : > "${0%/*}/app/target/jdyno.jar"
            """;

    @TempDir Path dir;

    /// Output of one run.
    ///
    /// @param arguments of the JVM
    /// @param environment of the JVM, as the shell quotes it
    private record Ran(
            int code, List<String> arguments, Map<String, String> environment, String errors) {}

    private final Map<String, Optional<String>> variables = new TreeMap<>();
    private Path home = Path.of("");

    @BeforeEach
    void home() throws IOException {
        home = Files.createDirectory(dir.resolve("home"));
        set("HOME", home.toString());
        set("LANG", "C.UTF-8");
        for (String name :
                List.of(
                        "JAVA_TOOL_OPTIONS",
                        "JDK_JAVA_OPTIONS",
                        "_JAVA_OPTIONS",
                        "CLASSPATH",
                        "MAVEN_OPTS",
                        "JDYNO_OPTS",
                        "LC_ALL",
                        "LC_CTYPE",
                        "XDG_CACHE_HOME",
                        "TMPDIR",
                        "MAVEN_USER_HOME")) {
            unset(name);
        }
    }

    private void set(String name, String value) {
        variables.put(name, Optional.of(value));
    }

    private void unset(String name) {
        variables.put(name, Optional.empty());
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Creates the self-contained package.
    private Path packed(Path in) throws IOException {
        script(in.resolve("bin/jdyno"), Files.readString(TREE.resolve("jdyno")));
        script(in.resolve("runtime/bin/java"), JAVA);
        Files.createDirectories(in.resolve("lib"));
        Files.writeString(in.resolve("lib/jdyno.jar"), "");
        return in.resolve("bin/jdyno");
    }

    /// Creates a source tree that is not built, and a JDK.
    private Path tree(Path in) throws IOException {
        script(in.resolve("jdyno"), Files.readString(TREE.resolve("jdyno")));
        script(in.resolve("mvnw"), MAVEN);
        Files.createDirectories(in.resolve(".mvn"));
        Files.copy(TREE.resolve(".mvn/find-jdk.sh"), in.resolve(".mvn/find-jdk.sh"));
        Path jdk = dir.resolve("jdk");
        script(jdk.resolve("bin/java"), JAVA);
        script(jdk.resolve("bin/javac"), JAVA);
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        set("JAVA_HOME", jdk.toString());
        return in.resolve("jdyno");
    }

    private Ran run(Path launcher, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(words));
        return run(command);
    }

    private Ran run(List<String> command) throws Exception {
        Path out = dir.resolve("out.txt");
        Path err = dir.resolve("err.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        variables.forEach((name, value) -> {
            builder.environment().remove(name);
            value.ifPresent(v -> builder.environment().put(name, v));
        });
        Process process = builder.start();
        assertThat(process.waitFor(HANG_MINUTES, TimeUnit.MINUTES)).isTrue();
        return ran(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    private static Ran ran(int code, String out, String err) {
        List<String> arguments = new ArrayList<>();
        Map<String, String> environment = new TreeMap<>();
        out.lines()
                .forEach(line -> {
                    if (line.startsWith("arg ")) {
                        arguments.add(line.substring(4));
                    } else if (line.startsWith("env ")) {
                        String[] parts = line.substring(4).split("=", 2);
                        environment.put(
                                parts[0], parts.length == 2 ? parts[1].replace("'", "") : "");
                    }
                });
        return new Ran(code, arguments, environment, err);
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"})
    void runsItsOwnJvmWithoutTheUsersVariable(String name) throws Exception {
        set(name, "-XX:+UseG1GC -Dsaid=\"a  b\" $HOME *");

        Ran ran = run(packed(dir.resolve("package")), "--version");

        assertThat(ran.code()).isZero();
        assertThat(ran.environment()).doesNotContainKey(name);
        assertThat(ran.environment())
                .containsEntry("JDYNO_TARGET_" + name, "-XX:+UseG1GC -Dsaid=\"a  b\" $HOME *")
                .as("only what is set is kept")
                .satisfies(e ->
                        assertThat(e.keySet().stream().filter(n -> n.startsWith("JDYNO_TARGET_")))
                                .containsExactly("JDYNO_TARGET_" + name));
        assertThat(ran.arguments()).endsWith("--version");
    }

    @Test
    void theDistributionWithoutARuntimeFindsAJdk() throws Exception {
        tree(dir.resolve("tree"));
        Path in = dir.resolve("distribution");
        script(in.resolve("bin/jdyno"), Files.readString(TREE.resolve("jdyno")));
        Files.createDirectories(in.resolve("lib"));
        Files.copy(TREE.resolve(".mvn/find-jdk.sh"), in.resolve("lib/find-jdk.sh"));
        Files.writeString(in.resolve("lib/jdyno.jar"), "");

        Ran ran = run(in.resolve("bin/jdyno"), "--version");

        assertThat(ran.code()).as(ran.errors()).isZero();
        assertThat(ran.arguments()).contains(in.resolve("lib/jdyno.jar").toString());
    }

    @Test
    void findsJdkDespiteVariablesThatPreventJvmStart() throws Exception {
        set("JAVA_TOOL_OPTIONS", "-XX:+bad");
        Path launcher = tree(dir.resolve("tree"));
        Files.delete(dir.resolve("jdk/release"));
        script(
                dir.resolve("jdk/bin/java"),
                JAVA.replace("for word", "echo 'openjdk version \"25.0.1\"' >&2\nfor word"));

        Ran ran = run(launcher, "--version");

        assertThat(ran.code()).as(ran.errors()).isZero();
        assertThat(ran.environment()).containsEntry("JDYNO_TARGET_JAVA_TOOL_OPTIONS", "-XX:+bad");
    }

    @Test
    void buildsWithUserVariablesIfJvmStartsWithThem() throws Exception {
        set("MAVEN_OPTS", "-Dhttps.proxyHost=proxy -Xmx1g");
        set("JAVA_TOOL_OPTIONS", "-Dhttps.proxyPort=3128");

        Path launcher = tree(dir.resolve("tree"));
        Ran ran = run(launcher, "--version");

        assertThat(ran.code()).as(ran.errors()).isZero();
        assertThat(Files.readString(dir.resolve("tree/maven.txt")))
                .contains("-Dhttps.proxyHost=proxy -Xmx1g", "-Dhttps.proxyPort=3128");
        assertThat(ran.environment()).doesNotContainKey("JAVA_TOOL_OPTIONS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"MAVEN_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"})
    void buildsWithoutVariablesThatPreventJvmStart(String name) throws Exception {
        set(name, "-XX:+bad");

        Ran ran = run(tree(dir.resolve("tree")), "--version");

        assertThat(ran.code()).as(ran.errors()).isZero();
        assertThat(Files.readString(dir.resolve("tree/maven.txt")))
                .doesNotContain("env " + name + "=");
        assertThat(ran.errors().lines().filter(l -> l.contains(name))).hasSize(1);
    }

    @Test
    void buildsInTreeIfHomeFolderIsReadOnly() throws Exception {
        unset("HOME");

        Ran ran = run(tree(dir.resolve("tree")), "--version");

        assertThat(ran.code()).as(ran.errors()).isZero();
        assertThat(Files.readString(dir.resolve("tree/maven.txt")))
                .contains("env MAVEN_USER_HOME=")
                .contains("-Dmaven.repo.local=" + dir.resolve("tree"));
    }

    /// In `dash`, a failed redirection of a special built-in ends the shell. Each obstacle of this
    /// test also stops root.
    @ParameterizedTest
    @ValueSource(strings = {"a log that is a folder", "a log that is a link", "target is a file"})
    void reportsFolderThatCannotBeWritten(String obstacle) throws Exception {
        Path launcher = tree(dir.resolve("tree"));
        Path target = dir.resolve("tree/app/target");
        Path log = target.resolve("first-build.log");
        switch (obstacle) {
            case "a log that is a folder" -> Files.createDirectories(log);
            case "a log that is a link" -> {
                Files.createDirectories(target);
                Files.createSymbolicLink(log, dir.resolve("nothing/first-build.log"));
            }
            default -> {
                Files.createDirectories(target.getParent());
                Files.writeString(target, "");
            }
        }

        for (String shell : List.of("sh", "dash", "bash")) {
            if (Files.isExecutable(Path.of("/bin", shell))) {
                Ran ran = run(List.of(shell, launcher.toString(), "--version"));

                assertThat(ran.code()).as(shell).isEqualTo(2);
                assertThat(ran.errors()).as(shell).contains("error: ", "  why: ", "  fix: ");
            }
        }
    }

    @Test
    void startsInAPathWithBlanksAndUmlauts() throws Exception {
        Path odd = dir.resolve("öde  Größe (1)");
        set("XDG_CACHE_HOME", Files.createDirectories(odd.resolve("cäche *")).toString());

        Ran ran = run(packed(odd.resolve("jdyno")), "gc", "a b.log");

        assertThat(ran.code()).as(ran.errors()).isZero();
        assertThat(ran.arguments())
                .contains("-Djdyno.home=" + odd.resolve("jdyno"))
                .endsWith("-jar", odd.resolve("jdyno/lib/jdyno.jar").toString(), "gc", "a b.log");
        assertThat(ran.arguments().getFirst())
                .matches("-XX:(ArchiveClassesAtExit|SharedArchiveFile)=.*")
                .contains(odd.resolve("cäche *").toString());
        assertThat(ran.arguments()).allMatch(a -> a.startsWith("-") || a.matches("/.*|gc|a b.log"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "POSIX", "de_DE.ISO-8859-1", ""})
    void readsPathsAsUtf8InAnyLocale(String locale) throws Exception {
        set("LC_ALL", locale);
        set("LANG", locale);

        Ran ran = run(packed(dir.resolve("package")), "--version");

        assertThat(ran.environment())
                .containsEntry("LC_ALL", "C.UTF-8")
                .containsEntry("JDYNO_TARGET_LC_ALL", locale);
    }

    @Test
    void utf8LocaleIsUnchanged() throws Exception {
        set("LC_ALL", "de_DE.utf8");

        Ran ran = run(packed(dir.resolve("package")), "--version");

        assertThat(ran.environment())
                .containsEntry("LC_ALL", "de_DE.utf8")
                .doesNotContainKey("JDYNO_TARGET_LC_ALL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "relative/cache", "/proc/none", "/dev/null"})
    void startsWithAnyCacheFolder(String cache) throws Exception {
        set("XDG_CACHE_HOME", cache);
        unset("HOME");

        Ran ran = run(packed(dir.resolve("package")), "--version");

        assertThat(ran.code()).as(ran.errors()).isZero();
        assertThat(ran.errors()).isEmpty();
        assertThat(ran.arguments()).noneMatch(a -> a.contains("Archive"));
    }

    @Test
    void startsWithoutAHomeFolderInATree() throws Exception {
        unset("HOME");
        unset("MAVEN_USER_HOME");
        Path launcher = tree(dir.resolve("tree"));
        Files.createDirectories(dir.resolve("tree/app/target"));
        Files.writeString(dir.resolve("tree/app/target/jdyno.jar"), "");
        // only the JDKs in the usual places are available
        set("JAVA_HOME", dir.resolve("nothing").toString());

        Ran ran = run(launcher, "--version");

        assertThat(ran.errors()).doesNotContain("HOME: parameter not set", "HOME: unbound");
    }

    @Test
    void jvmWritesNothingToStandardOutputOrTemporaryFolder() throws Exception {
        Ran ran = run(packed(dir.resolve("package")), "--version");

        assertThat(ran.arguments())
                .contains("-XX:+DisplayVMOutputToStderr", "-XX:+PerfDisableSharedMem");
    }

    @Test
    void usesTemporaryFolderOfUser() throws Exception {
        set("TMPDIR", "/var/big tmp");

        Ran ran = run(packed(dir.resolve("package")), "--version");

        assertThat(ran.arguments()).contains("-Djava.io.tmpdir=/var/big tmp");
    }

    /// The jar has the time of its commit. So a newer jar may be older than the class archive of
    /// the previous build.
    @Test
    void eachBuildOfPackageHasItsOwnClassArchive() throws Exception {
        Path launcher = packed(dir.resolve("package"));
        Path build = dir.resolve("package/lib/build");

        Files.writeString(build, "one\n");
        String one = archive(run(launcher, "ps"));
        String again = archive(run(launcher, "ps"));
        Files.writeString(build, "two\n");
        String two = archive(run(launcher, "ps"));
        Files.delete(build);
        String none = archive(run(launcher, "ps"));

        assertThat(again).isEqualTo(one);
        assertThat(List.of(one, two, none)).doesNotHaveDuplicates();
    }

    /// The archive of such a start would lack the classes of `run`.
    @ParameterizedTest
    @ValueSource(strings = {"", "help", "--help", "watch --help", "run -h", "--version"})
    void startThatOnlyPrintsMakesNoClassArchive(String words) throws Exception {
        Path launcher = packed(dir.resolve("package"));
        List<String> typed = words.isEmpty() ? List.of() : List.of(words.split(" "));

        assertThat(run(launcher, typed.toArray(String[]::new)).arguments())
                .noneMatch(a -> a.contains("ArchiveClassesAtExit"));
        assertThat(archive(run(launcher, "watch"))).endsWith(".jsa");
    }

    /// Name of the class archive without the id of the process that writes it.
    private static String archive(Ran ran) {
        String option = "-XX:ArchiveClassesAtExit=";
        return ran.arguments().stream()
                .filter(word -> word.startsWith(option))
                .map(word -> word.substring(option.length(), word.lastIndexOf('.')))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void splitsUserOptionsIntoWords() throws Exception {
        set("JDYNO_OPTS", "-Xmx2g  -Djava.io.tmpdir=/var/tmp");

        Ran ran = run(packed(dir.resolve("package")), "--version");

        assertThat(ran.arguments()).contains("-Xmx2g", "-Djava.io.tmpdir=/var/tmp");
    }
}
