package dev.jdyno.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.cluster.Credentials;
import dev.jdyno.cluster.Survey;
import dev.jdyno.cluster.key.KnownAgents;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.up.UpFile;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Agents in a fake cluster: through a fake `kubectl`, and through the real one and a fake API
/// server. No test uses a real cluster.
class KubernetesAgentsTest {
    private static final int PODS = 3;
    private static final List<String> OF_ANOTHER_RUN =
            List.of("jobs/jdyno-other", "secrets/jdyno-other", "secrets/password");

    enum Through {
        FAKE_KUBECTL,
        KUBECTL_AND_FAKE_API
    }

    @TempDir private Path folder;
    private final List<String> progress = Collections.synchronizedList(new ArrayList<>());
    private FakeCluster cluster;
    private Optional<FakeApi> api = Optional.empty();

    @BeforeEach
    void othersUseTheCluster() {
        cluster = new FakeCluster(folder);
        cluster.plant("jobs", "jdyno-other", "0123456789abcdef");
        cluster.plant("secrets", "jdyno-other", "0123456789abcdef");
        cluster.plant("secrets", "password", "");
    }

    @AfterEach
    void end() {
        api.ifPresent(FakeApi::close);
        cluster.close();
    }

    private Client.Source clients(Through through) throws IOException {
        if (through == Through.FAKE_KUBECTL) {
            return _ -> new FakeKubectl(cluster);
        }
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(":"))
                        .anyMatch(f -> Files.isExecutable(Path.of(f, "kubectl"))),
                "skipped: there is no kubectl (Debian: apt-get install kubernetes-client)");
        api = Optional.of(new FakeApi(cluster));
        return Client.of(api.get().kubectl(folder).toString());
    }

    private KubernetesAgents agents(Client.Source clients, BooleanSupplier stop, NanoClock clock) {
        return new KubernetesAgents(
                clients, progress::add, stop, clock, Duration.ofMillis(1), folder);
    }

    private KubernetesAgents agents(Client.Source clients) {
        return agents(clients, () -> false, NanoClock.SYSTEM);
    }

    /// A clock that advances by a minute at each query.
    private static NanoClock minutes() {
        var minutes = new AtomicLong();
        return () -> Duration.ofMinutes(minutes.getAndIncrement()).toNanos();
    }

    private static WantedPods wanted(Optional<String> namespace) {
        return new WantedPods(
                PODS,
                namespace,
                "registry.example.org/jdyno:1",
                List.of("shop:8080", "[::1]:*"),
                Duration.ofHours(2));
    }

    private static WantedPods wanted() {
        return wanted(Optional.empty());
    }

    private Path key() {
        return folder.resolve("run.key");
    }

    private Path state() {
        return folder.resolve("run.key.up");
    }

    private KnownAgents known() {
        return KnownAgents.read(Credentials.agentKeysOf(key()));
    }

    private void nothingIsLeft() {
        assertThat(cluster.all()).containsExactlyElementsOf(OF_ANOTHER_RUN);
        assertThat(state()).doesNotExist();
        assertThat(known().keys()).isEmpty();
    }

    private UserError fails(KubernetesAgents agents, WantedPods wanted) {
        return catchThrowableOfType(UserError.class, () -> agents.up(wanted, key()));
    }

    @ParameterizedTest
    @EnumSource
    void startsProvesAndRemovesPods(Through through) throws IOException {
        KubernetesAgents agents = agents(clients(through));

        Survey up = agents.up(wanted(), key());

        assertThat(up.answers()).hasSize(PODS);
        assertThat(cluster.all()).hasSize(OF_ANOTHER_RUN.size() + 3 + PODS);
        assertThat(known().keys()).hasSize(2 * PODS);
        assertThat(known().keys().values().stream().distinct()).hasSize(PODS);
        assertThat(KubernetesAgents.areOf(key())).isTrue();

        UserError again = fails(agents, wanted());
        assertThat(again.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(cluster.all())
                .as("the first ones stay")
                .hasSize(OF_ANOTHER_RUN.size() + 3 + PODS);

        assertThat(agents.down(key())).isEqualTo(PODS);
        nothingIsLeft();
        assertThatThrownBy(() -> agents.down(key())).isInstanceOf(UserError.class);
        assertThat(KubernetesAgents.areOf(key())).isFalse();
    }

    /// A killed `up` leaves its file, and objects for which no process waits.
    @ParameterizedTest
    @EnumSource
    void removesPodsAfterKill(Through through) throws IOException {
        Client.Source clients = clients(through);
        Kubectl kubectl = Kubectl.here(clients.stoppedBy(() -> false), Optional.empty(), folder);
        Placed placed = Placed.of(kubectl, 1);
        UpFile.beside(key()).begin(placed.text());
        cluster.nodes(FakeCluster.Nodes.FULL);
        OwnKey agent = OwnKey.generate();
        kubectl.must(
                "create",
                Manifests.text(
                        wanted(), placed, OwnKey.make(key()).open(), List.of(agent, agent, agent)),
                List.of("create", "--filename=-", "--validate=false"));
        KnownAgents _ = known().with(placed.host(0) + ":4711", agent.open());
        assertThat(cluster.all()).hasSize(OF_ANOTHER_RUN.size() + 3 + PODS);

        assertThat(agents(clients).down(key())).isEqualTo(1);

        nothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource
    void removesPodsOnSignal(Through through) throws IOException {
        cluster.nodes(FakeCluster.Nodes.FULL);
        BooleanSupplier pending =
                () -> progress.stream().anyMatch(p -> p.contains("Insufficient cpu"));

        Client.Source clients = clients(through);

        UserError ended = fails(agents(clients, pending, NanoClock.SYSTEM), wanted());

        assertThat(ended.kind()).isEqualTo(UserError.Kind.TARGET);
        assertThat(cluster.all()).containsExactlyElementsOf(OF_ANOTHER_RUN);
        assertThat(state()).as("the pods may still end").exists();
        assertThat(agents(clients).down(key())).isEqualTo(PODS);
        nothingIsLeft();
    }

    /// Each failure of the pods, with the part of the reason that a user needs.
    @ParameterizedTest
    @EnumSource
    void reportsReasonOfPodAndRemovesAll(Through through) throws IOException {
        Client.Source clients = clients(through);
        for (FakeCluster.Nodes nodes : FakeCluster.Nodes.values()) {
            if (nodes == FakeCluster.Nodes.READY) {
                continue;
            }
            cluster.nodes(nodes);
            List<String> reason =
                    switch (nodes) {
                        case READY -> List.of();
                        case FULL -> List.of("Unschedulable", "3 Insufficient cpu");
                        case WITHOUT_IMAGE -> List.of("pull access denied");
                        case CRASH -> List.of("exit code 2", "no image [2J of this version");
                        case QUOTA -> List.of("FailedCreate", "exceeded quota");
                        case STRANGER -> List.of("127.");
                    };

            UserError failed = fails(agents(clients, () -> false, minutes()), wanted());

            assertThat(failed.why()).as("%s", nodes).contains(reason);
            assertThat(failed.fix()).as("%s", nodes).isNotBlank();
            nothingIsLeft();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNamespaceThatDoesNotExistIsNamedWithItsFix(Through through) throws IOException {
        UserError failed = fails(agents(clients(through)), wanted(Optional.of("none")));

        assertThat(failed.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(failed.why()).contains("namespaces \"none\" not found");
        assertThat(failed.fix()).contains("kubectl create namespace none");
        nothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource
    void namesMissingRightsBeforeCreatingPods(Through through) throws IOException {
        cluster.forbid("delete secrets", "list pods");

        UserError failed = fails(agents(clients(through)), wanted());

        assertThat(failed.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(failed.why()).contains("delete secrets", "list pods");
        nothingIsLeft();
        assertThat(key()).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void keepsUndeletedPodsForRetry(Through through) throws IOException {
        KubernetesAgents agents = agents(clients(through));
        Survey _ = agents.up(wanted(), key());
        cluster.forbid("delete services");

        UserError failed = catchThrowableOfType(UserError.class, () -> agents.down(key()));

        assertThat(failed.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(state()).exists();
        cluster.forbid();
        assertThat(agents.down(key())).isEqualTo(PODS);
        nothingIsLeft();
    }

    /// Uses the cluster of `up`, not the one that the user has selected since.
    @ParameterizedTest
    @EnumSource
    void aContextThatIsGoneIsNamed(Through through) throws IOException {
        UpFile.beside(key())
                .begin(
                        new Placed(
                                        "gone",
                                        "https://gone.example.org",
                                        FakeCluster.NAMESPACE,
                                        "0123456789abcdef",
                                        2)
                                .text());

        UserError failed =
                catchThrowableOfType(UserError.class, () -> agents(clients(through)).down(key()));

        assertThat(failed.why()).contains("gone");
        assertThat(failed.fix()).contains("KUBECONFIG");
        assertThat(cluster.all()).containsExactlyElementsOf(OF_ANOTHER_RUN);
        assertThat(state()).exists();
    }

    /// The server of a context can change, and the cluster of a pod has no name.
    @ParameterizedTest
    @EnumSource
    void nothingIsDeletedInAnotherCluster(Through through) throws IOException {
        KubernetesAgents agents = agents(clients(through));
        Survey _ = agents.up(wanted(), key());
        UpFile file = UpFile.beside(key());
        Placed up = Placed.read(file);
        List<String> all = cluster.all();
        for (Placed other :
                List.of(
                        new Placed(
                                up.context(),
                                "https://other.example.org",
                                up.namespace(),
                                up.id(),
                                up.count()),
                        new Placed("", "", up.namespace(), up.id(), up.count()))) {
            file.keep(other.text());

            UserError failed = catchThrowableOfType(UserError.class, () -> agents.down(key()));

            assertThat(failed.kind()).isEqualTo(UserError.Kind.USAGE);
            assertThat(cluster.all()).isEqualTo(all);
            assertThat(state()).exists();
        }
        file.keep(up.text());
        assertThat(agents.down(key())).isEqualTo(PODS);
        nothingIsLeft();
    }

    @Test
    void startsNothingWithoutKubectlOrContext() throws IOException {
        UserError none = fails(agents(Client.of(folder.resolve("kubectl").toString())), wanted());
        assertThat(none.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(none.fix()).contains("kubernetes-client");

        Client empty =
                (_, _) ->
                        FakeKubectl.answer(
                                1, "", "error: current-context must exist in order to minify\n");
        UserError chosen = fails(agents(_ -> empty), wanted());
        assertThat(chosen.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(chosen.fix()).contains("kubectl config use-context");
        assertThat(key()).doesNotExist();
        assertThat(state()).doesNotExist();
    }

    /// With any option that changes its configuration, such as `--request-timeout`, `kubectl` takes
    /// localhost:8080 for the server instead of the pod's account.
    @Test
    void inPodKubectlGetsNoOptionThatHidesTheAccount() throws IOException {
        Files.writeString(folder.resolve("token"), "secret");
        Files.writeString(folder.resolve("namespace"), FakeCluster.NAMESPACE);
        var fake = new FakeKubectl(cluster);
        List<String> options = Collections.synchronizedList(new ArrayList<>());
        Client inPod =
                (words, input) -> {
                    if (words.contains("config")) {
                        return FakeKubectl.answer(1, "", "error: no context\n");
                    }
                    words.stream().takeWhile(w -> w.startsWith("--")).forEach(options::add);
                    return fake.run(words, input);
                };

        assertThat(agents(_ -> inPod).up(wanted(), key()).answers()).hasSize(PODS);
        assertThat(agents(_ -> inPod).down(key())).isEqualTo(PODS);

        assertThat(options).containsOnly("--namespace=" + FakeCluster.NAMESPACE);
        nothingIsLeft();
    }

    /// In a pod, `kubectl` has no configuration and uses the pod's account.
    @Test
    void namespaceInPodIsThatOfServiceAccount() throws IOException {
        Files.writeString(folder.resolve("token"), "secret");
        Files.writeString(folder.resolve("namespace"), "load\n");
        Client empty = (_, _) -> FakeKubectl.answer(1, "", "error: no context\n");

        Kubectl kubectl = Kubectl.here(empty, Optional.empty(), folder);

        assertThat(List.of(kubectl.context(), kubectl.namespace())).containsExactly("", "load");
        assertThat(Kubectl.here(empty, Optional.of("x"), folder).namespace()).isEqualTo("x");
    }
}
