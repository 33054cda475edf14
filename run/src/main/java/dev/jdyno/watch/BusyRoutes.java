package dev.jdyno.watch;

import dev.jdyno.measure.service.EndpointFigures;
import dev.jdyno.measure.service.EndpointNames;
import dev.jdyno.measure.watch.WatchedMinute.Detail;
import dev.jdyno.measure.watch.WatchedMinute.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The busiest routes of each minute of a service. A collector of metrics keeps a series for each
/// name that it ever read, so the number of names is limited over the whole watch, too.
final class BusyRoutes {
    /// Maximum number of different names in a watch. A service whose routes contain ids has more.
    static final int MAX_NAMES = 100;

    private final Set<String> names = new HashSet<>();

    /// @param msPerS time of all requests in ms, per second
    private record Sum(double perS, double msPerS) {
        static Sum of(EndpointFigures e) {
            return new Sum(e.perS(), e.perS() * e.meanMs());
        }

        Sum plus(Sum other) {
            return new Sum(perS + other.perS, msPerS + other.msPerS);
        }

        Route as(String name) {
            return new Route(name, perS, msPerS / perS);
        }
    }

    /// Adds up the endpoints of a minute by route.
    ///
    /// @return the busiest first, the sum of the others last
    List<Route> of(List<EndpointFigures> endpoints) {
        Map<String, Sum> sums = new HashMap<>();
        for (EndpointFigures e : endpoints) {
            // names that are equal after shortening are one route
            String name = e.isOthers() ? Route.OTHER : EndpointNames.shortened(e.name());
            sums.merge(name, Sum.of(e), Sum::plus);
        }
        List<Map.Entry<String, Sum>> busiest = new ArrayList<>(sums.entrySet());
        busiest.sort(
                Comparator.comparingDouble((Map.Entry<String, Sum> e) -> e.getValue().perS())
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()));
        List<Route> routes = new ArrayList<>();
        var others = new Sum(0, 0);
        for (Map.Entry<String, Sum> e : busiest) {
            if (routes.size() < Detail.MAX_ROUTES && mayHave(e.getKey())) {
                routes.add(e.getValue().as(e.getKey()));
            } else {
                others = others.plus(e.getValue());
            }
        }
        if (others.perS() > 0) {
            routes.add(others.as(Route.OTHER));
        }
        return routes;
    }

    private boolean mayHave(String name) {
        if (name.isBlank() || name.equals(Route.OTHER)) {
            return false;
        }
        return names.contains(name) || (names.size() < MAX_NAMES && names.add(name));
    }
}
