package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosedNetworkTest {
    /// Two equal single-server stations hold N requests at X = N / (N + 1) / D.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 1000})
    void twoEqualStationsGiveTheClosedForm(int n) {
        var network =
                new ClosedNetwork(List.of(new Resource("a", 10, 1), new Resource("b", 10, 1)), 0);

        assertThat(network.at(n).qps()).isCloseTo(100.0 * n / (n + 1), within(1e-6));
    }

    /// One station and a delay is the machine repairman model: utilisation by Erlang's formula.
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 20, 60})
    void singleStationWithDelayIsMachineRepairmanModel(int n) {
        double d = 10;
        double z = 80;
        double empty = 0;
        double term = 1;
        for (int j = 0; j <= n; j++) {
            empty += term;
            term *= (n - j) * d / z;
        }

        double qps = new ClosedNetwork(List.of(new Resource("cpu", d, 1)), z).at(n).qps();

        assertThat(qps).isCloseTo((1 - 1 / empty) / d * 1000, within(1e-6));
    }

    /// Compared with the plain recursion, which is exact for small N, where its subtraction loses
    /// no digits.
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 15})
    void manyServersAgreeWithMeanValueAnalysis(int n) {
        double qps =
                new ClosedNetwork(
                                List.of(new Resource("cpu", 10, 3), new Resource("lock", 2, 1)), 40)
                        .at(n)
                        .qps();

        assertThat(qps).isCloseTo(mva(n, 10, 3, 2, 40), within(1e-6));
    }

    @Test
    void throughputStaysWithinBoundsAndReachesThemFarFromKnee() {
        var path =
                RequestPath.serial(
                        List.of(new Resource("cpu", 10, 2)), List.of(new Delay("io", 80)));
        Bounds bounds = Bounds.of(path);

        for (var p : ClosedNetwork.of(path).curve(200)) {
            assertThat(p.qps()).isLessThanOrEqualTo(bounds.at(p.n()).qps() * (1 + 1e-9));
        }
        assertThat(ClosedNetwork.of(path).at(200).qps()).isCloseTo(200, within(0.01));
        assertThat(ClosedNetwork.of(path).at(1).rtMs()).isCloseTo(90, within(1e-9));
    }

    @Test
    void aThousandInFlightDoNotOverflow() {
        var network = new ClosedNetwork(List.of(new Resource("cpu", 1, 1.5)), 1000);

        assertThat(network.at(3000).qps()).isCloseTo(1500, within(0.1));
    }

    private static double mva(int n, double cpuMs, int cores, double lockMs, double delayMs) {
        double[] p = new double[n + 1];
        p[0] = 1;
        double lockQueue = 0;
        double x = 0;
        for (int k = 1; k <= n; k++) {
            double r = 0;
            for (int j = 1; j <= k; j++) {
                r += j * cpuMs / Math.min(j, cores) * p[j - 1];
            }
            double lockR = lockMs * (1 + lockQueue);
            x = k / (r + lockR + delayMs);
            lockQueue = x * lockR;
            double busy = 0;
            for (int j = k; j >= 1; j--) {
                p[j] = x * cpuMs / Math.min(j, cores) * p[j - 1];
                busy += p[j];
            }
            p[0] = 1 - busy;
        }
        return x * 1000;
    }
}
