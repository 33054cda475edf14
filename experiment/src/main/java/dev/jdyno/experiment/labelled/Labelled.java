package dev.jdyno.experiment.labelled;

import dev.jdyno.measure.statistics.Interval;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The share of right diagnoses of planted bottlenecks.
public record Labelled(List<Row> rows) {
    /// Failure text of a case during which other processes used the machine, which was not planted.
    public static final String BUSY_MACHINE = "other processes held the machine each time";

    /// Minimum confidence at which a wrong answer is worse than no answer.
    public static final double SURE = 0.9;

    /// One case.
    ///
    /// @param said the verdict's name
    /// @param second the runner-up's name
    /// @param failure why it could not be run; the other fields are then meaningless
    public record Row(
            PlantedCase planted,
            String said,
            String where,
            double confidence,
            String second,
            Optional<String> failure) {
        public boolean isRight() {
            return failure.isEmpty() && planted.isRight(said);
        }

        public boolean isAmongTwo() {
            return isRight() || (failure.isEmpty() && planted.isRight(second));
        }

        public boolean isRightPlace() {
            return isRight() && planted.isRightPlace(where);
        }

        /// True if the case could not be run because other processes used the machine.
        public boolean isDisturbedByOthers() {
            return failure.filter(BUSY_MACHINE::equals).isPresent();
        }

        /// True if the answer is wrong with high confidence.
        public boolean misleads() {
            return failure.isEmpty() && !isRight() && confidence >= SURE;
        }
    }

    public Labelled {
        rows = List.copyOf(rows);
    }

    public long run() {
        return rows.stream().filter(r -> r.failure().isEmpty()).count();
    }

    public long right() {
        return rows.stream().filter(Row::isRight).count();
    }

    /// True if at least one case was run and every case was named correctly, except those that
    /// other processes prevented.
    public boolean holds() {
        return right() > 0 && rows.stream().allMatch(r -> r.isRight() || r.isDisturbedByOthers());
    }

    public long amongTwo() {
        return rows.stream().filter(Row::isAmongTwo).count();
    }

    public long misleading() {
        return rows.stream().filter(Row::misleads).count();
    }

    /// For each planted bottleneck, how often it got each name. The order is that of the cases;
    /// cases that were not run are left out.
    public Map<String, Map<String, Long>> confusion() {
        Map<String, Map<String, Long>> counts = new LinkedHashMap<>();
        for (Row row : rows) {
            if (row.failure().isEmpty()) {
                counts.computeIfAbsent(row.planted().bottleneck(), _ -> new TreeMap<>())
                        .merge(row.said(), 1L, Long::sum);
            }
        }
        return counts;
    }

    /// Wilson's 95 % interval of the share of correct answers (Wilson 1927).
    public Interval accuracyCi95() {
        return wilson(right());
    }

    /// Wilson's 95 % interval of the share of cases whose correct name is among the first two.
    public Interval amongTwoCi95() {
        return wilson(amongTwo());
    }

    private Interval wilson(long successes) {
        return Interval.ofShare(run() == 0 ? 0 : (double) successes / run(), run());
    }
}
