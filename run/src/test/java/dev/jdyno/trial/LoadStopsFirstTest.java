package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Intervention;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.InsidePlan;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.plan.Plan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The load ends first, however the trial ends, and the measurements are kept. A server in this JVM
/// counts the requests. The observed JVM is a separate one.
@Tag("full") // whole runs
@Execution(ExecutionMode.CONCURRENT)
class LoadStopsFirstTest {
    private static final String READING = "reading what was recorded";
    private static final int MAX_BETWEEN = 2;

    @TempDir private Path folder;
    private final AtomicLong requests = new AtomicLong();
    private HttpServer server;
    private ExecutorService threads;
    private FileServer target;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        target = FileServer.start(folder);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        threads = Executors.newFixedThreadPool(4);
        server.setExecutor(threads);
        server.createContext(
                "/",
                exchange -> {
                    requests.incrementAndGet();
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
        threads.shutdownNow();
        target.process().destroy();
    }

    /// Runs an action at the beginning of one phase, and counts requests from another phase on.
    private final class At implements TrialListener {
        private final String phase;
        private final Runnable what;
        private volatile boolean reached;
        private volatile long whenReading = -1;

        At(String phase, Runnable what) {
            this.phase = phase;
            this.what = what;
        }

        @Override
        public void phase(String says) {
            if (says.startsWith(READING)) {
                whenReading = requests.get();
            }
            if (says.startsWith(phase) && !reached) {
                reached = true;
                what.run();
            }
        }

        @Override
        public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {}

        @Override
        public void round(Round round) {}

        @Override
        public void note(String says) {}
    }

    private TrialOutcome run(At listener, BooleanSupplier stop, List<Challenge> doubts)
            throws InterruptedException {
        Plan bare =
                Plan.of(
                                "ends",
                                URI.create(
                                        "http://127.0.0.1:" + server.getAddress().getPort() + "/"),
                                new Plan.TargetPlan.Attach(target.pid()))
                        .withWarmup(
                                new Plan.Warmup(Duration.ofSeconds(1), Duration.ofSeconds(1), 2))
                        .withEvidence(new Plan.Evidence(Duration.ofSeconds(1), 3))
                        .withRounds(
                                new Plan.Rounds(
                                        Duration.ofSeconds(2),
                                        Duration.ofMillis(50),
                                        List.of(1, 2),
                                        2));
        Plan plan =
                new Plan(
                        bare.name(),
                        bare.request(),
                        bare.target(),
                        bare.course(),
                        bare.search(),
                        bare.proving(),
                        new InsidePlan(
                                false, List.of(), Optional.empty(), false, MetricsPlan.NONE));
        return new Trial(plan, new Session(folder, listener, stop)).run((_, _) -> doubts);
    }

    @Test
    void recordingsAreReadWhenTheServiceRests() throws InterruptedException {
        var listener = new At("nothing", () -> {});

        TrialOutcome outcome = run(listener, () -> false, List.of());

        assertThat(outcome.failure()).isEmpty();
        assertThat(MeasuredLoads.of(outcome.recording().rounds())).containsExactly(1, 2);
        assertThat(outcome.recording().rounds()).allMatch(r -> r.requests() > 0);
        assertThat(listener.whenReading).isPositive();
        assertThat(requests.get()).as("requests when all was read").isEqualTo(listener.whenReading);
    }

    @Test
    void stopEndsLoadAtOnce() throws InterruptedException {
        var stopped = new java.util.concurrent.atomic.AtomicBoolean();
        var then = new AtomicLong();
        var after = new AtomicLong();
        // the trial hangs in this phase, as while it waits for the target's answer
        var listener =
                new At(
                        "diagnostic window with",
                        () -> {
                            stopped.set(true);
                            then.set(restingCount());
                            after.set(requests.get());
                        });

        TrialOutcome outcome = run(listener, stopped::get, List.of());

        assertThat(then.get()).as("the load ended while the trial hung").isPositive();
        assertThat(requests.get()).isEqualTo(after.get());
        assertThat(outcome.recording().partial()).isTrue();
        assertThat(MeasuredLoads.of(outcome.recording().rounds())).containsExactly(1, 2);
    }

    /// Waits until no request has come for some time.
    ///
    /// @return number of requests so far; 0 if they did not stop
    private long restingCount() {
        for (int look = 0; look < 50; look++) {
            long before = requests.get();
            try {
                // sleeps: only an interval without requests shows that the load has ended
                Thread.sleep(200);
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
                return 0;
            }
            if (requests.get() == before) {
                return before;
            }
        }
        return 0;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "measuring with 2",
                "diagnostic window with",
                "recording exceptions",
                READING,
            })
    void failedPhaseKeepsRoundsAndStopsLoad(String phase) throws InterruptedException {
        var listener =
                new At(
                        phase,
                        () -> {
                            throw new IllegalStateException("planted");
                        });

        TrialOutcome outcome = run(listener, () -> false, List.of());

        assertThat(listener.reached).isTrue();
        assertThat(MeasuredLoads.of(outcome.recording().rounds()))
                .hasSize(phase.startsWith("measuring") ? 1 : 2);
        assertThat(outcome.recording().rounds()).allMatch(r -> r.requests() > 0);
        assertThat(outcome.failure().orElseThrow().kind()).isEqualTo(UserError.Kind.INVALID);
        assertThat(outcome.failure().orElseThrow().why()).contains("planted");
        assertThat(outcome.recording().warnings())
                .anyMatch(w -> w.spoils() && w.says().contains("planted"));
        assertThat(listener.whenReading).isPositive();
        assertThat(requests.get()).isEqualTo(listener.whenReading);
    }

    @Test
    void outOfMemoryDuringProofKeepsRoundsAndEndsLoad() throws InterruptedException {
        var listener =
                new At(
                        "testing the verdict",
                        () -> {
                            throw new OutOfMemoryError("planted");
                        });
        var doubt =
                new Challenge(
                        new Intervention.InFlight(4),
                        2,
                        Challenge.Figure.QPS,
                        1,
                        new Interval(0.6, 1.3),
                        "");

        TrialOutcome outcome = run(listener, () -> false, List.of(doubt));

        long atTheEnd = requests.get();
        assertThat(MeasuredLoads.of(outcome.recording().rounds())).containsExactly(1, 2);
        assertThat(outcome.failure().orElseThrow().what()).contains("ran out of memory");
        assertThat(outcome.recording().warnings()).anyMatch(w -> w.spoils());
        assertThat(restingCount()).isEqualTo(atTheEnd).isEqualTo(listener.whenReading);
        assertThat(outcome.attempts()).hasSizeLessThan(MAX_BETWEEN);
    }
}
