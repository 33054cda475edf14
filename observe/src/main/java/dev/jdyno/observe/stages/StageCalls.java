package dev.jdyno.observe.stages;

import dev.jdyno.measure.thread.StageTimes.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Individually recorded calls of timed methods. Pure.
final class StageCalls {
    /// Maximum number of calls per second, of all methods together, that are recorded individually.
    /// The JVM's trace took 28 to 68 ns per call (docs/profiles.md). The cost of async-profiler's
    /// trace was not measured, and is higher because it walks the stack.
    static final int MAX_PER_SECOND = 5_000;

    /// Minimum and maximum number of intervals of a window.
    private static final int FEWEST = 3;

    private static final int MAX = 10;

    /// @param endS seconds since the window began
    record Call(double endS, double ms) {}

    private final Map<String, List<Call>> calls = new HashMap<>();

    void add(String method, Call call) {
        calls.computeIfAbsent(method, _ -> new ArrayList<>()).add(call);
    }

    /// Number of intervals of a window: one per second if it is long enough.
    static int intervals(double seconds) {
        return Math.clamp((long) seconds, FEWEST, MAX);
    }

    /// Ends of the intervals within the measured time, and the end of that time.
    ///
    /// @param planned the window's length
    /// @param measured the measured time; shorter if a caller wanted to stop
    static List<Double> ends(double planned, double measured) {
        int intervals = intervals(planned);
        List<Double> ends = new ArrayList<>();
        double length = planned / intervals;
        for (int i = 1; i < intervals && i * length < measured - length / 4; i++) {
            ends.add(i * length);
        }
        ends.add(measured);
        return ends;
    }

    /// The methods that are called rarely enough, together, to record each call; the rarest first.
    ///
    /// @param rates calls per second
    static Set<String> rareEnough(List<String> methods, Map<String, Double> rates) {
        Set<String> rare = new LinkedHashSet<>();
        double sum = 0;
        List<String> rarestFirst =
                methods.stream()
                        .distinct()
                        .sorted(Comparator.comparingDouble(m -> rates.getOrDefault(m, 0.0)))
                        .toList();
        for (String method : rarestFirst) {
            sum += rates.getOrDefault(method, 0.0);
            if (sum <= MAX_PER_SECOND) {
                rare.add(method);
            }
        }
        return rare;
    }

    /// The note on methods that are called too often.
    ///
    /// @param lacks what is therefore unknown about them
    static String tooOften(
            List<String> methods, Set<String> rare, Map<String, Double> rates, String lacks) {
        Set<String> often = new LinkedHashSet<>(methods);
        often.removeAll(rare);
        return often.isEmpty()
                ? ""
                : often.stream()
                                .map(m ->
                                        String.format(
                                                Locale.ROOT,
                                                "%s: %,.0f calls/s",
                                                m,
                                                rates.getOrDefault(m, 0.0)))
                                .collect(Collectors.joining("; "))
                        + String.format(
                                Locale.ROOT,
                                "; more than %,d/s are not written down one by one: %s",
                                MAX_PER_SECOND,
                                lacks);
    }

    /// The calls that ended after `fromS` and not after `toS`.
    Stage stage(String tag, double fromS, double toS, String from) {
        double[] ms =
                calls.getOrDefault(tag, List.of()).stream()
                        .filter(c -> c.endS() > fromS && c.endS() <= toS)
                        .mapToDouble(Call::ms)
                        .toArray();
        if (ms.length == 0) {
            return Stage.notCalled(tag);
        }
        double sum = 0;
        double min = Double.MAX_VALUE;
        double max = 0;
        for (double v : ms) {
            sum += v;
            min = Math.min(min, v);
            max = Math.max(max, v);
        }
        double mean = sum / ms.length;
        double squares = 0;
        for (double v : ms) {
            squares += (v - mean) * (v - mean);
        }
        return new Stage(
                tag,
                ms.length,
                Optional.of(mean),
                Optional.of(min),
                Optional.of(max),
                ms.length < 2
                        ? Optional.empty()
                        : Optional.of(Math.sqrt(squares / (ms.length - 1))),
                from);
    }

    /// Calls per second of each method that was called.
    Map<String, Double> rates(double seconds) {
        Map<String, Double> rates = new HashMap<>();
        calls.forEach((method, all) -> rates.put(method, all.size() / seconds));
        return rates;
    }
}
