package dev.jdyno.trial.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.target.MeteredVictim;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import dev.jdyno.trial.watch.LiveDiagnosis.Seen;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full") // observes a JVM for some seconds
class MinuteWatchTest {
    /// Time for several windows of load: a busy machine makes them longer.
    private static final double SECONDS = 20;

    private static final Set<String> OF_OBSERVER = Set.of("jdyno-gc-probe", "jdyno-standstill");

    /// Long enough on a busy machine; a thread that was ended needs some ms.
    private static final long END_MS = 20_000;

    @TempDir private Path dir;

    /// The first minute also counts data segments, because it is not known yet whether the metrics
    /// count requests.
    @Test
    void windowsHavePoolsIfMetricsHaveOneCountOfAllRequests() throws Exception {
        try (Target target = MeteredVictim.launchWithOneCount(dir)) {
            URI page = URI.create("http://127.0.0.1:" + Victims.port(dir) + "/");
            var enough = new AtomicBoolean();
            Thread client = Thread.ofPlatform().daemon().start(() -> ask(page, enough));
            List<Seen> minutes = new ArrayList<>();
            try (MinuteWatch watch =
                    MinuteWatch.attach(
                            new MinuteWatch.Settings(target.pid(), MetricsPlan.SEARCH),
                            NanoClock.SYSTEM,
                            () -> false)) {
                minutes.add(watch.observe(SECONDS, 1));
                minutes.add(watch.observe(SECONDS, 1));
            } finally {
                enough.set(true);
                client.join();
            }

            for (Seen seen : minutes) {
                assertThat(seen.throughput().orElseThrow().source())
                        .isEqualTo(Throughput.Source.METRICS);
                assertThat(seen.windows())
                        .isNotEmpty()
                        .allSatisfy(w -> assertThat(w.pools()).hasSize(1))
                        .allSatisfy(w -> assertThat(w.requests()).isPositive());
            }
        }
    }

    /// The reader of metrics has a defect for this address: it is no address of HTTP.
    @Test
    void failureOfAnyKindLeavesNoThread() throws Exception {
        try (Target target = MeteredVictim.launch(dir)) {
            var settings =
                    new MinuteWatch.Settings(
                            target.pid(),
                            new MetricsPlan(false, Optional.of(URI.create("file:///metrics"))));
            Set<Thread> before = ofObserver();

            assertThatThrownBy(() -> MinuteWatch.attach(settings, NanoClock.SYSTEM, () -> false))
                    .isInstanceOf(ClassCastException.class);

            Set<Thread> left = ofObserver();
            left.removeAll(before);
            for (Thread thread : left) {
                thread.join(END_MS);
            }
            assertThat(left).noneMatch(Thread::isAlive);
        }
    }

    private static Set<Thread> ofObserver() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> OF_OBSERVER.contains(t.getName()))
                .collect(Collectors.toSet());
    }

    private static void ask(URI page, AtomicBoolean enough) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (!enough.get()) {
                client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding());
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
