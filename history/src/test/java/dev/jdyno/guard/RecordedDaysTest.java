package dev.jdyno.guard;

import static dev.jdyno.guard.Calendar.worse;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric;
import dev.jdyno.measure.TestSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Histories made of days that `bench/guard/days.py --plain` recorded: a real service on two cores,
/// with a neighbour on every second day.
///
/// Each line is a start. Figures that {@link Usable} excludes from a block are excluded here, too:
/// throughput and response times with a neighbour, and allocation of a service that allocates
/// almost nothing. A simulated day is a recorded day, drawn with replacement, and so are its
/// starts. If a day is measured again, its starts are drawn from the same recorded day. So an
/// unusual property of a day remains.
class RecordedDaysTest {
    private static final String RECORDED = "/guard/starts.tsv";

    /// Number of histories; `-Dguard.histories=200` gives the figures of docs/guard.md.
    private static final int HISTORIES =
            Integer.getInteger("guard.histories", TestSet.times(10, 60));

    private static final Set<Metric> STEADY = EnumSet.of(Metric.CPU, Metric.GC);
    private static final Set<Metric> USABLE =
            EnumSet.of(Metric.CPU, Metric.GC, Metric.QPS, Metric.P50, Metric.P99);
    private static final int STARTS = 2;
    private static final int DAYS = 30;
    private static final int CHANGED = 10;

    /// Factors of each figure if the CPU cost rises, for a service that is limited by its CPU.
    private static final Map<Metric, Double> COST_INCREASE =
            Map.of(Metric.CPU, 1.05, Metric.QPS, 1 / 1.05);

    private static final Map<Metric, Double> CHEAPER =
            Map.of(Metric.CPU, 1 / 1.2, Metric.QPS, 1.2, Metric.P50, 1 / 1.2, Metric.P99, 1 / 1.2);

    private final List<List<Past.Today>> recorded = recorded();

    /// The starts of each recorded day.
    private static List<List<Past.Today>> recorded() {
        List<String> lines = lines();
        List<String> head = List.of(lines.getFirst().split("\t"));
        Map<Integer, List<Past.Today>> days = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = List.of(line.split("\t"));
            Map<Metric, Double> values = new EnumMap<>(Metric.class);
            boolean disturbedBlocks = cells.get(head.indexOf("neighbour")).equals("1");
            for (Metric metric : disturbedBlocks ? STEADY : USABLE) {
                int at = head.indexOf(metric.key());
                if (at >= 0 && !cells.get(at).equals("-")) {
                    values.put(metric, Double.parseDouble(cells.get(at)));
                }
            }
            double ns = Double.parseDouble(cells.get(head.indexOf("machineNs")));
            days.computeIfAbsent(Integer.valueOf(cells.getFirst()), _ -> new ArrayList<>())
                    .add(new Past.Today(values, ns));
        }
        return List.copyOf(days.values());
    }

    private static List<String> lines() {
        try (InputStream file =
                Objects.requireNonNull(RecordedDaysTest.class.getResourceAsStream(RECORDED))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Calendar calendar(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        return new Calendar(() -> {
            List<Past.Today> day = recorded.get(random.nextInt(recorded.size()));
            return () -> mean(drawn(day, random));
        });
    }

    /// Draws as many starts as were recorded that day.
    private static List<Past.Today> drawn(List<Past.Today> day, RandomGenerator random) {
        return Stream.generate(() -> day.get(random.nextInt(day.size()))).limit(STARTS).toList();
    }

    private static Past.Today mean(List<Past.Today> starts) {
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            starts.stream()
                    .filter(s -> s.values().containsKey(metric))
                    .mapToDouble(s -> s.values().get(metric))
                    .average()
                    .ifPresent(v -> values.put(metric, v));
        }
        return new Past.Today(
                values, starts.stream().mapToDouble(Past.Today::ns).average().orElseThrow());
    }

    @Tag("full") // few histories have a false alarm more by chance
    @Test
    void raisesAtMostOneFalseAlarmInHundredDays() {
        int days = 0;
        int alarms = 0;
        Map<Metric, Integer> by = new EnumMap<>(Metric.class);
        for (int history = 0; history < HISTORIES; history++) {
            var calendar = calendar(history);
            for (int day = 0; day < DAYS; day++) {
                List<Metric> worse = worse(calendar.next(Map.of(), 1));
                worse.forEach(m -> by.merge(m, 1, Integer::sum));
                alarms += worse.isEmpty() ? 0 : 1;
                days += day < Guarded.MIN_DAYS ? 0 : 1;
            }
        }
        System.out.println(alarms + " false alarms in " + days + " days " + by);
        assertThat(alarms).isLessThanOrEqualTo(days / 100);
    }

    @Test
    void findsFivePercentMoreCpuWithinTwoDaysAndReportsItOnce() {
        int inTime = 0;
        int once = 0;
        for (int history = 0; history < HISTORIES; history++) {
            List<Integer> found = worseCpu(calendar(1000 + history), COST_INCREASE);
            inTime += found.stream().anyMatch(d -> d == CHANGED || d == CHANGED + 1) ? 1 : 0;
            once += found.stream().filter(d -> d >= CHANGED).count() == 1 ? 1 : 0;
        }
        System.out.println("found in time in " + inTime + " of " + HISTORIES + ", once in " + once);
        assertThat(inTime).isGreaterThanOrEqualTo(HISTORIES * 9 / 10);
        assertThat(once).isGreaterThanOrEqualTo(HISTORIES * 9 / 10);
    }

    /// Days on which the guard reports more CPU time.
    private static List<Integer> worseCpu(Calendar calendar, Map<Metric, Double> factors) {
        List<Integer> found = new ArrayList<>();
        for (int day = 0; day < 2 * CHANGED; day++) {
            if (worse(calendar.next(day < CHANGED ? Map.of() : factors, 1)).contains(Metric.CPU)) {
                found.add(day);
            }
        }
        return found;
    }

    @Test
    void anImprovementIsNoRegression() {
        int alarms = 0;
        for (int history = 0; history < HISTORIES; history++) {
            var calendar = calendar(2000 + history);
            for (int day = 0; day < CHANGED; day++) {
                calendar.next(Map.of(), 1);
            }
            alarms += worse(calendar.next(CHEAPER, 1)).isEmpty() ? 0 : 1;
        }
        assertThat(alarms).isZero();
    }
}
