package dev.jdyno.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;

/// Reads the pod of the JVM, which may have any content, and makes the observer's container from
/// it.
class ObservedPodTest {
    static final String SHOP =
            """
            {"apiVersion": "v1", "kind": "Pod",
             "metadata": {"name": "shop-1", "namespace": "load"},
             "spec": {"securityContext": {"runAsUser": 1000},
                      "containers": [{"name": "app", "image": "shop",
                                      "securityContext": {"runAsGroup": 2000}}]},
             "status": {"phase": "Running",
                        "containerStatuses": [{"name": "app", "state": {"running": {}}}]}}
            """;
    private static final String SIDECAR = "\"containers\": [{\"name\": \"log\"}, ";
    private static final PeerKey RUN = new PeerKey("ed25519:" + "A".repeat(43));

    static WantedObserver wanted(Optional<String> container) {
        return new WantedObserver(
                "shop-1", Optional.empty(), container, "registry.example.org/jdyno:1", 8080);
    }

    private static ObservedPod read(String pod, Optional<String> container) {
        return ObservedPod.of(FakeCluster.JSON.readTree(pod), wanted(container));
    }

    private static ObservedPod read(String pod) {
        return read(pod, Optional.empty());
    }

    @Test
    void theOnlyContainerAndItsUserAreTaken() {
        assertThat(read(SHOP))
                .isEqualTo(
                        new ObservedPod(
                                "shop-1",
                                "app",
                                new ObservedPod.Account.Same(1000, OptionalLong.of(2000))));
    }

    @Test
    void severalContainersNeedAName() {
        String two = SHOP.replace("\"containers\": [", SIDECAR);

        UserError unclear = catchThrowableOfType(UserError.class, () -> read(two));
        UserError none =
                catchThrowableOfType(UserError.class, () -> read(two, Optional.of("other")));

        assertThat(unclear.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(unclear.why()).contains("log, app");
        assertThat(none.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(read(two, Optional.of("app")).container()).isEqualTo("app");
    }

    /// @param change `WHAT -> INSTEAD` in the pod above
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"phase\": \"Running\" -> \"phase\": \"Pending\"",
                "\"phase\": \"Running\" -> \"phase\": {}",
                "\"name\": \"shop-1\" -> \"name\": \"shop-1\", \"deletionTimestamp\": \"2026-11-29T10:00:00Z\"",
                "\"running\": {} -> \"waiting\": {}",
                "\"name\": \"app\", \"image\" -> \"name\": \"--all\", \"image\"",
                "\"name\": \"app\", \"image\" -> \"name\": 7, \"image\"",
                "\"runAsUser\": 1000 -> \"runAsUser\": \"1000\"",
                "\"runAsUser\": 1000 -> \"runAsUser\": -1",
                "\"runAsUser\": 1000 -> \"runAsUser\": 99999999999999999999",
                "\"runAsUser\": 1000 -> \"runAsNonRoot\": true",
            })
    void anotherPodIsRefused(String change) {
        String[] words = change.split(" -> ");
        assertThat(SHOP).contains(words[0]);

        UserError refused =
                catchThrowableOfType(UserError.class, () -> read(SHOP.replace(words[0], words[1])));

        assertThat(refused.fix()).isNotBlank();
    }

    /// If the pod names no user, only the superuser can observe every JVM. Root's processes have
    /// capabilities, so an observer that is root needs them, too.
    @ParameterizedTest
    @CsvSource({"\"other\": 1", "\"runAsUser\": 0", "\"runAsUser\": null"})
    void withoutAUserTheObserverIsRoot(String instead) {
        assertThat(read(SHOP.replace("\"runAsUser\": 1000", instead)).account())
                .isEqualTo(new ObservedPod.Account.Root());
    }

    private static JsonNode container(ObservedPod pod) {
        JsonNode all =
                ObserverContainer.patch("jdyno-1", pod, wanted(Optional.empty()), RUN)
                        .path("spec")
                        .path("ephemeralContainers");
        assertThat(all.size()).isEqualTo(1);
        return all.path(0);
    }

    /// The same tree with numbers of the types that the parser creates, so that trees can be
    /// compared.
    private static JsonNode parsed(JsonNode any) {
        return FakeCluster.JSON.readTree(any.toString());
    }

    /// `.ci/manifests.sh` checks the file against the schemas of the API. As the user of the JVM
    /// the container has no capability.
    @Test
    void theContainerIsThatOfTheFile() throws IOException {
        Object file =
                new Load(LoadSettings.builder().build())
                        .loadFromString(
                                Files.readString(
                                        Path.of("src/test/resources/kubernetes/observer.yaml")));
        JsonNode pod = parsed(FakeCluster.JSON.valueToTree(file));

        assertThat(parsed(container(read(SHOP))))
                .isEqualTo(pod.path("spec").path("ephemeralContainers").path(0));
    }

    @Test
    void observerAsRootMayReadOtherProcesses() {
        JsonNode security =
                container(read(SHOP.replace("\"runAsUser\": 1000", "\"runAsUser\": 0")))
                        .path("securityContext");

        assertThat(security.path("runAsUser").intValue()).isZero();
        assertThat(security.path("capabilities").path("add").path(0).stringValue())
                .isEqualTo("SYS_PTRACE");
    }

    private static ContainerState state(String state) {
        return ContainerState.ofEphemeral(
                FakeCluster.JSON.readTree(
                        "{\"status\": {\"ephemeralContainerStatuses\": [{\"name\": \"other\","
                                + " \"state\": {\"terminated\": {}}}, {\"name\": \"jdyno-1\","
                                + " \"state\": "
                                + state
                                + "}]}}"),
                "jdyno-1");
    }

    @Test
    void theStateOfTheContainerIsRead() {
        assertThat(state("{\"running\": {}}")).isEqualTo(new ContainerState.Runs());
        assertThat(state("{}")).isEqualTo(new ContainerState.Waits("", Pod.Cause.OTHER, false));
        assertThat(state("[]")).isEqualTo(new ContainerState.Waits("", Pod.Cause.OTHER, false));
        assertThat(state("{\"waiting\": {\"reason\": \"ErrImagePull\", \"message\": \"denied\"}}"))
                .isEqualTo(
                        new ContainerState.Waits("ErrImagePull: denied", Pod.Cause.IMAGE, false));
        assertThat(state("{\"waiting\": {\"reason\": \"ImagePullBackOff\"}}"))
                .isEqualTo(new ContainerState.Waits("ImagePullBackOff", Pod.Cause.IMAGE, true));
        assertThat(state("{\"waiting\": {\"reason\": \"CreateContainerError\"}}"))
                .isEqualTo(new ContainerState.Waits("CreateContainerError", Pod.Cause.OTHER, true));
        assertThat(state("{\"terminated\": {\"exitCode\": 2, \"reason\": \"Error\"}}"))
                .isEqualTo(new ContainerState.Ended("it ended with exit code 2", "Error"));
        assertThat(
                        ContainerState.ofEphemeral(
                                FakeCluster.JSON.readTree("{\"status\": 1}"), "jdyno-1"))
                .isEqualTo(new ContainerState.Waits("", Pod.Cause.OTHER, false));
    }
}
