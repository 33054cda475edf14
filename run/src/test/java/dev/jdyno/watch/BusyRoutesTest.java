package dev.jdyno.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.service.EndpointFigures;
import dev.jdyno.measure.watch.WatchedMinute.Detail;
import dev.jdyno.measure.watch.WatchedMinute.Route;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BusyRoutesTest {
    private static EndpointFigures endpoint(String uri, String status, double perS, double meanMs) {
        return new EndpointFigures("GET", uri, status, Math.round(60 * perS), perS, meanMs, 0);
    }

    /// 30 routes, of 1 to 30 requests/s and 10 ms each.
    private static List<EndpointFigures> many(String prefix) {
        return IntStream.rangeClosed(1, 30)
                .mapToObj(n -> endpoint(prefix + n, "2xx", n, 10))
                .toList();
    }

    private static double perS(List<Route> routes) {
        return routes.stream().mapToDouble(Route::perS).sum();
    }

    @Test
    void statusesOfRouteAreAddedUp() {
        List<Route> routes =
                new BusyRoutes()
                        .of(
                                List.of(
                                        endpoint("/a", "2xx", 30, 10),
                                        endpoint("/b", "2xx", 50, 1),
                                        endpoint("/a", "5xx", 10, 50)));

        assertThat(routes).containsExactly(new Route("GET /b", 50, 1), new Route("GET /a", 40, 20));
    }

    @Test
    void busiestAreKeptAndOthersAreOne() {
        List<Route> routes = new BusyRoutes().of(many("/item/"));

        assertThat(routes).hasSize(Detail.MAX_ROUTES + 1);
        assertThat(routes.getFirst().name()).isEqualTo("GET /item/30");
        assertThat(routes.getLast().name()).isEqualTo(Route.OTHER);
        assertThat(routes.getLast().perS()).isEqualTo(55);
        assertThat(routes.getLast().meanMs()).isCloseTo(10, within(1e-9));
        assertThat(perS(routes)).isEqualTo(465);
    }

    @Test
    void namesAreLimitedOverWholeWatch() {
        var busy = new BusyRoutes();
        Set<String> names = new HashSet<>();
        for (int minute = 0; minute < 50; minute++) {
            List<Route> routes = busy.of(many("/user/" + minute + "/"));
            assertThat(perS(routes)).isEqualTo(465);
            routes.forEach(r -> names.add(r.name()));
        }

        assertThat(names).hasSize(BusyRoutes.MAX_NAMES + 1).contains(Route.OTHER);
    }

    @Test
    void longNamesThatAreEqualWhenShortenedAreOneRoute() {
        String path = "/" + "a".repeat(500);

        List<Route> routes =
                new BusyRoutes()
                        .of(
                                List.of(
                                        endpoint(path + "1", "2xx", 1, 10),
                                        endpoint(path + "2", "2xx", 3, 10)));

        assertThat(routes)
                .singleElement()
                .satisfies(r -> {
                    assertThat(r.name()).hasSize(100);
                    assertThat(r.perS()).isEqualTo(4);
                });
    }

    @Test
    void routeOfNameOtherAndRouteWithoutNameAreOthers() {
        List<Route> routes =
                new BusyRoutes()
                        .of(
                                List.of(
                                        new EndpointFigures("", "other", "2xx", 60, 1, 2, 0),
                                        new EndpointFigures("", "", "2xx", 60, 1, 4, 0),
                                        endpoint("/a", "2xx", 2, 1)));

        assertThat(routes).containsExactly(new Route("GET /a", 2, 1), new Route(Route.OTHER, 2, 3));
    }

    /// The row of the endpoints that have none of their own in the service's metrics.
    @Test
    void restOfTheMetricsIsAPartOfOthers() {
        List<Route> routes =
                new BusyRoutes()
                        .of(
                                List.of(
                                        endpoint("/a", "2xx", 2, 1),
                                        new EndpointFigures("", "others", "", 600, 10, 3, 0)));

        assertThat(routes)
                .containsExactly(new Route("GET /a", 2, 1), new Route(Route.OTHER, 10, 3));
    }

    @Test
    void noEndpointIsNoRoute() {
        assertThat(new BusyRoutes().of(List.of())).isEmpty();
    }
}
