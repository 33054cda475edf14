package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InheritedTest {
    private static final Map<String, String> USERS =
            Map.of(
                    "PATH",
                    "/usr/bin",
                    "JDYNO_TARGET_JAVA_TOOL_OPTIONS",
                    "-javaagent:/opt/apm.jar",
                    "JDYNO_TARGET_CLASSPATH",
                    "",
                    "JDYNO_STORE",
                    "postgresql://jdyno:s3cret@db/history",
                    "PGPASSWORD",
                    "s3cret",
                    "JDYNO_OPTS",
                    "-Xmx2g");

    private final Map<String, String> environment = new HashMap<>(USERS);

    @Test
    void aServiceGetsTheUsersVariablesAndNoneOfOurs() {
        Inherited.byService(environment, List.of("sh", "-c", "java -jar app.jar"));

        assertThat(environment)
                .containsOnly(
                        Map.entry("PATH", "/usr/bin"),
                        Map.entry("JAVA_TOOL_OPTIONS", "-javaagent:/opt/apm.jar"),
                        Map.entry("CLASSPATH", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PGPASSWORD=$PGPASSWORD java -jar app.jar",
                "java -jar app.jar --password=${PGPASSWORD}",
                "java -jar app.jar --password=\"$PGPASSWORD\""
            })
    void aServiceGetsTheSecretThatItsCommandNames(String command) {
        Inherited.byService(environment, List.of("sh", "-c", command));

        assertThat(environment)
                .containsEntry("PGPASSWORD", "s3cret")
                .doesNotContainKey("JDYNO_STORE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java -jar app.jar --password=$MY_PGPASSWORD",
                "java -jar app.jar --file=$PGPASSWORD_FILE"
            })
    void ignoresLongerNameThatContainsName(String command) {
        Inherited.byService(environment, List.of("sh", "-c", command));

        assertThat(environment).doesNotContainKey("PGPASSWORD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "de_DE.ISO-8859-1"})
    void aServiceHasTheUsersLocale(String users) {
        environment.put("LC_ALL", "C.UTF-8");
        environment.put("JDYNO_TARGET_LC_ALL", users);

        Inherited.byService(environment, List.of());

        assertThat(environment).containsEntry("LC_ALL", users);
    }

    @Test
    void serviceHasNoLocaleUnlessUserSetsALocale() {
        environment.put("LC_ALL", "C.UTF-8");
        environment.put("JDYNO_TARGET_LC_ALL", "");

        Inherited.byService(environment, List.of());

        assertThat(environment).doesNotContainKey("LC_ALL");
    }

    @Test
    void keepsMarkOfOuterRun() {
        environment.put("JDYNO_LAUNCHED", "outer");

        Inherited.byService(environment, List.of());
        new LaunchMark("inner").put(environment);

        assertThat(environment.get("JDYNO_LAUNCHED")).contains("outer").contains("inner");
    }

    @Test
    void sampleServiceInheritsNoJdynoOrJvmVariables() {
        environment.put("_JAVA_OPTIONS", "-XX:+UseG1GC");

        Inherited.bySample(environment);

        assertThat(environment).containsOnlyKeys("PATH");
    }

    @Test
    void innerJdynoGetsVariablesThatLauncherIgnores() {
        environment.put("_JAVA_OPTIONS", "-XX:+UseG1GC");

        Inherited.byJdyno(environment);

        assertThat(environment)
                .doesNotContainKey("_JAVA_OPTIONS")
                .containsEntry("JDYNO_TARGET__JAVA_OPTIONS", "-XX:+UseG1GC")
                .containsEntry("PGPASSWORD", "s3cret");
        assertThat(Inherited.setAside(environment))
                .containsExactly("CLASSPATH", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");
    }
}
