package dev.jdyno.experiment.labelled;

import dev.jdyno.measure.statistics.Interval;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// How often the diagnosis was right on planted bottlenecks.
public record Labelled(List<Row> rows) {
    /// Why a case counts as not run when a neighbour was there that was not planted.
    public static final String CROWDED = "other processes held the machine each time";

    /// Confidence from which a wrong answer is worse than none.
    public static final double SURE = 0.9;

    /// One case.
    ///
    /// @param said the verdict's name
    /// @param second the runner-up's name
    /// @param failure why it could not be run; the other fields then say nothing
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

        /// Not run, for no fault of ours.
        public boolean isCrowded() {
            return failure.filter(CROWDED::equals).isPresent();
        }

        /// Wrong and sure of it.
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

    /// Whether every case was named right, but for those that a crowded machine kept from running;
    /// not when that were all.
    public boolean holds() {
        return right() > 0 && rows.stream().allMatch(r -> r.isRight() || r.isCrowded());
    }

    public long amongTwo() {
        return rows.stream().filter(Row::isAmongTwo).count();
    }

    public long misleading() {
        return rows.stream().filter(Row::misleads).count();
    }

    /// How often each planted name was given each name, in the order of the cases; cases that were
    /// not run are not in it.
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

    /// Wilson's 95 % interval of the share of right answers (Wilson 1927).
    public Interval accuracyCi95() {
        return wilson(right());
    }

    /// The same of the share of cases whose right name is among the first two.
    public Interval amongTwoCi95() {
        return wilson(amongTwo());
    }

    private Interval wilson(long successes) {
        return Interval.ofShare(run() == 0 ? 0 : (double) successes / run(), run());
    }
}
