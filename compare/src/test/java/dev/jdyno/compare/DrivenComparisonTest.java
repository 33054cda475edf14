package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Drive;
import dev.jdyno.plan.Plan;
import dev.jdyno.simulated.Model;
import dev.jdyno.simulated.SimulatedService;
import dev.jdyno.simulated.VirtualClock;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Silent;
import dev.jdyno.trial.TrialListener;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Comparisons under the load of a user's tool. The figures that the tool cannot give are missing.
class DrivenComparisonTest {
    private static final String FLAG = "-Dchange=1";

    @TempDir Path folder;

    private final VirtualClock clock = new VirtualClock();

    /// Notes the loads of all blocks.
    private static final class Watching implements TrialListener {
        private final Set<String> loads = new HashSet<>();

        @Override
        public void block(Block block, Round round) {
            loads.add(block.load() + " " + round.concurrency());
        }

        @Override
        public void phase(String says) {
            // only blocks matter
        }

        @Override
        public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
            // only blocks matter
        }

        @Override
        public void round(Round round) {
            // a comparison has no rounds
        }

        @Override
        public void note(String says) {
            // only blocks matter
        }
    }

    private SimulatedService service() {
        return new SimulatedService(Model.e1().with(FLAG, 1.2), clock, 1);
    }

    private Compared compared(Settings settings, TrialListener listener)
            throws InterruptedException {
        return comparison(settings, service(), listener).run((_, _, _) -> {});
    }

    private Comparison comparison(
            Settings settings, SimulatedService service, TrialListener listener) {
        Plan plan =
                Plan.of(
                                "shop",
                                URI.create("http://127.0.0.1:1/"),
                                new Plan.TargetPlan.Launch("java -jar shop.jar {port}"))
                        .withDrive(Optional.of(Drive.parse("wrk {n} {seconds} {port}")));
        return new Comparison(
                new Variant(plan, List.of()),
                new Variant(plan, List.of(FLAG)),
                settings,
                service,
                new Session(folder, listener, clock, () -> false),
                new SplittableRandom(1));
    }

    private static Settings improving(Metric primary) {
        Settings d = Settings.DEFAULT;
        return new Settings(
                        primary,
                        d.minEffect(),
                        d.budget(),
                        d.block(),
                        d.warmup(),
                        d.concurrency(),
                        d.ratePerS(),
                        d.goal(),
                        d.minStarts(),
                        d.maxStarts(),
                        d.loads())
                .driven();
    }

    /// A load tool that does not print some figures.
    private static DriverFacts wrk(String... missing) {
        return new DriverFacts(
                "wrk {n} {seconds} {port}", "wrk", List.of(missing), Optional.empty());
    }

    private static RoundFixture like(Round block) {
        return RoundFixture.round(block.concurrency(), block.qps());
    }

    @Test
    void endsAfterFirstStartIfToolDoesNotPrintPrimaryFigure() {
        SimulatedService service =
                service()
                        .loadedBy(
                                wrk("percentiles: give --latency"),
                                block -> like(block).p50(Double.NaN).build());

        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() ->
                        comparison(improving(Metric.DRIVER_P50), service, new Silent())
                                .run((_, _, _) -> {}))
                .matches(e -> e.kind() == UserError.Kind.INVALID)
                .satisfies(e -> assertThat(e.why()).contains("give --latency"));
    }

    @Test
    void endsAfterFirstStartIfBlocksAreTooShortForPrimaryFigure() {
        SimulatedService service =
                service()
                        .loadedBy(
                                wrk(),
                                block -> RoundFixture.round(block.concurrency(), 10).build());

        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() ->
                        comparison(improving(Metric.DRIVER_P99), service, new Silent())
                                .run((_, _, _) -> {}))
                .matches(e -> e.kind() == UserError.Kind.INVALID)
                .satisfies(e -> assertThat(e.fix()).contains("--block"));
    }

    @Test
    void endsAfterFirstStartIfToolIsTheLimit() {
        SimulatedService service =
                service()
                        .loadedBy(
                                wrk(),
                                block ->
                                        like(block)
                                                .clientLoop(99)
                                                .clientHeldUp(0, "its busiest thread")
                                                .build());
        Comparison comparison = comparison(improving(Metric.CPU), service, new Silent());

        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> comparison.run((_, _, _) -> {}))
                .matches(e -> e.kind() == UserError.Kind.INVALID)
                .satisfies(e -> assertThat(e.why()).contains("its busiest thread"));
        assertThat(comparison.wasAtB()).isFalse();
        assertThat(service.open()).isZero();
    }

    /// The machine may delay the tool less in the next start.
    @Test
    void goesOnIfMachineDelaysTool() throws InterruptedException {
        SimulatedService service =
                service().loadedBy(wrk(), block -> like(block).clientHeldUp(50, "steal").build());

        Compared compared =
                comparison(improving(Metric.CPU), service, new Silent()).run((_, _, _) -> {});

        assertThat(compared.starts()).isGreaterThan(1);
        assertThat(compared.verdict()).isEqualTo(Outcome.INCONCLUSIVE);
    }

    @Test
    void decidesByFigureThatToolPrints() throws InterruptedException {
        SimulatedService service = service().loadedBy(wrk("the mean"), UnaryOperator.identity());

        Compared compared =
                comparison(improving(Metric.DRIVER_P50), service, new Silent())
                        .run((_, _, _) -> {});

        assertThat(compared.starts()).isGreaterThan(1);
        assertThat(compared.row(Metric.DRIVER_P50).flatMap(Compared.Row::effect)).isPresent();
    }

    @Test
    void ratesAreMissingAndTheOtherFiguresDecide() throws InterruptedException {
        Compared compared = compared(Settings.DEFAULT.driven(), new Silent());

        assertThat(compared.verdict()).isEqualTo(Outcome.WORSE);
        assertThat(compared.rows())
                .extracting(Compared.Row::metric)
                .contains(Metric.QPS, Metric.CPU, Metric.DRIVER_P50)
                .doesNotContain(Metric.P50, Metric.P99, Metric.GOAL_RATE);
        assertThat(compared.ratePerS()).isZero();
    }

    @Test
    void percentilesAreMeasuredWithFewUsers() throws InterruptedException {
        var seen = new Watching();
        Compared compared = compared(Settings.DEFAULT.driven(), seen);

        int few = Math.max(1, compared.concurrency() / 4);
        assertThat(seen.loads)
                .containsExactlyInAnyOrder(
                        "SATURATED " + compared.concurrency(), "FEW_USERS " + few);
        assertThat(few).isLessThan(compared.concurrency());
    }

    @Test
    void percentileThatToolDoesNotPrintIsMissing() {
        Round withoutPercentiles = RoundFixture.round(4, 500).p50(Double.NaN).build();

        assertThat(Metric.DRIVER_P50.of(withoutPercentiles)).isEmpty();
        assertThat(Metric.QPS.of(withoutPercentiles)).hasValue(500.0);
    }

    @Test
    void notesBlocksThatRunsOfTheToolLengthened() {
        var blocks = new Blocks();
        Round measured = RoundFixture.round(4, 500).build();
        blocks.seen(Arm.A, measured);
        Duration length = Duration.ofMillis(Math.round(1000 * measured.seconds()));

        assertThat(blocks.longerThan(length)).isEmpty();
        assertThat(blocks.longerThan(length.dividedBy(2)))
                .hasValue(new Note.BlocksLengthened(length.dividedBy(2)));
    }
}
