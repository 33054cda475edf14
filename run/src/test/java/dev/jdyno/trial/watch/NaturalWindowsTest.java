package dev.jdyno.trial.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.capacity.headroom.DiskBusy;
import dev.jdyno.capacity.headroom.LoadWindow;
import dev.jdyno.capacity.headroom.PoolUse;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.service.EndpointFigures;
import dev.jdyno.measure.service.EndpointNames;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServicePool;
import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.observe.ServerWindow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NaturalWindowsTest {
    private final NaturalWindows natural = new NaturalWindows(true);

    /// @param cores used by the process; others use 0.2 of two cores
    private static ServerWindow second(double cores) {
        return new ServerWindow(
                1,
                Optional.of(CpuUse.ofWholeMachine(cores, 0, 0, 0.2, 2, 50, 0, 0)),
                Optional.empty(),
                Optional.empty());
    }

    private static ServiceFigures figures(double perS, ServicePool... pools) {
        return new ServiceFigures(
                1,
                5,
                0,
                "http://127.0.0.1/metrics",
                Optional.empty(),
                perS > 0
                        ? List.of(new EndpointFigures("GET", "/", "2xx", 1, perS, 3, 1))
                        : List.of(),
                Optional.empty(),
                List.of(pools));
    }

    private static ServicePool pool(String name, Optional<Double> max, Optional<Double> inUse) {
        return new ServicePool(
                name,
                "HikariCP",
                max,
                inUse,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /// Adds seconds until the window can be closed, and returns their number.
    private int open() {
        int seconds = 1;
        while (!natural.add(second(0.5))) {
            seconds++;
        }
        return seconds;
    }

    /// Each source's windows are apart, whatever part of the minute they cover.
    @Test
    void windowsOfEachCountAreApart() {
        open();
        natural.close(Optional.of(700.0), Optional.of(figures(100)));
        open();
        natural.close(Optional.of(800.0));

        assertThat(natural.countedBy(true)).extracting(LoadWindow::requests).containsExactly(500.0);
        assertThat(natural.countedBy(false))
                .extracting(LoadWindow::requests)
                .containsExactly(700.0, 800.0);
    }

    /// The service was stopped after the last reading of the minute before.
    @Test
    void windowWithStopIsLeftOut() {
        open();
        natural.next(true);
        natural.leaveOutReading();
        open();
        natural.close(Optional.empty(), Optional.of(figures(100)));
        open();
        natural.close(Optional.empty(), Optional.of(figures(200)));

        assertThat(natural.countedBy(true))
                .extracting(LoadWindow::requests)
                .containsExactly(1000.0);
    }

    @Test
    void aWindowTakesFiveSeconds() {
        assertThat(open()).isEqualTo(5);
        natural.close(Optional.of(700.0), Optional.empty());

        LoadWindow window = natural.windows(false).getFirst();
        assertThat(window.seconds()).isCloseTo(5, within(1e-9));
        assertThat(window.requests()).isEqualTo(700);
        assertThat(window.cores()).isCloseTo(0.5, within(1e-9));
        assertThat(window.availableCores()).isCloseTo(1.8, within(1e-9));
        assertThat(window.allCores().orElseThrow()).isCloseTo(2, within(1e-9));
        assertThat(window.pools()).isEmpty();
    }

    @Test
    void windowOfTheServiceReachesFromReadingToReading() {
        open();
        natural.close(Optional.of(700.0));

        open();
        natural.close(Optional.of(700.0), Optional.of(figures(150)));

        assertThat(natural.windows(false)).hasSize(1);
        LoadWindow both = natural.windows(false).getFirst();
        assertThat(both.seconds()).isCloseTo(10, within(1e-9));
        assertThat(both.requests()).isCloseTo(1500, within(1e-9));
        assertThat(natural.windows(true))
                .extracting(LoadWindow::requests)
                .containsExactly(700.0, 700.0);
    }

    /// The second reading takes longer than the remaining time.
    @Test
    void slowMetricsDoNotEndWindowsWithRequestsCountedByJdyno() {
        open();
        natural.close(Optional.of(700.0), Optional.of(figures(150)));
        for (int i = 0; i < 3; i++) {
            assertThat(open()).isEqualTo(5);
            natural.close(Optional.of(710.0));
        }

        assertThat(natural.windows(false))
                .extracting(LoadWindow::requests)
                .containsExactly(700.0, 710.0, 710.0, 710.0);
    }

    /// The figures that end a window in a minute may begin in the minute before.
    @Test
    void windowOfTheServiceReachesIntoTheNextMinute() {
        open();
        natural.close(Optional.of(700.0));
        natural.next(true);
        open();
        natural.close(Optional.empty(), Optional.of(figures(150)));

        LoadWindow both = natural.windows(false).getFirst();
        assertThat(both.seconds()).isCloseTo(10, within(1e-9));
        assertThat(both.requests()).isCloseTo(1500, within(1e-9));
    }

    @Test
    void minuteHasItsOwnWindows() {
        open();
        natural.close(Optional.of(700.0), Optional.of(figures(150)));
        natural.add(second(0.5));
        natural.next(false);

        assertThat(natural.windows(false)).isEmpty();

        assertThat(open()).isEqualTo(5);
        natural.close(Optional.of(710.0), Optional.of(figures(150)));
        assertThat(natural.windows(false)).extracting(LoadWindow::seconds).containsExactly(5.0);
        assertThat(natural.windows(true)).extracting(LoadWindow::requests).containsExactly(710.0);
    }

    @Test
    void requestCountOfTheServiceIsUsedIfNoOtherCountIsKnown() {
        open();
        natural.close(Optional.empty(), Optional.of(figures(150)));
        for (int i = 0; i < 3; i++) {
            open();
            natural.close(Optional.empty());
        }

        assertThat(natural.windows(false)).extracting(LoadWindow::requests).containsExactly(750.0);
    }

    /// After a failed reading, the figures start at a later one.
    @Test
    void theTimeOfAFailedReadingIsLeftOut() {
        open();
        natural.close(Optional.of(700.0), Optional.empty());
        open();
        natural.close(Optional.of(700.0), Optional.of(figures(150)));

        assertThat(natural.windows(false)).extracting(LoadWindow::seconds).containsExactly(5.0);
    }

    /// The figures of a service that counts requests, and had none.
    private static ServiceFigures idle() {
        return new ServiceFigures(
                1,
                5,
                0,
                "http://127.0.0.1/metrics",
                Optional.empty(),
                List.of(),
                Optional.of(0.0),
                List.of());
    }

    /// By a count that includes jdyno's own requests, there were 2.
    @Test
    void serviceWithoutRequestsHasNone() {
        open();
        natural.close(Optional.of(2.0), Optional.of(idle()));

        assertThat(natural.windows(false)).extracting(LoadWindow::requests).containsExactly(0.0);
    }

    @Test
    void requestCountPrefersLogThenServiceThenJdyno() {
        open();
        natural.close(Optional.of(700.0), Optional.of(idle()));
        open();
        natural.close(Optional.of(700.0), Optional.of(figures(150)));

        assertThat(natural.windows(false))
                .extracting(LoadWindow::requests)
                .containsExactly(0.0, 750.0);
        assertThat(natural.windows(true))
                .extracting(LoadWindow::requests)
                .containsExactly(700.0, 700.0);
    }

    @Test
    void metricsWithoutRequestsStillHavePools() {
        open();
        natural.close(
                Optional.of(700.0),
                Optional.of(
                        figures(
                                0,
                                pool("orders", Optional.of(5.0), Optional.of(1.5)),
                                pool("endless", Optional.empty(), Optional.of(1.5)),
                                pool("unknown", Optional.of(5.0), Optional.empty()))));

        LoadWindow window = natural.windows(false).getFirst();
        assertThat(window.requests()).isEqualTo(700);
        assertThat(window.pools()).containsExactly(new PoolUse("orders", "HikariCP", 1.5, 5));
    }

    @Test
    void windowsWithoutRequestCountOrCpuAreLeftOut() {
        open();
        natural.close(Optional.empty(), Optional.empty());
        natural.add(new ServerWindow(5, Optional.empty(), Optional.empty(), Optional.empty()));
        natural.close(Optional.of(700.0), Optional.empty());

        assertThat(natural.windows(false)).isEmpty();
    }

    private static EndpointFigures endpoint(String method, String uri, String status, double perS) {
        return new EndpointFigures(method, uri, status, 1, perS, 3, 0.25);
    }

    private static ServiceFigures figures(List<EndpointFigures> endpoints) {
        return new ServiceFigures(
                1,
                5,
                0,
                "http://127.0.0.1/metrics",
                Optional.empty(),
                endpoints,
                Optional.empty(),
                List.of());
    }

    private static final List<EndpointFigures> ENDPOINTS =
            List.of(
                    endpoint("GET", "/orders/{id}", "2xx", 100),
                    endpoint("GET", "/orders/{id}", "4xx", 20),
                    endpoint("POST", "/orders", "2xx", 30),
                    EndpointFigures.OTHERS,
                    endpoint("", "others", "", 10));

    @Test
    void requestsAreKeptByEndpointWithoutTheRestRow() {
        open();
        natural.close(Optional.of(700.0), Optional.of(figures(ENDPOINTS)));

        LoadWindow window = natural.windows(false).getFirst();
        assertThat(window.requests()).isCloseTo(800, within(1e-9));
        assertThat(window.endpoints())
                .containsOnlyKeys("GET /orders/{id}", "POST /orders")
                .hasEntrySatisfying(
                        "GET /orders/{id}", n -> assertThat(n).isCloseTo(600, within(1e-9)))
                .hasEntrySatisfying(
                        "POST /orders", n -> assertThat(n).isCloseTo(150, within(1e-9)));
        assertThat(natural.windows(true).getFirst().endpoints()).isEmpty();
    }

    /// Each reading of the metrics has new texts, and windows are kept for hours.
    @Test
    void windowsShareShortNames() {
        for (int i = 0; i < 2; i++) {
            EndpointFigures endpoint = endpoint("GET", "/" + "a".repeat(2000), "2xx", 100);
            ServicePool pool = pool("b".repeat(9), Optional.of(5.0), Optional.of(1.5));
            open();
            natural.close(
                    Optional.of(700.0),
                    Optional.of(
                            new ServiceFigures(
                                    1,
                                    5,
                                    0,
                                    "http://127.0.0.1/metrics",
                                    Optional.empty(),
                                    List.of(endpoint),
                                    Optional.empty(),
                                    List.of(pool))));
        }

        List<LoadWindow> windows = natural.windows(false);
        List<String> names =
                windows.stream().map(w -> w.endpoints().keySet().iterator().next()).toList();
        assertThat(names).hasSize(2);
        assertThat(names.getFirst()).hasSize(EndpointNames.MAX_LENGTH).isSameAs(names.getLast());
        assertThat(windows.getFirst().pools().getFirst().name())
                .isSameAs(windows.getLast().pools().getFirst().name());
    }

    @Test
    void numberOfEndpointsIsLimitedOverAllWindows() {
        for (int i = 0; i < 10; i++) {
            int reading = i;
            open();
            natural.close(
                    Optional.of(700.0),
                    Optional.of(
                            figures(
                                    IntStream.range(0, 100)
                                            .mapToObj(n -> "/" + reading + "/" + n)
                                            .map(uri -> endpoint("GET", uri, "2xx", 1))
                                            .toList())));
        }

        List<LoadWindow> windows = natural.windows(false);
        assertThat(windows.stream().flatMap(w -> w.endpoints().keySet().stream()).distinct())
                .hasSize(EndpointNames.MAX);
        assertThat(windows.getLast().requests()).isCloseTo(500, within(1e-9));
    }

    @Test
    void endpointsAreKeptOnlyOnDemand() {
        var sparing = new NaturalWindows(false);
        sparing.add(second(0.5));
        sparing.close(Optional.empty(), Optional.of(figures(ENDPOINTS)));

        assertThat(sparing.windows(false).getFirst().endpoints()).isEmpty();
        assertThat(sparing.windows(false).getFirst().requests()).isCloseTo(160, within(1e-9));
    }

    private static DiskUse disk(String device, double utilisation) {
        return new DiskUse(
                device, true, 1, 1, 1, 1, utilisation, Optional.empty(), 1, Optional.empty());
    }

    /// A window with the service's count takes as long as two windows with jdyno's.
    @Test
    void useOfDisksIsAveragedOverLongWindows() {
        open();
        natural.addDisks(List.of(disk("vda", 0.2), disk("vdb", 0.5)));
        natural.close(Optional.of(700.0));
        open();
        natural.addDisks(List.of(disk("vda", 0.4)));
        natural.close(Optional.of(700.0), Optional.of(figures(150)));

        assertThat(natural.windows(true))
                .extracting(LoadWindow::disks)
                .containsExactly(
                        List.of(new DiskBusy("vda", 0.2), new DiskBusy("vdb", 0.5)),
                        List.of(new DiskBusy("vda", 0.4)));
        List<DiskBusy> both = natural.windows(false).getFirst().disks();
        assertThat(both).extracting(DiskBusy::device).containsExactly("vda", "vdb");
        assertThat(both.getFirst().share()).isCloseTo(0.3, within(1e-9));
        assertThat(both.getLast().share()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void endpointsOfTheAccessLogBelongToOneWindow() {
        open();
        natural.addEndpoints(Map.of("GET /a", 690.0));
        natural.close(Optional.of(700.0), Optional.of(figures(ENDPOINTS)));
        open();
        natural.close(Optional.of(700.0));

        assertThat(natural.windows(true))
                .extracting(LoadWindow::endpoints)
                .containsExactly(Map.of("GET /a", 690.0), Map.of());
    }
}
