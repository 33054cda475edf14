package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.simulated.Model;
import dev.jdyno.simulated.SimulatedService;
import dev.jdyno.simulated.VirtualClock;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Silent;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole comparisons of services that answer by formulas, in virtual time.
class SimulatedComparisonTest {
    private static final String FLAG = "-Dchange=1";

    @TempDir Path folder;
    private final VirtualClock clock = new VirtualClock();

    private static Settings within(Duration budget) {
        Settings d = Settings.DEFAULT;
        return new Settings(
                d.primary(),
                d.minEffect(),
                budget,
                d.block(),
                d.warmup(),
                d.concurrency(),
                d.ratePerS(),
                d.goal(),
                d.minStarts(),
                OptionalInt.empty(),
                d.loads());
    }

    private Comparison comparison(
            SimulatedService service, String command, Settings settings, BooleanSupplier stop) {
        Plan plan =
                Plan.of(
                        "shop",
                        URI.create("http://127.0.0.1:8080/"),
                        new Plan.TargetPlan.Launch(command));
        return new Comparison(
                new Variant(plan, List.of()),
                new Variant(plan, List.of(FLAG)),
                settings,
                service,
                new Session(folder, new Silent(), clock, stop),
                new SplittableRandom(service.calls()));
    }

    private Map<Outcome, Integer> verdicts(Model model, int seeds) throws InterruptedException {
        Map<Outcome, Integer> verdicts = new EnumMap<>(Outcome.class);
        for (int seed = 0; seed < seeds; seed++) {
            var service = new SimulatedService(model, clock, seed);
            Compared compared =
                    comparison(
                                    service,
                                    "java -jar shop.jar --port {port}",
                                    within(Duration.ofMinutes(20)),
                                    () -> false)
                            .run((_, _, _) -> {});
            verdicts.merge(compared.verdict(), 1, Integer::sum);
            assertThat(service.open()).isZero();
        }
        return verdicts;
    }

    @Test
    void equalVariantsRarelyDiffer() throws Exception {
        int seeds = 200;
        Map<Outcome, Integer> verdicts = verdicts(Model.e1(), seeds);
        int claims =
                verdicts.getOrDefault(Outcome.BETTER, 0) + verdicts.getOrDefault(Outcome.WORSE, 0);
        assertThat(claims).isLessThanOrEqualTo((int) (Judging.ALPHA * seeds));
    }

    @Test
    void fivePercentMoreCpuIsFound() throws Exception {
        int seeds = 100;
        Map<Outcome, Integer> verdicts = verdicts(Model.e1().with(FLAG, 1.06), seeds);
        assertThat(verdicts.getOrDefault(Outcome.WORSE, 0))
                .isGreaterThanOrEqualTo((int) (0.9 * seeds));
        assertThat(verdicts).doesNotContainKey(Outcome.BETTER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"java -jar shop.jar --port {port}", "java -jar shop.jar --port 8080"})
    void staysWithinBudgetAfterMinimumMeasurement(String command) throws Exception {
        for (int minutes = 2; minutes <= 20; minutes++) {
            for (int seed = 0; seed < 5; seed++) {
                var service = new SimulatedService(Model.e1().noise(0.05, 0.02), clock, seed);
                Duration budget = Duration.ofMinutes(minutes);
                Compared compared =
                        comparison(service, command, within(budget), () -> false)
                                .run((_, _, _) -> {});
                assertThat(
                                compared.seconds() <= Durations.seconds(budget)
                                        || compared.starts() == Judging.MIN_STARTS)
                        .as(
                                "%d min: %d starts in %f s",
                                minutes, compared.starts(), compared.seconds())
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"java -jar shop.jar --port {port}", "java -jar shop.jar --port 8080"})
    void withALimitItEndsUndecidedIfThreeStartsDoNotFit(String command) throws Exception {
        Settings settings = within(Duration.ofMinutes(1));
        double three =
                comparison(
                                new SimulatedService(Model.e1(), clock, 1),
                                command,
                                settings,
                                () -> false)
                        .run((_, _, _) -> {})
                        .seconds();
        for (double limit : new double[] {three / 4, three / 2, three * 0.9, three * 1.5}) {
            var service = new SimulatedService(Model.e1(), clock, 1);
            Compared compared =
                    comparison(service, command, settings, () -> false)
                            .endingWithin(_ -> limit)
                            .run((_, _, _) -> {});

            boolean fits = limit > three;
            assertThat(compared.starts() == Judging.MIN_STARTS).as("%.0f s", limit).isEqualTo(fits);
            assertThat(compared.partial()).isEqualTo(!fits);
            if (!fits) {
                assertThat(compared.verdict()).isEqualTo(Outcome.INCONCLUSIVE);
                assertThat(compared.failure()).isEmpty();
            }
            assertThat(service.open()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"java -jar shop.jar --port {port}", "java -jar shop.jar --port 8080"})
    void stopAtAnyMomentClosesBothVariants(String command) throws Exception {
        var whole = new SimulatedService(Model.e1(), clock, 1);
        comparison(whole, command, within(Duration.ofMinutes(5)), () -> false).run((_, _, _) -> {});
        for (int n = 1; n < whole.calls(); n++) {
            int call = n;
            var service = new SimulatedService(Model.e1(), clock, 1);
            Compared compared =
                    comparison(
                                    service,
                                    command,
                                    within(Duration.ofMinutes(5)),
                                    () -> service.calls() >= call)
                            .run((_, _, _) -> {});
            assertThat(compared.partial()).as("stopped at %d", call).isTrue();
            assertThat(service.open()).isZero();
        }
    }

    @Test
    void refusesFlagThatJvmIgnores() {
        var service = new SimulatedService(Model.e1().refusing(FLAG), clock, 1);
        Comparison comparison =
                comparison(
                        service,
                        "java -XX:+IgnoreUnrecognizedVMOptions -jar shop.jar --port {port}",
                        within(Duration.ofMinutes(5)),
                        () -> false);
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> comparison.run((_, _, _) -> {}))
                .matches(e -> e.why().contains(FLAG));
        assertThat(service.open()).isZero();
    }

    /// The command of both variants may be meant for several JDKs.
    @Test
    void notesFlagOfTheCommandThatTheJvmIgnores() throws Exception {
        String unknown = "-XX:+OfAnotherJdk";
        Compared compared =
                comparison(
                                new SimulatedService(Model.e1().refusing(unknown), clock, 1),
                                "java -XX:+IgnoreUnrecognizedVMOptions "
                                        + unknown
                                        + " -XX:HeapDumpPath=/x -jar shop.jar --port {port}",
                                within(Duration.ofMinutes(5)),
                                () -> false)
                        .run((_, _, _) -> {});
        assertThat(compared.notes())
                .containsOnlyOnce(
                        new Note.FlagIgnored(Arm.A, unknown), new Note.FlagIgnored(Arm.B, unknown));
    }

    @Test
    void keepsMeasurementsBeforeFailure() throws Exception {
        var service = new SimulatedService(Model.e1(), clock, 1);
        Compared compared =
                comparison(
                                service,
                                "java -jar shop.jar --port {port}",
                                within(Duration.ofMinutes(20)),
                                () -> false)
                        .run((soFar, _, _) -> {
                            if (soFar.starts() == 2) {
                                service.becomes(Model.e1().refusing(FLAG));
                            }
                        });
        assertThat(compared.partial()).isTrue();
        assertThat(compared.starts()).isEqualTo(2);
        assertThat(compared.notes()).hasAtLeastOneElementOfType(Note.Failed.class);
        assertThat(service.open()).isZero();
    }
}
