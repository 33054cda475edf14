package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.plan.GoalText;
import dev.jdyno.plan.Plan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A search under goals on a real server that is stopped like by Ctrl-C.
@Tag("full") // a whole search
class GoalRunTest {
    /// Requests a stop one second after the start of the first rate.
    private static final class StopInFirstTrial implements TrialListener {
        private final AtomicBoolean stop = new AtomicBoolean();
        private final StringBuilder said = new StringBuilder();
        private boolean testing;

        @Override
        public void phase(String says) {
            testing = says.startsWith("testing");
        }

        @Override
        public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
            if (testing) {
                stop.set(true);
            }
        }

        @Override
        public void round(Round round) {}

        @Override
        public void note(String says) {
            said.append(says).append('\n');
        }
    }

    @Test
    void printsCostBeforeTheSearchAndKeepsResultsIfItIsStopped(@TempDir Path folder)
            throws IOException, InterruptedException {
        var listener = new StopInFirstTrial();
        HttpServer server = server();
        TrialOutcome outcome;
        try (var threads = Executors.newFixedThreadPool(2)) {
            server.setExecutor(threads);
            server.start();
            outcome =
                    new Trial(
                                    plan(server.getAddress().getPort()),
                                    new Session(folder, listener, listener.stop::get))
                            .run();
            server.stop(0);
        }

        GoalKnee goal = outcome.goal().orElseThrow();
        assertThat(goal.reason()).isEqualTo(GoalKnee.Reason.INTERRUPTED);
        assertThat(goal.tests()).hasSize(1);
        assertThat(goal.good()).isEmpty();
        assertThat(goal.requests()).isPositive();
        assertThat(outcome.recording().partial()).isTrue();
        assertThat(outcome.recording().rounds().getLast().ratePerS()).isPresent();
        assertThat(outcome.recording().warnings()).anyMatch(w -> w.id().equals("pauses"));
        assertThat(listener.said.toString())
                .contains("preflight: other processes use")
                .contains("p50<5s to ±50 % needs about")
                .contains("of load will be spent");
    }

    private static HttpServer server() throws IOException {
        var server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] answer = "ok".getBytes(StandardCharsets.UTF_8);
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, answer.length);
                    try (var body = exchange.getResponseBody()) {
                        body.write(answer);
                    }
                });
        return server;
    }

    private static Plan plan(int port) {
        return Plan.of(
                        "stopped",
                        URI.create("http://127.0.0.1:" + port + "/"),
                        new Plan.TargetPlan.None())
                .withWarmup(new Plan.Warmup(Duration.ofMillis(1), Duration.ofSeconds(1), 2))
                .withRounds(
                        new Plan.Rounds(Duration.ofSeconds(2), Duration.ofMillis(50), List.of(), 2))
                .withSearch(
                        new Plan.GoalSearch(
                                GoalText.goals("p50<5s"),
                                Optional.empty(),
                                0.5,
                                OptionalDouble.empty()));
    }
}
