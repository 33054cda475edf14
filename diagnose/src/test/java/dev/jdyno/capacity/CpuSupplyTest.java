package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rounds at 20, 80, 82 and 84 requests/s, with a full pool from the second round on.
class CpuSupplyTest {
    private static final double TARGET_MS = 2;
    private static final double CLIENT_MS = 1;
    private static final double[] QPS = {20, 80, 82, 84};

    /// @param otherCores CPU that other processes use in each round
    private static CpuSupply supply(double... otherCores) {
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < QPS.length; i++) {
            double target = QPS[i] * TARGET_MS / 1000;
            double client = QPS[i] * CLIENT_MS / 1000;
            double all = target + client + otherCores[i];
            CpuUse cpu =
                    CpuUse.ofWholeMachine(
                            target,
                            0,
                            client,
                            otherCores[i],
                            SampleRounds.CORES,
                            all / SampleRounds.CORES * 100,
                            0,
                            0);
            rounds.add(SampleRounds.round(10 * (i + 1), QPS[i], 5, List.of(), cpu));
        }
        return CpuSupply.of(SampleRounds.CORES, rounds);
    }

    /// CPU of a process that serves no request does not count for the requests, in any number of
    /// rounds.
    @ParameterizedTest
    @CsvSource({"0,0,0,0", "0,0.5,0.8,0", "0,0.5,0,0", "0,0,0.9,0.9", "0,0.9,0.9,0"})
    void cpuOfANeighbourInSomeRoundsDoesNotCountForRequests(
            double a, double b, double c, double d) {
        CpuSupply supply = supply(a, b, c, d);

        assertThat(supply.othersMs()).isCloseTo(CLIENT_MS, within(0.1));
    }

    /// A downstream service on the same machine uses CPU for each request.
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 2, 6})
    void cpuOfAServiceThatWorksForEachRequestCounts(double ms) {
        double[] cores = new double[QPS.length];
        for (int i = 0; i < cores.length; i++) {
            cores[i] = QPS[i] * ms / 1000;
        }

        assertThat(supply(cores).othersMs()).isCloseTo(CLIENT_MS + ms, within(1e-6));
    }
}
