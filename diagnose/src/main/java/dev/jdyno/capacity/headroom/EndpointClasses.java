package dev.jdyno.capacity.headroom;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The requests of windows by class: the busiest endpoints one by one, all others together.
///
/// @param endpoints names of the classes with one endpoint, the busiest first
/// @param others whether the last class is that of all other endpoints
/// @param perS requests per second of each window and class
/// @param seconds lengths of the windows
@SuppressWarnings("ArrayRecordComponent") // records are never compared
record EndpointClasses(List<String> endpoints, boolean others, double[][] perS, double[] seconds) {
    /// Maximum number of classes with one endpoint.
    static final int MAX = 6;

    /// Minimum number of windows in which an endpoint had requests.
    private static final int MIN_WINDOWS = 10;

    /// Share of all requests up to which a difference is a rounding error.
    private static final double ROUNDING = 1e-9;

    /// Returns the possible divisions into two or more classes, that with the most classes first.
    /// Empty if the endpoints of a window are not known.
    static List<EndpointClasses> of(List<LoadWindow> windows) {
        boolean known =
                windows.stream().allMatch(w -> w.requests() == 0 || !w.endpoints().isEmpty());
        if (!known) {
            return List.of();
        }
        List<String> busiest = busiest(windows);
        List<EndpointClasses> divisions = new ArrayList<>();
        for (int named = Math.min(MAX, busiest.size()); named > 0; named--) {
            EndpointClasses classes = of(windows, busiest.subList(0, named));
            if (classes.count() > 1) {
                divisions.add(classes);
            }
        }
        return divisions;
    }

    /// The endpoints with requests in enough windows, the busiest first.
    private static List<String> busiest(List<LoadWindow> windows) {
        Map<String, Double> requests = new TreeMap<>();
        Map<String, Integer> seen = new TreeMap<>();
        for (LoadWindow window : windows) {
            window.endpoints()
                    .forEach((name, n) -> {
                        requests.merge(name, n, Double::sum);
                        seen.merge(name, n > 0 ? 1 : 0, Integer::sum);
                    });
        }
        return requests.entrySet().stream()
                .filter(e -> seen.getOrDefault(e.getKey(), 0) >= MIN_WINDOWS)
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static EndpointClasses of(List<LoadWindow> windows, List<String> endpoints) {
        int named = endpoints.size();
        double[][] perS = new double[windows.size()][named + 1];
        double[] seconds = new double[windows.size()];
        double all = 0;
        double rest = 0;
        for (int i = 0; i < perS.length; i++) {
            LoadWindow window = windows.get(i);
            double others = window.requests();
            for (int c = 0; c < named; c++) {
                double requests = window.endpoints().getOrDefault(endpoints.get(c), 0.0);
                perS[i][c] = requests / window.seconds();
                others -= requests;
            }
            perS[i][named] = Math.max(0, others) / window.seconds();
            seconds[i] = window.seconds();
            all += window.requests();
            rest += Math.max(0, others);
        }
        boolean others = rest > ROUNDING * all;
        if (!others) {
            for (int i = 0; i < perS.length; i++) {
                perS[i] = Arrays.copyOf(perS[i], named);
            }
        }
        return new EndpointClasses(List.copyOf(endpoints), others, perS, seconds);
    }

    int count() {
        return endpoints.size() + (others ? 1 : 0);
    }

    /// Number of figures that are fitted: a demand for each class, and the base.
    int parameters() {
        return count() + 1;
    }

    /// The endpoint of a class; empty for the class of all other endpoints.
    Optional<String> endpoint(int of) {
        return of < endpoints.size() ? Optional.of(endpoints.get(of)) : Optional.empty();
    }

    /// Requests per second of each class, from one window to another.
    ///
    /// @param to the window after the last one
    double[] meanPerS(int from, int to) {
        double[] mean = new double[count()];
        double time = 0;
        for (int i = from; i < to; i++) {
            time += seconds[i];
            for (int c = 0; c < mean.length; c++) {
                mean[c] += perS[i][c] * seconds[i];
            }
        }
        for (int c = 0; c < mean.length; c++) {
            mean[c] /= time;
        }
        return mean;
    }

    /// Shares of the classes of all requests, from one window to another.
    double[] mix(int from, int to) {
        double[] mean = meanPerS(from, to);
        double sum = Arrays.stream(mean).sum();
        return Arrays.stream(mean).map(x -> x / sum).toArray();
    }
}
