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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A plan as `tune` writes it, and read again as `--resume` does.
class SubjectTest {
    @TempDir private Path folder;

    private final Map<String, String> variables = new HashMap<>();
    private final Environment environment = name -> Optional.ofNullable(variables.get(name));
    private Path jdk = Path.of("");

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

    /// What is begun with a plan, and then gone on with as its folder says.
    private void goOn(Plan begun, Subject then) throws IOException {
        Path own = Files.createDirectories(folder.resolve("out"));
        Path written = own.resolve("plan.yaml");
        if (Files.notExists(written)) {
            Files.writeString(written, PlanText.of(begun));
        }
        Plan again = PlanFile.read(written, environment);
        then.requireSame(
                Subject.of(again, environment), own, PlanText.written(again).lines().toList());
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
        Subject begun = Subject.of(plan, environment);
        Files.writeString(folder.resolve("gc.log"), "what the service wrote");

        assertThatCode(() -> goOn(plan, begun)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"app.jar", "lib/dep.jar", "lib/classes/A.class", "start.sh", "jdk/release"})
    void anotherContentIsRefused(String file) throws IOException {
        Plan plan = plan("Accept: \"text/plain", command());
        Subject begun = Subject.of(plan, environment);

        Files.writeString(folder.resolve(file), "two");

        String named = file.replaceFirst("/(release|A.class)$", "");
        assertThatThrownBy(() -> goOn(plan, begun))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(named);
    }

    @Test
    void aFileThatIsGoneOrNewIsRefused() throws IOException {
        Plan plan = plan("Accept: \"text/plain", command());
        Subject begun = Subject.of(plan, environment);

        Files.writeString(folder.resolve("lib/classes/B.class"), "new");
        assertThatThrownBy(() -> goOn(plan, begun)).isInstanceOf(UserError.class);
        Files.delete(folder.resolve("lib/classes/B.class"));
        assertThatCode(() -> goOn(plan, begun)).doesNotThrowAnyException();
        Files.delete(folder.resolve("app.jar"));
        assertThatThrownBy(() -> goOn(plan, begun)).isInstanceOf(UserError.class);
    }

    @Test
    void aRelativeJarIsFoundInTheFolderThatTheCommandGoesTo() throws IOException {
        Plan plan = plan("Accept: \"text/plain", "cd " + folder + " && java -jar app.jar");
        Subject begun = Subject.of(plan, environment);

        Files.writeString(folder.resolve("app.jar"), "two");

        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining("app.jar");
    }

    @Test
    void anotherJdkOnThePathIsRefused() throws IOException {
        Plan plan = plan("Accept: \"text/plain", command());
        Subject begun = Subject.of(plan, environment);
        Path other = Files.createDirectories(folder.resolve("other/bin"));
        Files.copy(jdk.resolve("bin/java"), other.resolve("java"));
        assertThat(other.resolve("java").toFile().setExecutable(true)).isTrue();

        variables.put("PATH", other.toString());

        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining("JDK");
    }

    @Test
    void anotherVariableOrAnotherPlanIsRefused() throws IOException {
        Plan plan = plan("Accept: \"text/plain", command());
        Subject begun = Subject.of(plan, environment);
        goOn(plan, begun);

        variables.put("SIZE", "200");
        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining("url");
        variables.put("SIZE", "100");

        Path written = folder.resolve("out/plan.yaml");
        String text = Files.readString(written);
        Files.writeString(written, text.replace("app.jar", "app.jar --threads 2"));
        assertThatThrownBy(() -> goOn(plan, begun)).hasMessageContaining("--threads 2");
    }

    /// It would be sent as `***`.
    @Test
    void aMaskedSecretIsRefused() throws IOException {
        Plan plan = plan("Authorization: \"Bearer s3cret", command() + " --password hunter2");
        Subject begun = Subject.of(plan, environment);

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
    void aSecretInAVariableIsSentAgainThoughItHasChanged() throws IOException {
        Plan plan = plan("Authorization: \"Bearer ${TOKEN}", command() + " --password ${TOKEN}");
        Subject begun = Subject.of(plan, environment);

        variables.put("TOKEN", "another");

        assertThatCode(() -> goOn(plan, begun)).doesNotThrowAnyException();
        assertThat(begun.toString()).doesNotContain("s3cret");
    }
}
