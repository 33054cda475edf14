package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.CliOutput;
import dev.jdyno.cli.GoldenFile;
import dev.jdyno.cluster.key.OwnKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The command line of `agents up`, without hosts and clusters.
class AgentsUpTest {
    @TempDir private Path folder;

    private CliOutput up(String words) {
        List<String> all = new ArrayList<>(List.of("agents", "up", "--key-file", key().toString()));
        for (String word : words.split(" ")) {
            if (!word.isEmpty()) {
                all.add(word);
            }
        }
        return CliOutput.jdyno(all.toArray(String[]::new));
    }

    private Path key() {
        return folder.resolve("run.key");
    }

    /// `.ci/manifests.sh` checks this file against the schemas of the API.
    @Test
    void dryRunPrintsManifestsAndCreatesNothing() throws IOException {
        CliOutput said =
                up(
                        "--k8s 2 --namespace load --image registry.example.org/jdyno:0.1.0 --allow"
                                + " shop:8080 --allow [::1]:* --dry-run");

        assertThat(said.code()).as(said.err()).isZero();
        GoldenFile.assertMatches(
                Path.of("src/test/resources/kubernetes/agents-up.yaml"), said.out());
        assertThat(folder).isEmptyDirectory();
    }

    /// Each value stays a single text in the manifest, whatever characters it has.
    @Test
    void valuesAddNoFieldsOrVariables() {
        String odd = "a\"b\\$(POD_IP)#:'é:80";
        OwnKey run = OwnKey.make(key());

        CliOutput said =
                CliOutput.jdyno(
                        "agents",
                        "up",
                        "--k8s",
                        "1",
                        "--key-file",
                        key().toString(),
                        "--allow",
                        odd,
                        "--namespace",
                        "no",
                        "--dry-run");

        assertThat(said.code()).as(said.err()).isZero();
        List<Object> documents = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(said.out())
                .forEach(documents::add);
        assertThat(documents).hasSize(3);
        Object job = documents.get(2);
        assertThat(at(at(job, "metadata"), "namespace")).isEqualTo("no");
        Object pod = at(at(at(job, "spec"), "template"), "spec");
        List<?> arguments = (List<?>) at(((List<?>) at(pod, "containers")).getFirst(), "args");
        assertThat(arguments)
                .isEqualTo(
                        List.of(
                                "agent",
                                "--listen=$(POD_IP):4711",
                                "--run-key=" + run.open().text(),
                                "--own-key=/etc/jdyno/agent.key",
                                "--allow=" + odd.replace("$", "$$")));
    }

    @ParameterizedTest
    @CsvSource({"'', 43200", "--for 90m, 5400", "--for 1m, 60", "--for 720h, 2592000"})
    void clusterEndsAgentsAfterTheirTime(String words, int seconds) {
        CliOutput said = up("--k8s 1 --allow shop:8080 --dry-run " + words);

        assertThat(said.code()).as(said.err()).isZero();
        List<Object> documents = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(said.out())
                .forEach(documents::add);
        Object job = at(documents.get(2), "spec");
        assertThat(at(job, "activeDeadlineSeconds")).isEqualTo(seconds);
        assertThat(at(job, "ttlSecondsAfterFinished")).isEqualTo(3600);
    }

    private static Object at(Object map, String key) {
        return Objects.requireNonNull(((Map<?, ?>) map).get(key), key);
    }

    /// Each command line is refused before a cluster or host is queried or changed.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--allow shop:8080 -> --ssh",
                "--k8s 1 --ssh hosts.txt --allow shop:8080 -> --k8s",
                "--k8s 0 --allow shop:8080 -> from 1 to",
                "--k8s -1 --allow shop:8080 -> from 1 to",
                "--k8s 1001 --allow shop:8080 -> from 1 to",
                "--k8s 1 -> --allow",
                "--k8s 1 --allow shop -> --allow",
                "--k8s 1 --allow shop:8080 --namespace Load -> --namespace",
                "--k8s 1 --allow shop:8080 --namespace=--all-namespaces -> --namespace",
                "--k8s 1 --allow shop:8080 --image=-x -> --image",
                "--k8s 1 --allow shop:8080 --image=a:b@sha256:00 -> --image",
                "--k8s 1 --allow shop:8080 --observe-only port=80 -> --observe-only",
                "--k8s 1 --allow shop:8080 --package x.tar.gz -> --package",
                "--k8s 1 --allow shop:8080 --ssh-config x -> --ssh-config",
                "--ssh hosts.txt --package x.tar.gz --namespace load -> --namespace",
                "--ssh hosts.txt --package x.tar.gz --image x -> --image",
                "--ssh hosts.txt --package x.tar.gz --dry-run -> --dry-run",
                "--ssh hosts.txt -> --package",
                "--k8s 1 --allow shop:8080 --for 59s -> --for",
                "--k8s 1 --allow shop:8080 --for 721h -> --for",
                "--k8s 1 --allow shop:8080 --for=-1h -> --for",
                "--ssh hosts.txt --package x.tar.gz --for 12 -> --for",
            })
    void namesMistake(String line) {
        String[] words = line.split(" -> ");

        CliOutput said = up(words[0]);

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains(words[1]);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesInvalidNumber() throws IOException {
        assertThat(up("--k8s many --allow shop:8080").code()).isEqualTo(2);
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }
}
