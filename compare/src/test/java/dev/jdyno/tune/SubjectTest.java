package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Environment;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanFile;
import dev.jdyno.plan.PlanText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A plan that `tune` writes and that `--resume` reads again.
class SubjectTest {
    @TempDir private Path folder;

    private final Map<String, String> variables = new HashMap<>();
    private final Environment environment = name -> Optional.ofNullable(variables.get(name));
    private Path jdk = Path.of("");
    private Set<String> rewritten = Set.of();

    @BeforeEach
    void aService() throws IOException {
        jdk = Files.createDirectories(folder.resolve("jdk"));
        Path java = Files.createDirectories(jdk.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=25\n");
        Files.writeString(folder.resolve("app.jar"), "one");
        Files.createDirectories(folder.resolve("lib/classes"));
        Files.writeString(folder.resolve("lib/dep.jar"), "one");
        Files.writeString(folder.resolve("lib/classes/A.class"), "one");
        Files.writeString(folder.resolve("start.sh"), "java -jar app.jar");
        Files.writeString(folder.resolve("gc.log"), "one");
        variables.put("PATH", jdk.resolve("bin").toString());
        variables.put("SIZE", "100");
        variables.put("TOKEN", "s3cret");
    }

    private Plan plan(String headers, String command) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("given.yaml"),
                        """
                        name: shop
                        url: http://127.0.0.1:{port}/?size=${SIZE}
                        headers: {%s"}
                        target: {launch: "%s --port {port}"}
                        """
                                .formatted(headers, command));
        return PlanFile.read(file, environment);
    }

    /// Starts a tuning with a plan, then continues it with the plan of its folder.
    private void goOn(Plan begun, Subject then) throws IOException {
        Path own = Files.createDirectories(folder.resolve("out"));
        Path written = own.resolve("plan.yaml");
        if (Files.notExists(written)) {
            Files.writeString(written, PlanText.of(begun));
        }
        Plan again = PlanFile.read(written, environment);
        then.requireSame(
                Subject.of(again, environment, own).subject(),
                own,
                PlanText.written(again).lines().toList(),
                rewritten);
    }

    private Subject begin(Plan plan) {
        return Subject.of(plan, environment, folder.resolve("out")).subject();
    }

    private String command() {
        return "java -cp %1$s/lib/*:%1$s/lib/classes -Xlog:gc:file=%1$s/gc.log -jar %1$s/app.jar"
                        .formatted(folder)
                + " @"
                + folder
                + "/start.sh";
    }

    @Test
    void theSameIsGoneOnWith() throws IOException {
        Plan plan = plan("Accept: \"text/plain", command());
        Subject begun = begin(plan);
        Files.writeString(folder.resolve("gc.log"), "what the service wrote");

        assertThatCode(() -> goOn(plan, begun)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"app.jar", "lib/dep.jar", "lib/classes/A.class", "start.sh", "jdk/release"})
    void refusesChangedContent(String file) throws IOException {
        Plan plan = plan("Accept: \"text/plain", command());
        Subject begun = begin(plan);

        Files.writeString(folder.resolve(file), "two");

        String named = file.replaceFirst("/(release|A.class)$", "");
        assertThatThrownBy(() -> goOn(plan, begun))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(named);
    }

    @Test
    void aFileThatIsGoneOrNewIsRefused() throws IOException {
        Plan plan = plan("Accept: \"text/plain", command());
        Subject begun = begin(plan);

        Files.writeString(folder.resolve("lib/classes/B.class"), "new");
        assertThatThrownBy(() -> goOn(plan, begun)).isInstanceOf(UserError.class);
        Files.delete(folder.resolve("lib/classes/B.class"));
        assertThatCode(() -> goOn(plan, begun)).doesNotThrowAnyException();
        Files.delete(folder.resolve("app.jar"));
        assertThatThrownBy(() -> goOn(plan, begun)).isInstanceOf(UserError.class);
    }

    @Test
    void findsRelativeJarInFolderOfCommand() throws IOException {
        Plan plan = plan("Accept: \"text/plain", "cd " + folder + " && java -jar app.jar");
        Subject begun = begin(plan);

        Files.writeString(folder.resolve("app.jar"), "two");

        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining("app.jar");
    }

    @Test
    void refusesOtherJdkOnPath() throws IOException {
        Plan plan = plan("Accept: \"text/plain", command());
        Subject begun = begin(plan);
        Path other = Files.createDirectories(folder.resolve("other/bin"));
        Files.copy(jdk.resolve("bin/java"), other.resolve("java"));
        assertThat(other.resolve("java").toFile().setExecutable(true)).isTrue();

        variables.put("PATH", other.toString());

        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining("JDK");
    }

    @Test
    void refusesOtherVariableOrPlan() throws IOException {
        Plan plan = plan("Accept: \"text/plain", command());
        Subject begun = begin(plan);
        goOn(plan, begun);

        variables.put("SIZE", "200");
        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining("url");
        variables.put("SIZE", "100");

        Path written = folder.resolve("out/plan.yaml");
        String text = Files.readString(written);
        Files.writeString(written, text.replace("app.jar", "app.jar --threads 2"));
        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining("--threads 2");
    }

    /// A masked secret would be sent to the service as `***`.
    @Test
    void aMaskedSecretIsRefused() throws IOException {
        Plan plan = plan("Authorization: \"Bearer s3cret", command() + " --password hunter2");
        Subject begun = begin(plan);

        assertThatThrownBy(() -> goOn(plan, begun))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("***");

        Path written = folder.resolve("out/plan.yaml");
        String masked = Files.readString(written);
        Files.writeString(
                written,
                masked.replaceFirst("Authorization: \".*\"", "Authorization: \"Bearer ${TOKEN}\""));
        assertThatThrownBy(() -> goOn(plan, begun)).as("one of two").hasMessageContaining("***");
    }

    @Test
    void resumesWithChangedSecretOfVariable() throws IOException {
        Plan plan = plan("Authorization: \"Bearer ${TOKEN}", command() + " --password ${TOKEN}");
        Subject begun = begin(plan);

        variables.put("TOKEN", "another");

        assertThatCode(() -> goOn(plan, begun)).doesNotThrowAnyException();
        assertThat(begun.toString()).doesNotContain("s3cret");
    }

    /// Files that do not count as a change: journal, results, logs and class archives of this
    /// tuning, and unreadable files.
    @Test
    void writesIntoClassFolderAreNoChange() throws IOException {
        Plan plan = plan("Accept: \"text/plain", "cd %1$s && java -cp . Main".formatted(folder));
        Subject begun = begin(plan);
        Path own = Files.createDirectories(folder.resolve("out"));
        Files.writeString(own.resolve("journal.jsonl"), "{}\n");
        Files.writeString(own.resolve("tune.json"), "{}\n");
        Path results = Files.createDirectories(folder.resolve("jdyno-out/run"));
        Files.writeString(results.resolve("result.json"), "{}\n");
        Files.writeString(folder.resolve("gc.log"), "what the service wrote");
        Files.writeString(folder.resolve("app.jsa"), "what its JVM wrote");

        assertThatCode(() -> goOn(plan, begun)).doesNotThrowAnyException();

        Files.writeString(folder.resolve("Main.class"), "two");
        assertThatThrownBy(() -> goOn(plan, begun)).isInstanceOf(UserError.class);
    }

    @Test
    void anArchiveThatTheJvmWritesIsNoChange() throws IOException {
        Files.writeString(folder.resolve("app.jsa"), "one");
        Plan plan =
                plan(
                        "Accept: \"text/plain",
                        "java -XX:SharedArchiveFile=%1$s/app.jsa -XX:ArchiveClassesAtExit=%1$s/new.jsa -jar %1$s/app.jar"
                                .formatted(folder));
        Subject begun = begin(plan);

        Files.writeString(folder.resolve("app.jsa"), "two");
        Files.writeString(folder.resolve("new.jsa"), "new");

        assertThatCode(() -> goOn(plan, begun)).doesNotThrowAnyException();
    }

    /// A file that changed during the measurement was written by the service. A file that changed
    /// later was not.
    @Test
    void aFileThatTheServiceWritesIsNoChange() throws IOException {
        Plan plan =
                plan(
                        "Accept: \"text/plain",
                        "java -cp %1$s/lib/classes -jar %1$s/app.jar --state=%1$s/state.json --new=%1$s/new.json --conf=%1$s/app.yaml"
                                .formatted(folder));
        Files.writeString(folder.resolve("state.json"), "one");
        Files.writeString(folder.resolve("app.yaml"), "one");
        Files.writeString(folder.resolve("lib/classes/own.properties"), "one");
        Subject begun = begin(plan);
        Files.writeString(folder.resolve("state.json"), "two");
        Files.writeString(folder.resolve("new.json"), "new");
        Files.writeString(folder.resolve("lib/classes/own.properties"), "two");
        rewritten = Set.copyOf(begun.rewritten(folder.resolve("out")));
        Files.writeString(folder.resolve("state.json"), "three");

        assertThatCode(() -> goOn(plan, begun)).doesNotThrowAnyException();

        Files.writeString(folder.resolve("app.yaml"), "two");
        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining("app.yaml");
        Files.writeString(folder.resolve("app.yaml"), "one");
        Files.writeString(folder.resolve("app.jar"), "two");
        assertThat(begun.rewritten(folder.resolve("out")))
                .as("no program")
                .doesNotContain("app.jar");
        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining("app.jar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"})
    void subjectIncludesVariablesThatEveryJvmReads(String name) throws IOException {
        Plan plan = plan("Accept: \"text/plain", command());
        Subject without = begin(plan);
        variables.put(name, "-Xmx1g");
        Subject begun = begin(plan);
        assertThatCode(() -> goOn(plan, begun)).doesNotThrowAnyException();
        assertThatThrownBy(() -> goOn(plan, without)).hasMessageContaining(name);

        variables.put(name, "-Xmx2g");
        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining(name);
        variables.remove(name);
        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$JAVA_HOME/bin/java -jar $APP/app.jar",
                "\"$JAVA_HOME\"/bin/java -jar '%1$s/with blank/app.jar'",
                "exec ${JAVA_HOME}/bin/java -jar ${APP}/app.jar",
                "java -jar \"%1$s/with blank/app.jar\"",
                "java -jar %1$s/with\\ blank/app.jar",
                "A='%1$s/with blank' && java -jar \"$A/app.jar\"",
                "java -jar ${NOTHING:-%1$s/lib}/app.jar",
                "bash -c 'cd \"%1$s/with blank\" && exec java -jar app.jar'",
                "java -javaagent:%1$s/lib/app.jar=a=b -m a/b",
                "java -jar %1$s/lib/app*.jar",
                "JAVA_HOME=$APP java --class-path=%1$s/lib/classes:%1$s/lib/app.jar Main"
            })
    void aProgramIsFoundWhereverTheShellFindsIt(String command) throws IOException {
        variables.put("JAVA_HOME", jdk.toString());
        variables.put("APP", folder.resolve("lib").toString());
        Path blank = Files.createDirectories(folder.resolve("with blank"));
        Files.writeString(blank.resolve("app.jar"), "one");
        Files.writeString(folder.resolve("lib/app.jar"), "one");
        // variables of the shell, not of the plan
        String quoted = command.formatted(folder).replace("\\", "\\\\").replace("\"", "\\\"");
        Plan plan = plan("Accept: \"text/plain", quoted.replace("${", "$${"));
        Subject.Seen seen = Subject.of(plan, environment, folder.resolve("out"));
        assertThat(seen.notes()).isEmpty();

        Files.writeString(blank.resolve("app.jar"), "two");
        Files.writeString(folder.resolve("lib/app.jar"), "two");

        assertThatThrownBy(() -> goOn(plan, seen.subject())).hasMessageContaining("app.jar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java -jar $NOWHERE/app.jar", "java -jar $(find-it)", "java Main"})
    void reportsCommandWithoutProgram(String command) throws IOException {
        Plan plan = plan("Accept: \"text/plain", command);

        assertThat(Subject.of(plan, environment, folder.resolve("out")).notes()).hasSize(1);
    }

    @Test
    void refusesChangedVariableUnlessSecret() throws IOException {
        variables.put("OPTS", "-Xmx1g");
        variables.put("DB_PASSWORD", "one");
        Plan plan =
                plan(
                        "Accept: \"text/plain",
                        "java $OPTS -Dpw=$DB_PASSWORD -jar %1$s/app.jar".formatted(folder));
        Subject begun = begin(plan);

        variables.put("DB_PASSWORD", "two");
        assertThatCode(() -> goOn(plan, begun)).doesNotThrowAnyException();
        variables.put("OPTS", "-Xmx2g");
        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining("OPTS");
    }
}
