package dev.jdyno.diagnose.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// The heat exchanger with bypass from Narasimhan and Jordache, Data Reconciliation and Gross Error
/// Detection (2000), tables 1-1 to 1-3 and example 7-1. A stream is split between exchanger and
/// valve, and both parts are mixed again. All standard errors are 1.
class ReconciliationTest {
    private static final Offset<Double> PRINTED = within(0.0051);

    private static final List<Balance> EXCHANGER =
            List.of(
                    Balance.parts("splitter", "1", List.of("2", "3")),
                    Balance.parts("exchanger", "2", List.of("4")),
                    Balance.parts("valve", "3", List.of("5")),
                    Balance.parts("mixer", "6", List.of("4", "5")));

    private static final double[] TRUE_FLOWS = {100, 64, 36, 64, 36, 100};

    private static List<Measurement> flows(double... values) {
        return named(values.length, i -> new Measurement("" + (i + 1), values[i], 1));
    }

    private static List<Measurement> named(int n, IntFunction<Measurement> of) {
        return IntStream.range(0, n).mapToObj(of).toList();
    }

    private static void assertFlows(Reconciled found, Offset<Double> error, double... values) {
        for (int i = 0; i < values.length; i++) {
            String stream = "" + (i + 1);
            assertThat(found.value(stream).orElseThrow()).as(stream).isCloseTo(values[i], error);
        }
    }

    @Test
    void closesThePublishedFlows() {
        Reconciled found =
                Reconciliation.of(flows(101.91, 64.45, 34.65, 64.20, 36.44, 98.88), EXCHANGER);

        assertFlows(found, PRINTED, 100.22, 64.50, 35.72, 64.50, 35.72, 100.22);
        assertThat(found.faults()).isEmpty();
        assertThat(found.redundancy()).isEqualTo(4);
    }

    /// Two of six figures are free, so each figure's own measurement has a weight of a third.
    @Test
    void reconciliationReducesErrors() {
        Reconciled found =
                Reconciliation.of(flows(101.91, 64.45, 34.65, 64.20, 36.44, 98.88), EXCHANGER);

        assertThat(found.figures().values())
                .allSatisfy(f ->
                        assertThat(f.standardError()).isCloseTo(Math.sqrt(1.0 / 3), within(1e-9)));
    }

    /// Stream 2 is 4 too high. The global test gives 16.674 (chi-squared of 4 degrees of freedom is
    /// 9.488). The measurement test gives 3.2047 for stream 2, above 2.63.
    @Test
    void namesThePublishedGrossError() {
        List<Measurement> flows = flows(101.91, 68.45, 34.65, 64.20, 36.44, 98.88);

        Solution all = Solution.of(flows, EXCHANGER);
        double[] published = {100.89, 65.83, 35.05, 65.83, 35.05, 100.89};
        double criterion = 0;
        for (int i = 0; i < published.length; i++) {
            assertThat(all.values()[i]).isCloseTo(published[i], PRINTED);
            criterion += all.adjustments()[i] * all.adjustments()[i];
        }
        assertThat(criterion).isCloseTo(16.674, PRINTED);

        Reconciled found = Reconciliation.of(flows, EXCHANGER);
        assertThat(found.faults()).hasSize(1);
        Reconciled.Fault fault = found.faults().getFirst();
        assertThat(fault.measurement()).isEqualTo("2");
        assertThat(fault.statistic()).isCloseTo(3.2047, PRINTED);
        assertThat(fault.critical()).isCloseTo(2.63, PRINTED);
        assertThat(fault.balances()).containsExactlyInAnyOrder("splitter", "exchanger");
        assertThat(fault.alike()).isEmpty();
        assertFlows(found, PRINTED, 100.23, 64.53, 35.71, 64.53, 35.71, 100.23);
        assertThat(found.figure("2").orElseThrow().leftOut()).isTrue();
        assertThat(found.isAtFault("2")).isTrue();
        assertThat(found.isAtFault("4")).isFalse();
        assertThat(found.redundancy()).isEqualTo(3);
    }

    /// Streams 3 to 5 are not measured. Only streams 1 and 6 are redundant.
    @Test
    void findsFlowsThatWereNotMeasured() {
        List<Measurement> some =
                List.of(
                        new Measurement("1", 101.91, 1),
                        new Measurement("2", 64.45, 1),
                        Measurement.unknown("3", 0),
                        Measurement.unknown("4", 0),
                        Measurement.unknown("5", 0),
                        new Measurement("6", 98.88, 1));

        Reconciled found = Reconciliation.of(some, EXCHANGER);

        assertFlows(found, PRINTED, 100.395, 64.45, 35.945, 64.45, 35.945, 100.395);
        assertThat(found.redundancy()).isEqualTo(1);
        assertThat(found.figure("3").orElseThrow().measured()).isEmpty();
        // streams 1 and 6 are the mean of two measurements, stream 2 is as measured
        assertThat(found.figure("3").orElseThrow().standardError())
                .isCloseTo(Math.sqrt(0.5 + 1), within(1e-9));
    }

    @Test
    void omitsFiguresWithoutBalance() {
        List<Measurement> some =
                List.of(
                        new Measurement("1", 101.91, 1),
                        Measurement.unknown("2", 50),
                        Measurement.unknown("3", 50),
                        Measurement.unknown("4", 50),
                        Measurement.unknown("5", 50),
                        new Measurement("6", 98.88, 1));

        Reconciled found = Reconciliation.of(some, EXCHANGER);

        assertThat(found.figures()).containsOnlyKeys("1", "6");
        assertThat(found.value("1").orElseThrow()).isCloseTo(100.395, PRINTED);
    }

    @Test
    void theMoreExactMeasurementIsAdjustedLess() {
        Reconciled found =
                Reconciliation.of(
                        List.of(new Measurement("a", 10, 0.1), new Measurement("b", 12, 1)),
                        List.of(Balance.parts("same", "a", List.of("b"))));

        // the weights are 100 and 1
        assertThat(found.value("a").orElseThrow()).isCloseTo((1000.0 + 12) / 101, within(1e-9));
        assertThat(found.value("b")).isEqualTo(found.value("a"));
    }

    @Test
    void aRateIsACountPerRequestTimesThroughput() {
        Reconciled found =
                Reconciliation.of(
                        List.of(
                                new Measurement("rate", 4100, 100),
                                new Measurement("per request", 40, 1),
                                new Measurement("throughput", 100, 1)),
                        List.of(
                                new Balance.Product(
                                        "rate", "rate", 1, "per request", "throughput")));

        assertThat(found.value("rate").orElseThrow())
                .isCloseTo(
                        found.value("per request").orElseThrow()
                                * found.value("throughput").orElseThrow(),
                        within(1e-6));
        assertThat(found.value("rate").orElseThrow()).isBetween(4000.0, 4100.0);
        assertThat(found.faults()).isEmpty();
    }

    @Test
    void satisfiedBoundAdjustsNothing() {
        Reconciled found =
                Reconciliation.of(
                        List.of(new Measurement("part", 3, 1), new Measurement("whole", 5, 1)),
                        List.of(Balance.within("part", "whole", List.of("part"))));

        assertThat(found.value("part")).contains(3.0);
        assertThat(found.value("whole")).contains(5.0);
        assertThat(found.criterion()).isZero();
    }

    @Test
    void violatedBoundIsEnforced() {
        Reconciled found =
                Reconciliation.of(
                        List.of(new Measurement("part", 6, 1), new Measurement("whole", 5, 1)),
                        List.of(Balance.within("part", "whole", List.of("part"))));

        assertThat(found.value("part").orElseThrow()).isCloseTo(5.5, within(1e-9));
        assertThat(found.value("whole").orElseThrow()).isCloseTo(5.5, within(1e-9));
    }

    /// The sum reduces both parts. The first part is then below its lower bound, so its upper bound
    /// must become inactive.
    @Test
    void boundThatNoLongerAppliesIsReleased() {
        Reconciled found =
                Reconciliation.of(
                        List.of(
                                new Measurement("a", 4.2, 1),
                                new Measurement("b", 4.2, 1),
                                new Measurement("all", 6.5, 1e-3)),
                        List.of(
                                Balance.atMost("a", "a", 4),
                                Balance.within("sum", "all", List.of("a", "b"))));

        assertThat(found.value("a").orElseThrow()).isCloseTo(3.25, within(1e-3));
        assertThat(found.value("b").orElseThrow()).isCloseTo(3.25, within(1e-3));
    }

    @Test
    void countsDuplicateBalancesOnce() {
        List<Balance> twice = new ArrayList<>(EXCHANGER);
        twice.add(Balance.parts("splitter again", "1", List.of("2", "3")));
        twice.add(Balance.parts("around", "1", List.of("6")));
        List<Measurement> flows = flows(101.91, 64.45, 34.65, 64.20, 36.44, 98.88);

        Reconciled found = Reconciliation.of(flows, twice);

        assertFlows(found, PRINTED, 100.22, 64.50, 35.72, 64.50, 35.72, 100.22);
        assertThat(found.redundancy()).isEqualTo(4);
    }

    /// One balance of two figures cannot show which of them is wrong. The figure with the larger
    /// error is left out, and the other one is named.
    @Test
    void namesMeasurementsOfOneBalanceTogether() {
        Reconciled found =
                Reconciliation.of(
                        List.of(new Measurement("exact", 10, 0.5), new Measurement("rough", 50, 5)),
                        List.of(Balance.parts("same", "exact", List.of("rough"))));

        assertThat(found.faults()).hasSize(1);
        assertThat(found.faults().getFirst().measurement()).isEqualTo("rough");
        assertThat(found.faults().getFirst().alike()).containsExactly("exact");
        assertThat(found.value("rough")).contains(10.0);
        assertThat(found.value("exact")).contains(10.0);
    }

    /// 70,309 exceptions a second at 39.9 a request mean 1,762 requests a second, but 1,378 were
    /// answered.
    @Test
    void omitsRateMeasuredAtOtherThroughput() {
        Reconciled found =
                Reconciliation.of(
                        List.of(
                                new Measurement("rate", 70_309, 0.05 * 70_309),
                                new Measurement("of a request", 39.9, 0.05 * 39.9),
                                new Measurement("throughput", 1378, 14),
                                new Measurement("in flight", 20, 0.1),
                                new Measurement("response time", 14.5, 0.15)),
                        List.of(
                                new Balance.Product(
                                        "rate", "rate", 1, "of a request", "throughput"),
                                new Balance.Product(
                                        "Little",
                                        "in flight",
                                        1e-3,
                                        "throughput",
                                        "response time")));

        assertThat(found.faults()).hasSize(1);
        assertThat(found.faults().getFirst().measurement()).isEqualTo("rate");
        assertThat(found.faults().getFirst().alike()).contains("of a request");
        assertThat(found.value("rate").orElseThrow()).isCloseTo(39.9 * 1378, within(400.0));
        assertThat(found.value("of a request").orElseThrow()).isCloseTo(39.9, within(1e-6));
    }

    /// The small part is as suspect as the large one, but without the small one the sum still
    /// exceeds the whole.
    @Test
    void omitsPartThatMakesSumExceedTotal() {
        Reconciled found =
                Reconciliation.of(
                        List.of(
                                new Measurement("whole", 10, 0.1),
                                new Measurement("small", 1, 0.5),
                                new Measurement("middle", 5, 0.5),
                                new Measurement("large", 64, 3)),
                        List.of(
                                Balance.within(
                                        "sum", "whole", List.of("small", "middle", "large"))));

        assertThat(found.faults()).hasSize(1);
        assertThat(found.faults().getFirst().measurement()).isEqualTo("large");
        assertThat(found.value("small")).contains(1.0);
        assertThat(found.value("middle")).contains(5.0);
        assertThat(found.value("large")).isEmpty();
    }

    /// A part based on few threads would be reduced by more than its value.
    @Test
    void figuresAreNeverNegative() {
        Reconciled found =
                Reconciliation.of(
                        List.of(
                                new Measurement("whole", 10, 0.1),
                                new Measurement("small", 0.5, 2),
                                new Measurement("large", 11.5, 1)),
                        List.of(Balance.within("sum", "whole", List.of("small", "large"))));

        assertThat(found.faults()).isEmpty();
        assertThat(found.value("small").orElseThrow()).isCloseTo(0, within(1e-9));
        assertThat(found.value("large").orElseThrow()).isCloseTo(10, within(0.05));
    }

    /// Without "second", the figure would be -20, which is impossible. Without "first", all figures
    /// fit.
    @Test
    void keepsMeasurementNeededForPositiveFigures() {
        Reconciled found =
                Reconciliation.of(
                        List.of(
                                new Measurement("whole", 10, 0.5),
                                new Measurement("first", 30, 8),
                                new Measurement("second", 9, 0.5)),
                        List.of(Balance.parts("sum", "whole", List.of("first", "second"))));

        assertThat(found.faults()).hasSize(1);
        assertThat(found.faults().getFirst().measurement()).isEqualTo("first");
        assertThat(found.value("first").orElseThrow()).isCloseTo(1, within(1e-6));
    }

    /// With normal errors alone, a measurement is left out in at most 5 % of the sets. The
    /// reconciled figure is nearer to the true value than the measured one.
    @Test
    void randomErrorsAreNoGrossErrors() {
        var random = new Random(20261129);
        int sets = 2000;
        int alarms = 0;
        double before = 0;
        double after = 0;
        for (int i = 0; i < sets; i++) {
            List<Measurement> noisy =
                    named(
                            6,
                            k ->
                                    new Measurement(
                                            "" + (k + 1),
                                            TRUE_FLOWS[k] + random.nextGaussian(),
                                            1));
            Reconciled found = Reconciliation.of(noisy, EXCHANGER);
            alarms += found.faults().isEmpty() ? 0 : 1;
            for (int k = 0; k < 6; k++) {
                before += square(noisy.get(k).value() - TRUE_FLOWS[k]);
                after += square(found.value("" + (k + 1)).orElseThrow() - TRUE_FLOWS[k]);
            }
        }
        assertThat(alarms / (double) sets).isBetween(0.01, 0.06);
        assertThat(after / before).isBetween(0.30, 0.40);
    }

    /// A bias of eight standard errors, in each measurement in turn.
    @Test
    void findsFigureWithLargeBias() {
        var random = new Random(7);
        int sets = 200;
        for (int biased = 0; biased < 6; biased++) {
            int right = 0;
            for (int i = 0; i < sets; i++) {
                int at = biased;
                List<Measurement> noisy =
                        named(
                                6,
                                k ->
                                        new Measurement(
                                                "" + (k + 1),
                                                TRUE_FLOWS[k]
                                                        + random.nextGaussian()
                                                        + (k == at ? 8 : 0),
                                                1));
                right += Reconciliation.of(noisy, EXCHANGER).isAtFault("" + (biased + 1)) ? 1 : 0;
            }
            assertThat(right / (double) sets).as("stream " + (biased + 1)).isGreaterThan(0.9);
        }
    }

    @Test
    void keepsMeasurementsWithoutBalances() {
        Reconciled found = Reconciliation.of(flows(3, 4), List.of());

        assertFlows(found, within(0.0), 3, 4);
        assertThat(found.figure("1").orElseThrow().standardError()).isEqualTo(1);
        assertThat(found.redundancy()).isZero();
    }

    @Test
    void refusesInvalidMeasurements() {
        assertThatThrownBy(() -> new Measurement("a", Double.NaN, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Measurement("a", 1, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        Reconciliation.of(
                                List.of(new Measurement("a", 1, 1), new Measurement("a", 2, 1)),
                                List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        Reconciliation.of(
                                flows(1), List.of(Balance.parts("x", "1", List.of("none")))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static double square(double x) {
        return x * x;
    }
}
