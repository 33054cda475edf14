package dev.jdyno.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note.NotInBudget;
import dev.jdyno.compare.Note.NotInBudget.Step;
import dev.jdyno.history.Entries;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.plan.Plan;
import dev.jdyno.simulated.Model;
import dev.jdyno.simulated.SimulatedService;
import dev.jdyno.simulated.VirtualClock;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Silent;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The budget of a guarded run against a pinned build: whole runs of a simulated service, in
/// virtual time. Its starts differ as recorded ones do ({@link RecordedStarts}).
class PinnedBudgetTest {
    private static final int RUNS = Integer.getInteger("guard.runs", 200);
    private static final String FLAG = "-Dchange=1";
    private static final double[] DEVIATIONS = RecordedStarts.deviations();

    /// Standard deviation of a block, in addition to that of its start.
    private static final double OF_BLOCKS = 0.005;

    @TempDir Path folder;
    private final VirtualClock clock = new VirtualClock();

    private static Plan plan() {
        return Plan.of(
                        "shop",
                        URI.create("http://127.0.0.1:8080/"),
                        new Plan.TargetPlan.Launch("java " + FLAG + " -jar shop.jar --port {port}"))
                .withBuilds(
                        new Plan.Builds(
                                Optional.of("java -jar shop.jar --port {port}"), Optional.empty()));
    }

    private static GuardSettings within(Optional<Duration> budget) {
        GuardSettings d = GuardSettings.DEFAULT;
        return new GuardSettings(
                d.starts(), d.block(), d.warmup(), budget, d.minEffect(), d.branch(), d.since());
    }

    private Guarding.Outcome run(double ratio, double warmUp, Optional<Duration> budget, int seed)
            throws Exception {
        var service =
                new SimulatedService(Model.e1().noise(0, OF_BLOCKS).with(FLAG, ratio), clock, seed)
                        .varyingBy(DEVIATIONS)
                        .warmingUp(warmUp);
        Guarding.Outcome outcome = run(service, budget, seed, () -> false);
        assertThat(service.open()).isZero();
        return outcome;
    }

    private Guarding.Outcome run(
            SimulatedService service, Optional<Duration> budget, int seed, BooleanSupplier stop)
            throws Exception {
        return new PinnedGuarding(
                        plan(),
                        within(budget),
                        service,
                        new Session(folder, new Silent(), clock, stop),
                        new SplittableRandom(seed))
                .run(
                        (_, _, _) -> {},
                        new Entries.Origin(
                                Instant.parse("2026-01-01T06:00:00Z"),
                                "jdyno guard shop.yaml",
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
    }

    private static Optional<NotInBudget> withoutTime(Guarded result) {
        return result.notes().stream()
                .filter(NotInBudget.class::isInstance)
                .map(NotInBudget.class::cast)
                .findFirst();
    }

    private static Verdict cpu(Guarded result) {
        return result.figures().stream()
                .filter(f -> f.metric() == Metric.CPU)
                .findFirst()
                .orElseThrow()
                .verdict();
    }

    /// The first start is always measured, because it shows how long a start takes.
    @Test
    @Tag("full") // many guarded runs
    void afterTheFirstStartNothingLastsLongerThanTheBudget() throws Exception {
        for (double warmUp : new double[] {3, 20, 60}) {
            for (int minutes = 3; minutes <= 40; minutes++) {
                for (double ratio : new double[] {1, 1.3}) {
                    Guarded result =
                            run(ratio, warmUp, Optional.of(Duration.ofMinutes(minutes)), minutes)
                                    .result();
                    boolean first =
                            withoutTime(result).filter(n -> n.step() == Step.FIRST).isPresent();
                    assertThat(first || result.seconds() <= 60.0 * minutes)
                            .as(
                                    "%d min, warm after %.0f s, × %.1f: %.0f s",
                                    minutes, warmUp, ratio, result.seconds())
                            .isTrue();
                }
            }
        }
    }

    @Test
    void withMoreTimeFewerStepsAreLeftOut() throws Exception {
        List<Optional<Step>> left = new ArrayList<>();
        for (int minutes = 3; minutes <= 30; minutes++) {
            Optional<Duration> budget = Optional.of(Duration.ofMinutes(minutes));
            Guarding.Outcome outcome = run(1.3, 20, budget, 1);
            Guarded result = outcome.result();
            Optional<Step> step = withoutTime(result).map(NotInBudget::step);
            if (!left.contains(step)) {
                left.add(step);
            }
            boolean nothing = step.filter(s -> s == Step.FIRST).isPresent();
            boolean unconfirmed = nothing || step.filter(s -> s == Step.SECOND).isPresent();
            assertThat(result.partial()).isEqualTo(nothing);
            assertThat(outcome.entry().isEmpty()).isEqualTo(nothing);
            assertThat(result.confirmed()).isEqualTo(!unconfirmed);
            assertThat(result.verdict())
                    .isEqualTo(unconfirmed ? Guarded.Overall.UNCLEAR : Guarded.Overall.REGRESSION);
            assertThat(cpu(result))
                    .isEqualTo(
                            nothing
                                    ? Verdict.UNCLEAR
                                    : unconfirmed ? Verdict.SUSPECT : Verdict.WORSE);
        }
        assertThat(left)
                .startsWith(Optional.of(Step.FIRST), Optional.of(Step.SECOND))
                .endsWith(Optional.empty());
    }

    @Test
    void budgetTooShortForThreeStartsEndsAfterTheFirst() throws Exception {
        double three = run(1, 60, Optional.empty(), 1).result().seconds();

        Guarded result = run(1, 60, Optional.of(Duration.ofMinutes(5)), 1).result();

        assertThat(withoutTime(result).map(NotInBudget::step)).contains(Step.FIRST);
        assertThat(result.seconds()).isLessThan(three / 2);
    }

    @Test
    @Tag("full") // many guarded runs
    void namedBudgetIsEnough() throws Exception {
        for (int minutes = 3; minutes <= 20; minutes++) {
            for (double warmUp : new double[] {3, 20, 60}) {
                Optional<NotInBudget> note =
                        withoutTime(
                                run(1.3, warmUp, Optional.of(Duration.ofMinutes(minutes)), minutes)
                                        .result());
                if (note.isPresent()) {
                    Guarded result =
                            run(1.3, warmUp, note.map(NotInBudget::enough), minutes).result();
                    assertThat(withoutTime(result)).as("%s after %d min", note, minutes).isEmpty();
                    assertThat(result.verdict()).isEqualTo(Guarded.Overall.REGRESSION);
                }
            }
        }
    }

    /// The time for the second comparison depends on that of the first one. Its error rate does
    /// not.
    @Test
    @Tag("full") // many guarded runs
    void unchangedBuildIsRarelyCalledWorse() throws Exception {
        int worse = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            Optional<Duration> budget = Optional.of(Duration.ofMinutes(11 + seed % 15));
            worse +=
                    run(1, 20, budget, seed).result().verdict() == Guarded.Overall.REGRESSION
                            ? 1
                            : 0;
        }
        System.out.printf("%d of %d unchanged builds called worse%n", worse, RUNS);
        assertThat(worse).isLessThanOrEqualTo(Math.max(1, RUNS / 100));
    }

    @Test
    @Tag("full") // many guarded runs
    void tenPercentMoreCpuIsFoundWithinTheDefaultBudget() throws Exception {
        int found = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            Guarded result = run(1.1, 20, Optional.empty(), seed).result();
            found += result.verdict() == Guarded.Overall.REGRESSION ? 1 : 0;
            assertThat(result.seconds())
                    .isLessThanOrEqualTo(Durations.seconds(GuardSettings.PINNED_BUDGET));
        }
        System.out.printf("%d of %d builds with 10 %% more CPU found%n", found, RUNS);
        assertThat(found).isGreaterThanOrEqualTo((int) (0.9 * RUNS));
    }

    @Test
    void leastTimeIsLessThanAnyRunTakes() throws Exception {
        double took = run(1, 3, Optional.empty(), 1).result().seconds();
        Duration least = PinnedGuarding.least(plan(), GuardSettings.DEFAULT);
        assertThat(Durations.seconds(least)).isBetween(30.0, took);
    }

    @Test
    void stopAtAnyMomentStoresNothingAndBlamesNoBudget() throws Exception {
        var whole = new SimulatedService(Model.e1().with(FLAG, 1.3), clock, 1);
        run(whole, Optional.empty(), 1, () -> false);
        for (int n = 1; n < whole.calls(); n++) {
            int call = n;
            var service = new SimulatedService(Model.e1().with(FLAG, 1.3), clock, 1);
            Guarding.Outcome outcome =
                    run(service, Optional.empty(), 1, () -> service.calls() >= call);
            assertThat(outcome.result().verdict()).isNotEqualTo(Guarded.Overall.OK);
            assertThat(withoutTime(outcome.result())).as("stopped at %d", call).isEmpty();
            assertThat(service.open()).isZero();
        }
    }
}
