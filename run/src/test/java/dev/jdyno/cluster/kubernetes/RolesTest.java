package dev.jdyno.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;

/// The Roles of `deploy/roles.yaml` suffice, and have no right that is not needed.
class RolesTest {
    private static final Path FILE = Path.of("..", "deploy", "roles.yaml");

    /// The rights that only add reasons to errors.
    private static final Set<String> FOR_REASONS =
            Set.of("list events", "get pods", "get pods/log");

    @TempDir private Path folder;
    private FakeCluster cluster;
    private FakeApi api;
    private Client.Source kubectl;

    @BeforeEach
    void theClusterGrantsRoles() throws IOException {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(":"))
                        .anyMatch(f -> Files.isExecutable(Path.of(f, "kubectl"))),
                "skipped: there is no kubectl (Debian: apt-get install kubernetes-client)");
        cluster = new FakeCluster(folder);
        api = new FakeApi(cluster);
        kubectl = Client.of(api.kubectl(folder).toString());
    }

    @AfterEach
    void end() {
        if (api != null) {
            api.close();
            cluster.close();
        }
    }

    /// The rights of a role, such as `get pods/log`.
    private static Set<String> rights(String role) throws IOException {
        Set<String> rights = new HashSet<>();
        for (Object document :
                new Load(LoadSettings.builder().build())
                        .loadAllFromString(Files.readString(FILE))) {
            JsonNode object = FakeCluster.JSON.valueToTree(document);
            if (object.path("metadata").path("name").asString("").equals(role)) {
                object.path("rules").forEach(rule -> addAll(rights, rule));
            }
        }
        assertThat(rights).as(role).isNotEmpty();
        return rights;
    }

    private static void addAll(Set<String> rights, JsonNode rule) {
        for (JsonNode kind : rule.path("resources")) {
            String name = kind.stringValue();
            assertThat(rule.path("apiGroups").path(0).stringValue())
                    .as(name)
                    .isEqualTo(name.equals("jobs") ? "batch" : "");
            rule.path("verbs").forEach(verb -> rights.add(verb.stringValue() + " " + name));
        }
    }

    private KubernetesAgents agents() {
        return new KubernetesAgents(
                kubectl, _ -> {}, () -> false, NanoClock.SYSTEM, Duration.ofMillis(1), folder);
    }

    private Path key() {
        return folder.resolve("run.key");
    }

    private static WantedPods wanted() {
        return new WantedPods(
                1,
                Optional.empty(),
                "registry.example.org/jdyno:1",
                List.of("shop:8080"),
                Duration.ofHours(2));
    }

    @Test
    void agentsComeAndGoWithTheirRole() throws IOException {
        cluster.allowOnly(rights("jdyno-agents"));

        assertThat(agents().up(wanted(), key()).answers()).hasSize(1);
        assertThat(agents().down(key())).isEqualTo(1);

        cluster.nodes(FakeCluster.Nodes.CRASH);
        UserError failed =
                catchThrowableOfType(UserError.class, () -> agents().up(wanted(), key()));
        assertThat(failed.why()).as("the log can be read").contains("no image [2J of this version");
        assertThat(cluster.all()).isEmpty();
    }

    @Test
    void agentsNeedEachRightButThoseForReasons() throws IOException {
        Set<String> needed = new HashSet<>(rights("jdyno-agents"));
        needed.removeAll(FOR_REASONS);
        cluster.allowOnly(needed);
        assertThat(agents().up(wanted(), key()).answers()).hasSize(1);
        assertThat(agents().down(key())).isEqualTo(1);

        for (String right : needed) {
            cluster.forbid(right);
            UserError failed =
                    catchThrowableOfType(UserError.class, () -> agents().up(wanted(), key()));
            assertThat(failed.kind()).as(right).isEqualTo(UserError.Kind.USAGE);
            assertThat(cluster.all()).as(right).isEmpty();
        }
    }

    private PodObserver place() {
        return new PodObservers(
                        kubectl,
                        (_, _, _) -> new Forwarded(cluster),
                        _ -> {},
                        () -> false,
                        NanoClock.SYSTEM,
                        Duration.ofMillis(1),
                        folder)
                .place(ObservedPodTest.wanted(Optional.empty()));
    }

    private record Forwarded(FakeCluster cluster) implements PortForward {
        @Override
        public int local(int remote) {
            return remote == ObserverContainer.PORT ? cluster.observerPort() : 40_001;
        }

        @Override
        public Optional<String> ended() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    @Test
    void anObserverNeedsEachRightOfItsRole() throws IOException {
        Set<String> needed = rights("jdyno-observer");
        cluster.allowOnly(needed);
        cluster.pod(ObservedPodTest.SHOP);
        try (PodObserver placed = place()) {
            assertThat(placed.container()).isEqualTo("app");
            cluster.end("shop-1");
        }

        for (String right : needed) {
            cluster.forbid(right);
            UserError failed = catchThrowableOfType(UserError.class, this::place);
            assertThat(failed.kind()).as(right).isEqualTo(UserError.Kind.USAGE);
        }
        assertThat(cluster.ephemeral("shop-1").size()).isEqualTo(1);
    }
}
