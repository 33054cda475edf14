package dev.jdyno.experiment;

import dev.jdyno.experiment.Labelled.Row;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.UserError;
import dev.jdyno.measure.Verdict;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Trial;
import dev.jdyno.trial.TrialOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// Plants one bottleneck after the other and asks the diagnosis for its name. No published tool
/// reports how often it is right.
public final class LabelledBench {
    private final Bench bench;
    private final Function<Recording, Verdict> judge;
    private final long seed;

    /// @param judge the diagnosis under test
    /// @param seed draws the parameters of the cases, so that they cannot be learnt by heart
    public LabelledBench(Bench bench, Function<Recording, Verdict> judge, long seed) {
        this.bench = bench;
        this.judge = judge;
        this.seed = seed;
    }

    /// @param wanted which of the lab's cases to run
    public Labelled run(Predicate<PlantedCase> wanted) throws InterruptedException {
        List<PlantedCase> cases =
                bench.lab().print("planted.Planted", List.of("--list")).stream()
                        .map(PlantedCase::parse)
                        .filter(wanted)
                        .toList();
        List<Row> rows = new ArrayList<>();
        for (PlantedCase planted : cases) {
            if (bench.stop().getAsBoolean()) {
                break;
            }
            bench.listener()
                    .phase(
                            String.format(
                                    Locale.ROOT,
                                    "── %d of %d: %s",
                                    rows.size() + 1,
                                    cases.size(),
                                    planted.name()));
            rows.add(one(planted));
        }
        return new Labelled(rows);
    }

    private Row one(PlantedCase planted) throws InterruptedException {
        int feature = Runtime.version().feature();
        if (feature < planted.jdkMin() || feature > planted.jdkMax()) {
            return failed(planted, "does not show on JDK " + feature);
        }
        if (!planted.needs().isEmpty()) {
            return failed(planted, "needs " + planted.needs());
        }
        try (LabService service =
                bench.lab()
                        .start(
                                "planted.Planted",
                                planted.jvmArgs(),
                                List.of(
                                        "--port",
                                        "0",
                                        "--case",
                                        planted.name(),
                                        "--seed",
                                        Long.toString(seed)))) {
            TrialOutcome outcome =
                    new Trial(
                                    plan(planted, service),
                                    bench.folder(),
                                    bench.listener(),
                                    bench.clock(),
                                    bench.stop())
                            .run();
            Verdict verdict = judge.apply(outcome.recording());
            return new Row(
                    planted,
                    verdict.bottleneck().key(),
                    verdict.where(),
                    verdict.confidence(),
                    verdict.runnersUp().isEmpty()
                            ? ""
                            : verdict.runnersUp().getFirst().bottleneck().key(),
                    Optional.empty());
        } catch (UserError e) {
            return failed(planted, e.what() + ": " + e.why());
        }
    }

    private static Row failed(PlantedCase planted, String why) {
        return new Row(planted, "", "", 0, "", Optional.of(why));
    }

    private static Plan plan(PlantedCase planted, LabService service) {
        int n = planted.concurrency();
        return Plan.of(planted.name(), service.url("/"), new Plan.TargetPlan.Attach(service.pid()))
                .withWarmup(new Plan.Warmup(Duration.ofSeconds(3), Duration.ofSeconds(8), n))
                .withRounds(
                        new Plan.Rounds(
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(1),
                                List.of(Math.max(1, n / 4), n, 2 * n),
                                2 * n))
                .withEvidence(new Plan.Evidence(Duration.ofMillis(2500), 10));
    }
}
