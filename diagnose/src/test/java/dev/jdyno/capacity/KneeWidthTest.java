package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.verdict.CapacityNotes;
import dev.jdyno.measure.verdict.Knee;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Rounds of a service that stops responding for seconds from time to time.
class KneeWidthTest {
    /// A service that loads classes in each request and stops for 2 to 4 s. The values are requests
    /// per second and mean response time of each second. At the begin of the first round, 8 earlier
    /// requests were still open for 2.6 s. For the round with two in flight, that were 27 requests
    /// and 3.9 s.
    private static List<Round> stopping() {
        return List.of(
                round(1, 15.77, 196, 108.4, 242, 4.1, 313, 3.2, 338, 3.0, 311, 3.2, 264, 3.8),
                round(4, 7.69, 527, 7.4, 525, 7.9, 553, 7.2, 474, 8.5, 98, 7.6, 0, 0),
                round(3, 4.19, 704, 4.3, 728, 4.1, 737, 4.1, 716, 4.2, 108, 4.9, 0, 0),
                round(15, 35.47, 754, 19.8, 794, 18.9, 740, 20.3, 89, 28.6, 0, 0, 202, 218.2),
                round(8, 10.64, 793, 10.1, 737, 10.8, 748, 10.7, 214, 11.8, 0, 0, 0, 0),
                round(2, 39.03, 451, 234.8, 462, 4.3, 492, 4.1, 449, 4.5, 586, 3.4, 531, 3.8),
                round(16, 57.58, 0, 0, 0, 0, 0, 0, 517, 141.3, 661, 24.2, 639, 25.0),
                round(16, 75.61, 662, 23.2, 23, 63.5, 0, 0, 0, 0, 0, 0, 646, 129.4),
                round(16, 32.09, 2, 1993.9, 747, 57.8, 704, 22.7, 755, 21.2, 526, 28.1, 733, 23.2),
                round(16, 22.2, 773, 20.7, 754, 21.2, 436, 36.1, 786, 20.7, 761, 21.1, 806, 19.6),
                round(41, 63.7, 160, 100.6, 769, 84.5, 714, 57.3, 792, 52.1, 740, 55.5, 221, 55.9));
    }

    @Test
    void kneeUsesResponseTimesConfirmedByLittlesLaw() {
        CapacityAnswer answer = CapacityAnalysis.of(SampleRounds.recording(stopping()));

        Knee knee = answer.knee().orElseThrow();
        assertThat(knee.concurrency()).as("of 15.8 ms it was 9").isCloseTo(2.07, within(0.1));
        assertThat(knee.ci95().hi()).as("of 15.8 ms it was 30").isLessThan(3.5);
        assertThat(knee.ci95().lo())
                .as("rounds at 16 that fell behind the plateau are in it")
                .isLessThan(1.2);
    }

    @Test
    void reportsDisagreeingRoundsOfOneLoad() {
        CapacityNotes notes = CapacityAnalysis.of(SampleRounds.recording(stopping())).notes();

        assertThat(notes.others())
                .anySatisfy(n ->
                        assertThat(n)
                                .startsWith(
                                        "with 16 requests in flight, 4 rounds gave 222 to 719/s"));
        assertThat(notes.knee()).isEmpty();
    }

    @Test
    void explainsKneeWithTooWideInterval() {
        List<Round> rounds = new ArrayList<>(stopping());
        rounds.set(6, round(16, 57.58, 0, 0, 0, 0, 0, 0, 0, 0, 17, 141.3, 39, 25.0));
        rounds.set(7, round(16, 57.58, 0, 0, 0, 0, 0, 0, 0, 0, 17, 141.3, 39, 25.0));

        CapacityAnswer answer = CapacityAnalysis.of(SampleRounds.recording(rounds));

        assertThat(answer.knee().orElseThrow().isDeterminable()).isFalse();
        assertThat(answer.notes().knee().orElseThrow())
                .startsWith("with 16 requests in flight, 4 rounds gave 9 to 7");
    }

    @Test
    void intervalAboveFactorFourNamesNoConcurrency() {
        assertThat(knee(2, 8).isDeterminable()).isTrue();
        assertThat(knee(1.92, 30.8).isDeterminable()).isFalse();
        assertThat(knee(0, 1).isDeterminable()).isFalse();
    }

    private static Knee knee(double lo, double hi) {
        return new Knee((lo + hi) / 2, new Interval(lo, hi), 1, 1, "", 1, Optional.empty());
    }

    /// @param perSecond requests per second and mean response time of each second
    private static Round round(int n, double meanMs, double... perSecond) {
        List<Slice> slices = new ArrayList<>();
        double sum = 0;
        for (int i = 0; i < perSecond.length; i += 2) {
            slices.add(new Slice(perSecond[i], perSecond[i + 1], Optional.empty()));
            sum += perSecond[i];
        }
        double qps = sum / slices.size();
        return new Round(
                n,
                Optional.empty(),
                6,
                qps,
                Interval.exactly(qps),
                Math.round(sum),
                0,
                Map.of(),
                Optional.empty(),
                new Latency(meanMs, meanMs, meanMs, meanMs, meanMs, meanMs),
                ClientSide.withRoom(1, 1),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                slices);
    }
}
