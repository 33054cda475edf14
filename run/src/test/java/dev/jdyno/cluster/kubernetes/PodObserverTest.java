package dev.jdyno.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.cluster.Survey;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// An observer in a pod of a fake cluster, by the real `kubectl` and a fake API server. The
/// port-forward is a fake, too. No test uses a real cluster.
class PodObserverTest {
    private static final int SERVICE = 40_001;

    @TempDir private Path folder;
    private final List<String> progress = Collections.synchronizedList(new ArrayList<>());
    private final List<String> forwards = Collections.synchronizedList(new ArrayList<>());
    private FakeCluster cluster;
    private FakeApi api;
    private Path kubectl;

    @BeforeEach
    void aPodRuns() throws IOException {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(":"))
                        .anyMatch(f -> Files.isExecutable(Path.of(f, "kubectl"))),
                "skipped: there is no kubectl (Debian: apt-get install kubernetes-client)");
        cluster = new FakeCluster(folder);
        cluster.pod(ObservedPodTest.SHOP);
        api = new FakeApi(cluster);
        kubectl = api.kubectl(folder);
    }

    @AfterEach
    void end() {
        if (api != null) {
            api.close();
            cluster.close();
        }
    }

    private final class FakeForward implements PortForward {
        private final String name;
        private final Map<Integer, Integer> ports;

        FakeForward(List<String> place, String pod) {
            name = String.join(" ", place) + " " + pod;
            ports = Map.of(8080, SERVICE, ObserverContainer.PORT, cluster.observerPort());
            forwards.add(name);
        }

        @Override
        public int local(int remote) {
            return Objects.requireNonNull(ports.get(remote));
        }

        @Override
        public Optional<String> ended() {
            return Optional.empty();
        }

        @Override
        public void close() {
            forwards.remove(name);
        }
    }

    private PodObservers observers(Path program, BooleanSupplier stop, NanoClock clock) {
        return new PodObservers(
                Client.of(program.toString()),
                (place, pod, _) -> new FakeForward(place, pod),
                progress::add,
                stop,
                clock,
                Duration.ofMillis(1),
                folder);
    }

    private PodObservers observers() {
        return observers(kubectl, () -> false, NanoClock.SYSTEM);
    }

    private static WantedObserver wanted() {
        return ObservedPodTest.wanted(Optional.empty());
    }

    private UserError fails(PodObservers observers, WantedObserver wanted) {
        UserError failed =
                catchThrowableOfType(UserError.class, () -> observers.place(wanted).close());
        assertThat(forwards).isEmpty();
        assertThat(failed.fix()).isNotBlank();
        return failed;
    }

    private UserError fails() {
        return fails(observers(), wanted());
    }

    @Test
    void anObserverIsPlacedTrustedAndEnds() {
        try (PodObserver placed = observers().place(wanted())) {
            assertThat(forwards).containsExactly("--context=test --namespace=load shop-1");
            assertThat(placed.container()).isEqualTo("app");
            assertThat(placed.servicePort()).isEqualTo(SERVICE);
            assertThat(placed.agent().port()).isEqualTo(cluster.observerPort());
            var problems = new Problems();
            Survey asked =
                    Survey.of(
                            List.of(placed.agent()),
                            placed.credentials(),
                            problems,
                            NanoClock.SYSTEM);
            assertThat(problems.isEmpty()).isTrue();
            assertThat(asked.answers()).hasSize(1);
            JsonNode containers = cluster.ephemeral("shop-1");
            assertThat(containers.size()).isEqualTo(1);
            assertThat(containers.path(0).path("image").stringValue())
                    .isEqualTo("registry.example.org/jdyno:1");
            assertThat(containers.path(0).path("securityContext").path("runAsUser").intValue())
                    .isEqualTo(1000);
            cluster.end("shop-1");
        }

        assertThat(forwards).isEmpty();
        assertThat(progress.getLast()).contains("has ended");
    }

    /// The container ends by itself, and the run does not wait for it without limit.
    @Test
    void aContainerThatDoesNotEndIsNamed() {
        var seconds = new AtomicLong();
        NanoClock clock = () -> Duration.ofSeconds(seconds.getAndIncrement()).toNanos();

        observers(kubectl, () -> false, clock).place(wanted()).close();

        assertThat(forwards).isEmpty();
        assertThat(progress.getLast()).contains("ends by itself").doesNotContain("has ended");
    }

    @Test
    void theDryRunChangesNothing() {
        String text = observers().dryRun(wanted());

        assertThat(text)
                .contains(
                        "patch pod shop-1 --subresource=ephemeralcontainers",
                        "\"targetContainerName\" : \"app\"",
                        "port-forward --address=127.0.0.1 pod/shop-1 :8080 :4711");
        assertThat(cluster.ephemeral("shop-1").size()).isZero();
        assertThat(forwards).isEmpty();
    }

    @Test
    void aPodThatDoesNotExistIsNamed() {
        UserError failed =
                fails(
                        observers(),
                        new WantedObserver(
                                "other-1", Optional.empty(), Optional.empty(), "jdyno:1", 8080));

        assertThat(failed.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(failed.what()).contains("other-1", FakeCluster.NAMESPACE);
    }

    @Test
    void missingRightsAreListedBeforeAnythingIsChanged() {
        cluster.forbid("patch pods/ephemeralcontainers", "create pods/portforward");

        UserError failed = fails();

        assertThat(failed.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(failed.why())
                .contains("patch pods/ephemeralcontainers", "create pods/portforward");
        assertThat(cluster.ephemeral("shop-1").size()).isZero();
    }

    @Test
    void aPodThatTakesNoContainerIsNamedWithTheReasonOfTheApi() {
        cluster.nodes(FakeCluster.Nodes.QUOTA);

        UserError failed = fails();

        assertThat(failed.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(failed.what()).contains("takes no ephemeral container");
        assertThat(failed.why()).contains("PodSecurity");
    }

    @Test
    void anImageThatCannotBePulledIsNamedWithTheReasonOfTheKubelet() {
        cluster.nodes(FakeCluster.Nodes.WITHOUT_IMAGE);

        UserError failed = fails();

        assertThat(failed.kind()).isEqualTo(UserError.Kind.TARGET);
        assertThat(failed.why()).contains("pull access denied");
        assertThat(failed.fix()).contains("--image");
    }

    @Test
    void anAgentThatEndsIsNamedWithItsCodeAndItsLog() {
        cluster.nodes(FakeCluster.Nodes.CRASH);

        UserError failed = fails();

        assertThat(failed.kind()).isEqualTo(UserError.Kind.TARGET);
        assertThat(failed.why()).contains("exit code 2", "no image [2J of this version");
    }

    @Test
    void aContainerThatDoesNotStartIsNotAwaitedForEver() {
        cluster.nodes(FakeCluster.Nodes.FULL);
        var minutes = new AtomicLong();
        NanoClock clock = () -> Duration.ofMinutes(minutes.getAndIncrement()).toNanos();

        UserError failed = fails(observers(kubectl, () -> false, clock), wanted());

        assertThat(failed.why()).contains("ContainerCreating");
    }

    /// The agent is ready, but `kubectl logs` fails.
    @Test
    void aLogThatCannotBeReadIsNamed() throws IOException {
        Path program = failing(" logs ", "error: the log is gone");
        var minutes = new AtomicLong();
        NanoClock clock = () -> Duration.ofMinutes(minutes.getAndIncrement()).toNanos();

        UserError failed = fails(observers(program, () -> false, clock), wanted());

        assertThat(failed.why()).contains("the log is gone");
        assertThat(progress).anyMatch(p -> p.contains("the log is gone"));
    }

    @Test
    void aLogThatCannotBeReadIsNamedAfterTheEnd() throws IOException {
        cluster.nodes(FakeCluster.Nodes.CRASH);
        Path program = failing(" logs ", "error: the log is gone");

        UserError failed = fails(observers(program, () -> false, NanoClock.SYSTEM), wanted());

        assertThat(failed.why()).contains("exit code 2", "the log is gone");
    }

    /// After Ctrl-C, jdyno does not wait for any command, because the run's Kubernetes client ends
    /// it.
    @Test
    void aSignalEndsTheWaitForTheEnd() {
        var stopped = new AtomicBoolean();
        List<BooleanSupplier> stops = Collections.synchronizedList(new ArrayList<>());
        var observers =
                new PodObservers(
                        stop -> {
                            stops.add(stop);
                            return Client.of(kubectl.toString()).stoppedBy(stop);
                        },
                        (place, pod, _) -> new FakeForward(place, pod),
                        progress::add,
                        stopped::get,
                        NanoClock.SYSTEM,
                        Duration.ofMillis(1),
                        folder);
        PodObserver placed = observers.place(wanted());
        stopped.set(true);

        placed.close();

        assertThat(stops).isNotEmpty().allMatch(BooleanSupplier::getAsBoolean);
        assertThat(forwards).isEmpty();
        assertThat(progress.getLast()).contains("ends by itself");
    }

    /// The first run begins only after the steps of the observer's start.
    @Test
    void theAgentWaitsLongEnoughForItsRun() {
        assertThat(Duration.ofMinutes(PodObserver.FIRST_RUN_MIN))
                .isGreaterThan(Client.LIMIT.multipliedBy(4));
    }

    @Test
    void noWaitWithoutAReasonIsReported() {
        cluster.nodes(FakeCluster.Nodes.FULL);
        BooleanSupplier begins =
                () -> {
                    if (progress.stream().anyMatch(p -> p.contains("ContainerCreating"))) {
                        cluster.begin("shop-1");
                    }
                    return false;
                };
        var minutes = new AtomicLong();
        NanoClock clock = () -> Duration.ofMinutes(minutes.getAndIncrement()).toNanos();

        UserError failed = fails(observers(kubectl, begins, clock), wanted());

        assertThat(failed.why()).doesNotContain("ContainerCreating");
        assertThat(progress).noneMatch(p -> p.strip().endsWith("waits:"));
    }

    @Test
    void aSignalEndsTheWait() {
        cluster.nodes(FakeCluster.Nodes.FULL);
        BooleanSupplier waits =
                () -> progress.stream().anyMatch(p -> p.contains("ContainerCreating"));

        UserError failed = fails(observers(kubectl, waits, NanoClock.SYSTEM), wanted());

        assertThat(failed.why()).isEqualTo("interrupted");
    }

    @Test
    void anotherProcessInThePlaceOfTheAgentIsRefused() {
        cluster.nodes(FakeCluster.Nodes.STRANGER);

        UserError failed = fails();

        assertThat(failed.kind()).isEqualTo(UserError.Kind.TARGET);
        assertThat(failed.what()).contains("in place of the agent");
    }

    @Test
    void withoutKubectlNothingIsBegun() {
        UserError failed =
                fails(observers(folder.resolve("none"), () -> false, NanoClock.SYSTEM), wanted());

        assertThat(failed.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(failed.fix()).contains("kubernetes-client");
    }

    /// Earlier versions of `kubectl` accept only some subresources, or have no such option.
    @Test
    void anOldKubectlIsNamed() throws IOException {
        for (String error :
                List.of(
                        "error: invalid subresource value: \"ephemeralcontainers\". Must be one of"
                                + " [status scale]",
                        "error: unknown flag: --subresource\nSee 'kubectl patch --help' for usage.")) {
            Path old = failing(" patch pod ", error);

            UserError failed = fails(observers(old, () -> false, NanoClock.SYSTEM), wanted());

            assertThat(failed.what()).isEqualTo("kubectl is too old");
            assertThat(failed.fix()).contains("1.32");
        }
    }

    /// A program that fails for commands with these words and runs the real client for all others.
    private Path failing(String words, String error) throws IOException {
        Path program =
                Files.writeString(
                        folder.resolve("failing"),
                        """
                        #!/bin/sh
                        case "$*" in
                          *'%s'*) echo '%s' >&2; exit 1;;
                        esac
                        exec '%s' "$@"
                        """
                                .formatted(words, error.replace("'", ""), kubectl));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }
}
