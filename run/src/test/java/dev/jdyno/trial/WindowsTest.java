package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.load.statistics.ClientUse;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.statistics.ReportedWindow;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.observe.ServerWindow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsTest {
    private static final long SECOND = 1_000_000_000;

    /// One second with 100 requests.
    private static LoadWindow client(int second) {
        return ReportedWindow.of(
                second * SECOND,
                (second + 1) * SECOND,
                new ReportedWindow.Counts(
                        100,
                        Map.of(),
                        0,
                        Optional.empty(),
                        Optional.of(new Latency(1, 1, 1, 1, 1, 1))),
                new ClientUse(List.of(), 0, 0, 0, 0, 0));
    }

    /// One second in which 1 MB was allocated.
    private static ServerWindow server() {
        var gc =
                new GcActivity(
                        GcActivity.Count.NONE,
                        GcActivity.Count.NONE,
                        0,
                        Optional.of(1e6),
                        Optional.of(0.0),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        return new ServerWindow(1, Optional.empty(), Optional.empty(), Optional.of(gc));
    }

    /// An agent's windows may be lost on the way.
    @ParameterizedTest
    @ValueSource(ints = {5, 4, 1})
    void lostWindowsOfServiceDoNotChangeAllocationPerRequest(int arrived) {
        var windows = new Windows();
        for (int i = 0; i < 5; i++) {
            windows.add(client(i), i < arrived ? Optional.of(server()) : Optional.empty());
        }

        assertThat(windows.round(1).gc().flatMap(GcActivity::requestBytes))
                .hasValueSatisfying(bytes -> assertThat(bytes).isCloseTo(1e4, within(1e-6)));
    }
}
