package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

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
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MultiArmTest {
    private static final int FAST = 1;
    private static final int SAME = 2;

    private static final Model MODEL =
            Model.e1().with("-Dfast=1", 0.8).refusing("-XX:+Odd").wrongWith("-Dwrong=1");

    @TempDir Path folder;
    private final VirtualClock clock = new VirtualClock();

    private MultiArm arms(SimulatedService service, String... flags) {
        Plan plan =
                Plan.of(
                        "shop",
                        URI.create("http://127.0.0.1:8080/"),
                        new Plan.TargetPlan.Launch("java -jar shop.jar --port {port}"));
        List<Variant> variants =
                Stream.of(flags)
                        .map(f -> new Variant(plan, f.isEmpty() ? List.of() : List.of(f)))
                        .toList();
        return new MultiArm(
                variants,
                new Settings(
                        Metric.QPS,
                        0.03,
                        Duration.ofMinutes(8),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(90),
                        OptionalInt.of(40),
                        OptionalDouble.empty(),
                        Optional.empty(),
                        2,
                        OptionalInt.of(5),
                        Set.of(Metric.Load.SATURATED)),
                service,
                new Session(folder, new Silent(), clock, () -> false),
                new SplittableRandom(1));
    }

    private SimulatedService service(double starts, double blocks, int seed) {
        return new SimulatedService(MODEL.noise(starts, blocks), clock, seed);
    }

    @Test
    void anyTwoVariantsAreComparedByTheSameStarts() throws Exception {
        SimulatedService service = service(0.002, 0.001, 1);
        MultiArm arms = arms(service, "", "-Dfast=1", "-Dsame=1");
        arms.start(2);
        arms.start(2);
        arms.start(2);
        assertThat(arms.starts()).isEqualTo(3);
        Compared fast = arms.compared(MultiArm.CONTROL, FAST, StartNoise.NONE, 1);
        assertThat(fast.verdict()).isEqualTo(Outcome.BETTER);
        assertThat(fast.pairs()).isEqualTo(6);
        assertThat(fast.row(Metric.QPS).orElseThrow().effect().orElseThrow().ratio())
                .isCloseTo(1.25, within(0.03));
        assertThat(arms.compared(SAME, FAST, StartNoise.NONE, 1).verdict())
                .isEqualTo(Outcome.BETTER);
        assertThat(arms.compared(MultiArm.CONTROL, SAME, StartNoise.NONE, 1).verdict())
                .isEqualTo(Outcome.EQUIVALENT);
        assertThat(service.open()).isZero();
    }

    @Test
    void variantThatFailsDoesNotEndTheOthers() throws Exception {
        SimulatedService service = service(0.002, 0.001, 1);
        MultiArm arms = arms(service, "", "-Dfast=1", "-XX:+Odd", "-Dwrong=1");
        arms.start(3);
        assertThat(arms.failure(FAST)).isEmpty();
        assertThat(arms.failure(2)).isPresent();
        assertThat(arms.failure(3).map(UserError::kind)).contains(UserError.Kind.ANSWER);
        assertThat(arms.hasAnswered(2)).isFalse();
        assertThat(arms.screened(MultiArm.CONTROL, FAST).verdict()).isEqualTo(Outcome.BETTER);
        assertThat(service.open()).isZero();
    }

    /// A variant without figures in one start leaves the pooled noise, and is judged by its own.
    @Test
    void variantThatFailsLaterKeepsItsFigures() throws Exception {
        SimulatedService service = service(0.002, 0.001, 1);
        MultiArm arms = arms(service, "", "-Dfast=1", "-Dsame=1");
        arms.start(2);
        arms.start(2);
        arms.start(2);
        service.becomes(MODEL.noise(0.002, 0.001).refusing("-Dsame=1"));
        arms.start(2);

        assertThat(arms.failure(SAME)).isPresent();
        assertThat(arms.compared(MultiArm.CONTROL, FAST, StartNoise.NONE, 1).starts()).isEqualTo(4);
        Compared same = arms.compared(MultiArm.CONTROL, SAME, StartNoise.NONE, 1);
        assertThat(same.starts()).isEqualTo(3);
        assertThat(same.partial()).isTrue();
        assertThat(arms.noise().degrees()).isEqualTo(3);
        assertThat(service.open()).isZero();
    }

    @Test
    void controlMustNotFail() {
        SimulatedService service = service(0.002, 0.001, 1);
        MultiArm arms = arms(service, "-XX:+Odd", "-Dfast=1");
        assertThatThrownBy(() -> arms.start(1)).isInstanceOf(UserError.class);
        assertThat(service.open()).isZero();
    }

    /// Two starts of four variants have 3 degrees of freedom, two starts of one pair have 1.
    @Test
    void othersShowHowStartsDiffer() throws Exception {
        MultiArm arms = arms(service(0.013, 0.01, 2), "", "-Dfast=1", "-Dsame=1", "-Dsame=2");
        arms.start(2);
        arms.start(2);
        assertThat(arms.noise().degrees()).isEqualTo(3);
        assertThat(arms.compared(MultiArm.CONTROL, FAST, StartNoise.NONE, 1).verdict())
                .isEqualTo(Outcome.BETTER);
    }

    /// At most one in forty comparisons of 2 to 5 starts calls a variant without any effect better.
    @Test
    void variantWithoutEffectIsSeldomBetter() throws Exception {
        int better = 0;
        int runs = 400;
        for (int seed = 0; seed < runs; seed++) {
            MultiArm arms = arms(service(0.02, 0.01, seed), "", "-Dfast=1", "-Dsame=1", "-Dsame=2");
            Outcome outcome = Outcome.INCONCLUSIVE;
            arms.start(1);
            while (arms.starts() < 5 && outcome == Outcome.INCONCLUSIVE) {
                arms.start(1);
                outcome = arms.compared(MultiArm.CONTROL, SAME, StartNoise.NONE, 1).verdict();
            }
            better += outcome == Outcome.BETTER ? 1 : 0;
        }
        assertThat(better).isLessThanOrEqualTo(runs / 40);
    }
}
