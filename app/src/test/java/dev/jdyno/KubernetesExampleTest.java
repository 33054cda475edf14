package dev.jdyno;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// Which secrets the observer of `deploy/kustomize` can read. `.ci/manifests.sh` checks the built
/// objects, too.
class KubernetesExampleTest {
    private static final Path FILE =
            Path.of("..", "deploy", "kustomize", "components", "observer", "observer.yaml");
    private static final String SHARED = "shareProcessNamespace";

    /// All maps of a YAML document, also nested ones.
    private static List<Map<?, ?>> maps(Object node) {
        List<Map<?, ?>> all = new ArrayList<>();
        if (node instanceof Map<?, ?> map) {
            all.add(map);
            map.values().forEach(v -> all.addAll(maps(v)));
        } else if (node instanceof List<?> list) {
            list.forEach(v -> all.addAll(maps(v)));
        }
        return all;
    }

    /// A process of the service can open files of the other containers through `/proc/PID/root`.
    @Test
    void podWithSharedProcessNamespaceHasNoSecret() throws IOException {
        List<Map<?, ?>> pods = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(Files.readString(FILE))
                .forEach(d ->
                        maps(d).stream()
                                .filter(m -> Boolean.TRUE.equals(m.get(SHARED)))
                                .forEach(pods::add));

        assertThat(pods).isNotEmpty();
        for (Map<?, ?> pod : pods) {
            assertThat(pod.toString()).contains("--run-key").doesNotContain("token", "secret");
        }
    }

    @Test
    void ephemeralContainerCommandHasNoSecret() throws IOException {
        String text = Files.readString(FILE);
        String command = text.substring(text.indexOf("kubectl debug"));

        assertThat(command).contains("--run-key").doesNotContain("token");
    }
}
