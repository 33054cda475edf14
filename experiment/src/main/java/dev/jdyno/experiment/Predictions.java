package dev.jdyno.experiment;

import static java.util.stream.Collectors.joining;

import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.measure.text.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// All predictions of throughput and response time that the published experiments check, in one
/// table, with the median error over all of them: how accurate the models are on this machine.
///
/// @param experiments experiments that predict a changed service from the unchanged one
public record Predictions(List<Experiment> experiments) implements Experiment {
    /// The id in `jdyno lab`.
    public static final String ID = "whatif";

    /// Maximum median error of predicted throughput over the experiments.
    private static final double QPS_ERROR = 0.10;

    /// Maximum median error of predicted response time.
    private static final double RT_ERROR = 0.20;

    public Predictions {
        experiments = List.copyOf(experiments);
    }

    /// Returns E1, E3, E11, E12 and E13: the experiments whose recommendation changes CPU, a wait,
    /// threads, a lock or the order of calls.
    public static Predictions all() {
        return new Predictions(
                List.of(
                        new CpuAndIo(),
                        new ThreadCount(),
                        TooManyThreads.e11(),
                        new LockLimit(),
                        new ParallelCalls()));
    }

    /// Returns only these, by id in any case; all if the list is empty.
    ///
    /// @throws UserError if one of them checks no prediction
    public Predictions only(List<String> ids) {
        List<String> unknown =
                ids.stream()
                        .filter(id ->
                                experiments.stream()
                                        .map(Experiment::id)
                                        .noneMatch(id::equalsIgnoreCase))
                        .toList();
        if (!unknown.isEmpty()) {
            throw UserError.usage(
                    "--case: no prediction is checked by " + String.join(", ", unknown),
                    "those that are: "
                            + experiments.stream().map(Experiment::id).collect(joining(", ")),
                    "take some of these, or leave --case out for all");
        }
        return ids.isEmpty()
                ? this
                : new Predictions(
                        experiments.stream()
                                .filter(e -> ids.stream().anyMatch(e.id()::equalsIgnoreCase))
                                .toList());
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "predicted beside measured";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        List<Comparison> done = new ArrayList<>();
        for (Experiment e : experiments) {
            done.add(e.run(bench));
        }
        return of(done);
    }

    static Comparison of(List<Comparison> done) {
        List<Row> rows = new ArrayList<>();
        for (Comparison c : done) {
            c.rows().stream()
                    .filter(r -> r.predicted().isPresent())
                    .filter(r -> r.unit().equals("1/s") || r.unit().equals("ms"))
                    .map(r -> named(c.id() + " " + r.figure(), r))
                    .forEach(rows::add);
        }
        var all = new Comparison(ID, "predicted beside measured", rows, List.of());
        List<Row> judged = new ArrayList<>(rows);
        all.predictionError("1/s")
                .ifPresent(e -> judged.add(error("median error, throughput", e, QPS_ERROR)));
        all.predictionError("ms")
                .ifPresent(e -> judged.add(error("median error, response time", e, RT_ERROR)));
        return new Comparison(
                ID,
                all.title(),
                judged,
                List.of(
                        "from "
                                + String.join(", ", done.stream().map(Comparison::id).toList())
                                + ": each predicted from the service as it was, then run as changed"));
    }

    private static Row named(String figure, Row r) {
        return new Row(figure, r.published(), r.predicted(), r.measured(), r.unit(), r.judged());
    }

    private static Row error(String figure, double share, double max) {
        return new Row(
                String.format(Locale.ROOT, "%s (at most %.0f %%)", figure, 100 * max),
                Optional.empty(),
                Optional.empty(),
                100 * share,
                "%",
                Optional.of(new Judged(share <= max, max)));
    }
}
