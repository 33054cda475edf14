package dev.jdyno.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Comparison;
import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.compare.Settings;
import dev.jdyno.compare.Variant;
import dev.jdyno.measure.TestSet;
import dev.jdyno.plan.Plan;
import dev.jdyno.simulated.Model;
import dev.jdyno.simulated.SimulatedService;
import dev.jdyno.simulated.VirtualClock;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Silent;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How often `compare` is right: whole comparisons with the default budget in virtual time. The
/// starts of the simulated service differ as recorded ones do ({@link RecordedStarts}).
///
/// `-Dcompare.comparisons=10000` gives the table of docs/truth.md, one row for each effect.
/// Comparison i has seed i for every effect.
class RecordedComparisonTest {
    private static final int COMPARISONS =
            Integer.getInteger("compare.comparisons", TestSet.times(60, 300));

    /// Seconds until the service is warm.
    private static final double WARM_UP = 20;

    /// Standard deviation of a block, in addition to that of its start.
    private static final double OF_BLOCKS = 0.005;

    private static final String FLAG = "-Dchange=1";
    private static final double NORMAL_95 = 1.96;
    private static final double[] DEVIATIONS = RecordedStarts.deviations();

    @TempDir Path folder;
    private final VirtualClock clock = new VirtualClock();

    /// Results of many comparisons of one true effect.
    private static final class Counted {
        private final Map<Outcome, Integer> verdicts = new EnumMap<>(Outcome.class);
        private final double[] seconds = new double[COMPARISONS];
        private int comparisons;
        private int contain;

        void add(Compared compared, double trueRatio) {
            verdicts.merge(compared.verdict(), 1, Integer::sum);
            seconds[comparisons++] = compared.seconds();
            contain +=
                    compared.row(Metric.CPU)
                                    .flatMap(Compared.Row::effect)
                                    .map(Effect::interval)
                                    .filter(i -> i.lo() <= trueRatio && trueRatio <= i.hi())
                                    .isPresent()
                            ? 1
                            : 0;
        }

        double share(Outcome outcome) {
            return (double) verdicts.getOrDefault(outcome, 0) / comparisons;
        }

        double claims() {
            return share(Outcome.BETTER) + share(Outcome.WORSE);
        }

        /// A share of the comparisons with Wilson's interval, in percent.
        private String rate(double share) {
            double z2 = NORMAL_95 * NORMAL_95;
            double middle = (share + z2 / (2 * comparisons)) / (1 + z2 / comparisons);
            double half =
                    NORMAL_95
                            / (1 + z2 / comparisons)
                            * Math.sqrt(
                                    share * (1 - share) / comparisons
                                            + z2 / (4.0 * comparisons * comparisons));
            return String.format(
                    "%.2f %% (%.2f to %.2f %%)",
                    100 * share, 100 * Math.max(0, middle - half), 100 * (middle + half));
        }

        /// A row of the table in docs/truth.md.
        String row(double trueRatio) {
            double[] sorted = Arrays.copyOf(seconds, comparisons);
            Arrays.sort(sorted);
            return String.format(
                    "| %+.0f %% | %d | %s | %s | %s | %s | %.1f %% | %.0f, %.0f |",
                    100 * (trueRatio - 1),
                    comparisons,
                    rate(share(Outcome.WORSE)),
                    rate(share(Outcome.BETTER)),
                    rate(share(Outcome.EQUIVALENT)),
                    rate(share(Outcome.INCONCLUSIVE)),
                    100.0 * contain / comparisons,
                    sorted[comparisons / 2],
                    sorted[Math.max(0, comparisons * 9 / 10 - 1)]);
        }
    }

    private Counted counted(double trueRatio) throws InterruptedException {
        var counted = new Counted();
        var session = new Session(folder, new Silent(), clock, () -> false);
        Plan plan =
                Plan.of(
                        "shop",
                        URI.create("http://127.0.0.1:8080/"),
                        new Plan.TargetPlan.Launch("java -jar shop.jar --port {port}"));
        for (int seed = 0; seed < COMPARISONS; seed++) {
            var service =
                    new SimulatedService(
                                    Model.e1().noise(0, OF_BLOCKS).with(FLAG, trueRatio),
                                    clock,
                                    seed)
                            .varyingBy(DEVIATIONS)
                            .warmingUp(WARM_UP);
            Compared compared =
                    new Comparison(
                                    new Variant(plan, List.of()),
                                    new Variant(plan, List.of(FLAG)),
                                    settings(),
                                    service,
                                    session,
                                    new SplittableRandom(seed))
                            .run((_, _, _) -> {});
            counted.add(compared, trueRatio);
        }
        System.out.println(counted.row(trueRatio));
        return counted;
    }

    private static Settings settings() {
        Settings d = Settings.DEFAULT;
        return new Settings(
                Metric.CPU,
                d.minEffect(),
                d.budget(),
                d.block(),
                d.warmup(),
                d.concurrency(),
                d.ratePerS(),
                d.goal(),
                d.minStarts(),
                d.maxStarts(),
                d.loads());
    }

    @Test
    void equalVariantsRarelyDiffer() throws Exception {
        assertThat(counted(1).claims()).isLessThanOrEqualTo(0.05);
    }

    @Test
    void largerCpuChangeIsFoundMoreOften() throws Exception {
        double two = counted(1.02).share(Outcome.WORSE);
        double three = counted(1.03).share(Outcome.WORSE);
        Counted five = counted(1.05);
        Counted ten = counted(1.10);
        assertThat(two).isLessThanOrEqualTo(three);
        assertThat(three).isLessThanOrEqualTo(five.share(Outcome.WORSE));
        assertThat(five.share(Outcome.WORSE)).isGreaterThanOrEqualTo(0.9);
        assertThat(five.share(Outcome.BETTER)).isZero();
        assertThat(ten.share(Outcome.WORSE)).isGreaterThanOrEqualTo(0.99);
    }
}
