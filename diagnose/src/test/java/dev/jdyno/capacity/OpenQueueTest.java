package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenQueueTest {
    /// Pollaczek–Khinchine: W = ρ D (1 + c²) / 2 / (1 − ρ).
    @ParameterizedTest
    @CsvSource({"50,1,10", "80,0,20", "90,2,135"})
    void singleServerMatchesExactFormula(double rate, double scv, double waitMs) {
        var queue = new OpenQueue(one(10, 1), scv, 0, List.of());

        assertThat(queue.at(rate).orElseThrow().queueingMs()).isCloseTo(waitMs, within(1e-9));
    }

    @ParameterizedTest(name = "{0} servers at {1}")
    @CsvSource({"2,0.5", "2,0.8", "2,0.95", "4,0.5", "4,0.8", "4,0.95", "8,0.7", "8,0.9"})
    void manyServersGiveErlangC(int k, double rho) {
        double exact = erlangC(k, rho) * 10 / (k * (1 - rho));

        double wait = OpenQueue.of(one(10, k)).at(rho * k * 100).orElseThrow().queueingMs();

        assertThat(wait).isCloseTo(exact, within(1e-9));
    }

    /// M/M/1's response time is exponential: p99 = mean · ln 100. Its service time varies. A
    /// constant service time with an exponential wait approaches that at high load.
    @Test
    void theTailOfABusyQueueIsExponential() {
        var p = OpenQueue.of(one(10, 1)).at(95).orElseThrow();

        assertThat(p.p99Ms()).isCloseTo(200 * Math.log(100), withPercentage(3));
    }

    /// The fluid model of a pause of 100 ms. A request that arrives u ms after its start waits 100
    /// − (1 − ρ) u. The test sums that numerically.
    @Test
    void pauseDelaysItsArrivalsAndItsBacklog() {
        double rho = 0.5;
        var pauses = List.of(new OpenQueue.Pauses(0.1, 100));
        var queue = new OpenQueue(one(1, 1), 0, 0, pauses);
        double rate = rho * 1000 * (1 - 0.01);
        double area = 0;
        for (double u = 0; u < 100 / (1 - rho); u += 0.01) {
            area += (100 - (1 - rho) * u) * 0.01;
        }

        var p = queue.at(rate).orElseThrow();

        assertThat(p.utilisation()).isCloseTo(rho, within(1e-9));
        assertThat(p.pausesMs()).isCloseTo(area / 10_000, withPercentage(0.1));
        assertThat(p.p99Ms()).as("1 % waits longer than 50 ms").isCloseTo(51, within(2.0));
    }

    @Test
    void queueHasNoResultBeyondCapacity() {
        assertThat(OpenQueue.of(one(10, 1)).at(100)).isEmpty();
        assertThat(new OpenQueue(one(10, 1), 1, 0, List.of(new OpenQueue.Pauses(1, 200))).at(85))
                .as("a fifth of the time is pauses")
                .isEmpty();
    }

    private static RequestPath one(double ms, double units) {
        return RequestPath.serial(List.of(new Resource("cpu", ms, units)), List.of());
    }

    private static double erlangC(int k, double rho) {
        double a = k * rho;
        double term = 1;
        double sum = 0;
        for (int j = 0; j < k; j++) {
            sum += term;
            term *= a / (j + 1);
        }
        double last = term / (1 - rho);
        return last / (sum + last);
    }
}
