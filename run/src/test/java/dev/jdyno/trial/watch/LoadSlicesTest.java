package dev.jdyno.trial.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.capacity.headroom.LoadWindow;
import dev.jdyno.capacity.headroom.PoolUse;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.observe.ServerWindow;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadSlicesTest {
    private static final PoolUse POOL = new PoolUse("orders", "HikariCP", 1, 4);

    private final NaturalWindows natural = new NaturalWindows(false);
    private MetricsServer server;
    private OwnMetrics own;

    @BeforeEach
    void start() throws Exception {
        server = new MetricsServer();
        own = server.metrics();
        own.begin();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// A minute of slices of 2.5 s with 25 requests each.
    private void minute(boolean byMinute) throws InterruptedException {
        var slices = new LoadSlices(natural, own, () -> Optional.of(600.0), byMinute);
        for (int i = 0; i < 24; i++) {
            server.pass(2.5, 25);
            slices.add(
                    new ServerWindow(
                            2.5,
                            Optional.of(CpuUse.ofWholeMachine(0.5, 0, 0, 0.2, 2, 50, 0, 0)),
                            Optional.empty(),
                            Optional.empty()));
        }
        slices.end();
    }

    /// With and without a count of jdyno's own in each window.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void metricsAreReadEveryFiveSeconds(boolean byMinute) throws Exception {
        minute(byMinute);

        // one reading before the minute
        assertThat(server.readings()).isEqualTo(13);
        assertThat(natural.windows(false))
                .hasSize(12)
                .allSatisfy(w -> assertThat(w.seconds()).isCloseTo(5, within(1e-9)))
                .allSatisfy(w -> assertThat(w.requests()).isCloseTo(50, within(1e-6)))
                .allSatisfy(w -> assertThat(w.pools()).containsExactly(POOL));
    }

    /// Readings of 0.25 s are at least 12.5 s apart. The minute lasts 60 s and the readings.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void slowMetricsAreReadSeldom(boolean byMinute) throws Exception {
        server.take(0.25);
        minute(byMinute);

        // one reading before the minute
        assertThat(server.readings() - 1).isBetween(3L, 5L);
    }

    /// A service whose metrics have pools, but no count of requests.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void windowsOfJdynosCountHaveThePools(boolean byMinute) throws Exception {
        server.countNoRequests();
        own.begin();
        minute(byMinute);

        List<LoadWindow> windows = natural.windows(false);
        assertThat(windows)
                .hasSize(byMinute ? 1 : 12)
                .allSatisfy(w -> assertThat(w.requests()).isEqualTo(600))
                .allSatisfy(w -> assertThat(w.pools()).containsExactly(POOL));
        assertThat(windows.stream().mapToDouble(LoadWindow::seconds).sum())
                .isCloseTo(60, within(1e-9));
    }
}
