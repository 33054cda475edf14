package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanValues;
import dev.jdyno.trial.LiveService;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Side;
import dev.jdyno.trial.Silent;
import dev.jdyno.trial.TrialListener;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Services with unusual behaviour when they start, answer or end.
@Tag("full") // whole starts of services
@Execution(ExecutionMode.CONCURRENT)
class OddServicesTest {
    /// Longer than the time to the first answer of a JVM while other processes use the cores.
    private static final Duration START = Duration.ofSeconds(12);

    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger((int) (20_000 + ProcessHandle.current().pid() % 10_000));

    @TempDir private Path folder;
    private final LiveService service = new LiveService();

    private static String java(String arguments) {
        return Path.of(System.getProperty("java.home"), "bin", "java")
                + " -Xmx64m -cp "
                + System.getProperty("java.class.path")
                + " "
                + OddService.class.getName()
                + " "
                + arguments;
    }

    private static Plan plan(String path, String command) {
        return Plan.of(
                "odd",
                PlanValues.urlOfAnyPort("http://127.0.0.1:{port}" + path),
                new Plan.TargetPlan.Launch(command));
    }

    private static Plan started(String path, String arguments) {
        return new Variant(plan(path, java(arguments)), List.of()).started();
    }

    private Session session(TrialListener listener) {
        return new Session(folder, listener, () -> false);
    }

    private Side open(Plan plan) throws InterruptedException {
        return service.open(plan, session(new Silent()));
    }

    @Test
    void waitsForServiceThatIsNotReady() throws Exception {
        // at 20 requests a second, 150 replies take longer than jdyno waits for a good one
        try (Side side = open(started("/", "--port {port} --unready 150"))) {
            Round round = side.saturated(2, 1).orElseThrow();
            assertThat(round.requests()).isPositive();
            assertThat(round.errors()).isZero();
        }
    }

    @Test
    void reportsStatusOfServiceThatIsNeverReady() {
        Plan plan = started("/", "--port {port} --unready 1000000").startedWithin(START);

        UserError refused = catchThrowableOfType(UserError.class, () -> open(plan));

        assertThat(refused.kind()).isEqualTo(UserError.Kind.ANSWER);
        assertThat(refused.why()).contains("503");
    }

    @Test
    void reportsMissingPathWithStatus() {
        Plan plan = started("/", "--port {port} --path /odd").startedWithin(START);

        UserError refused = catchThrowableOfType(UserError.class, () -> open(plan));

        assertThat(refused.kind()).isEqualTo(UserError.Kind.ANSWER);
        assertThat(refused.why()).contains("404");
    }

    @Test
    void namesPortOfServiceThatListensElsewhere() throws Exception {
        int other = freePort();
        Plan plan = started("/", "--port " + other + " --name {port}");

        UserError refused =
                catchThrowableOfType(UserError.class, () -> open(plan.startedWithin(START)));

        assertThat(refused.kind()).isEqualTo(UserError.Kind.TARGET);
        assertThat(refused.why()).contains(Integer.toString(other));
        assertThat(refused.fix()).contains("{port}");
    }

    /// With port 0, the kernel chooses the port.
    @Test
    void namesPortOfServiceThatChoosesItsOwn() {
        Plan plan = started("/", "--port 0 --name {port}");

        UserError refused =
                catchThrowableOfType(UserError.class, () -> open(plan.startedWithin(START)));

        assertThat(refused.kind()).isEqualTo(UserError.Kind.TARGET);
        assertThat(refused.why()).containsPattern("[1-9][0-9]{3,4}");
        assertThat(refused.fix()).contains("{port}");
    }

    @Test
    void slowFirstRequestIsNotPartOfBlock() throws Exception {
        try (Side side = open(started("/", "--port {port} --first 2000"))) {
            Round round = side.saturated(2, 1).orElseThrow();
            assertThat(round.rtMs().mean()).isLessThan(1000);
            assertThat(round.rtMs().p99()).isLessThan(1000);
        }
    }

    @Test
    void observesListeningJvmOfLauncher() throws Exception {
        Plan plan = started("/", "--port {port} --exec -Dofchild=1");
        try (Side side = open(plan)) {
            TargetFacts facts = side.facts().orElseThrow();
            assertThat(facts.flags()).contains("-Dofchild=1");
            assertThat(side.saturated(1, 1)).isPresent();
            assertThat(side.facts().orElseThrow().pid()).isEqualTo(facts.pid());
        }
        // the kernel removes a killed process shortly after the signal
        Eventually.until(
                "the end of the service and its launcher",
                () ->
                        ProcessHandle.current()
                                .descendants()
                                .map(OddServicesTest::command)
                                .noneMatch(c -> c.contains("ofchild")));
    }

    private static String command(ProcessHandle process) {
        return process.info().commandLine().orElse("");
    }

    @Test
    void flagsThatReachOnlyALauncherAreRefused() throws Exception {
        var b =
                new Variant(
                        plan("/", java("--port {port} --exec -Dofother=1")),
                        List.of("-XX:+UseSerialGC"));
        try (Side side = open(b.started())) {
            TargetFacts facts = side.facts().orElseThrow();
            UserError refused = catchThrowableOfType(UserError.class, () -> b.requireFlags(facts));
            assertThat(refused.what()).contains("-XX:+UseSerialGC");
        }
    }

    @Test
    void quotesOutputOfSecondWriterOfSameFile() {
        Plan plan = plan("/", java("--port {port} --lock " + folder.resolve("shop.db")));

        UserError refused =
                catchThrowableOfType(UserError.class, () -> compared(plan, plan, new Silent()));

        assertThat(refused.why()).contains("Database may be already in use");
        assertThat(refused.fix()).contains("{port}");
    }

    @Test
    void reportsUnmappedArchive() throws Exception {
        Plan plan = plan("/", java("--port {port}"));
        String archive = folder.resolve("none.jsa").toString();

        Compared compared =
                comparison(
                                new Variant(plan, List.of()),
                                new Variant(plan, List.of("-XX:SharedArchiveFile=" + archive)),
                                new Silent())
                        .screen(1);

        assertThat(compared.notes())
                .anyMatch(n ->
                        n instanceof Note.ArchiveUnused(Arm arm, Path file)
                                && arm == Arm.B
                                && file.endsWith("none.jsa"));
    }

    @Test
    void reportsSlowShutdownOnceAndKillsSoonerNextTime() throws Exception {
        List<String> notes = new ArrayList<>();
        var listener =
                new TrialListener() {
                    @Override
                    public void phase(String says) {
                        // not asked
                    }

                    @Override
                    public void progress(
                            double seconds, Optional<Double> of, Optional<Double> qps) {
                        // not asked
                    }

                    @Override
                    public void round(Round round) {
                        // not asked
                    }

                    @Override
                    public void note(String says) {
                        notes.add(says);
                    }
                };
        int port = freePort();
        Plan plan =
                Plan.of(
                        "odd",
                        PlanValues.urlOfAnyPort("http://127.0.0.1:" + port + "/"),
                        new Plan.TargetPlan.Launch(java("--port " + port + " --hook 30")));
        for (int start = 0; start < 3; start++) {
            // the port is free again at each start
            try (Side side = service.open(plan, session(listener))) {
                assertThat(side.saturated(1, 1)).isPresent();
            }
        }
        assertThat(notes).filteredOn(n -> n.contains("SIGTERM")).hasSize(1);
    }

    private Compared compared(Plan a, Plan b, TrialListener listener) throws InterruptedException {
        return comparison(new Variant(a, List.of()), new Variant(b, List.of()), listener).screen(1);
    }

    private Comparison comparison(Variant a, Variant b, TrialListener listener) {
        Settings d = Settings.DEFAULT;
        return new Comparison(
                a,
                b,
                new Settings(
                        d.primary(),
                        d.minEffect(),
                        d.budget(),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        d.concurrency(),
                        d.ratePerS(),
                        d.goal(),
                        d.minStarts(),
                        d.maxStarts(),
                        d.loads()),
                service,
                session(listener),
                new SplittableRandom(1));
    }

    /// A port on which no process listens. The kernel gives none below 32768 to the connections of
    /// other tests, so it stays free.
    private static int freePort() throws IOException {
        while (true) {
            int port = NEXT_PORT.getAndIncrement();
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                assertThat(port).as(taken.getMessage()).isLessThan(32_768);
            }
        }
    }
}
