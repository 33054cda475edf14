package dev.jdyno.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SuspectsTest {
    /// There are three commits. Version 3 gave these two log ratios, and version 1 gave one.
    private static final double[] AT_3 = {0.05, 0.06};

    private static final double AT_1 = 0.01;

    private static Suspects three() {
        var suspects = new Suspects(3);
        suspects.saw(3, AT_3[0]);
        suspects.saw(3, AT_3[1]);
        suspects.saw(1, AT_1);
        return suspects;
    }

    /// The same probability, summed over a grid of effects and variances. The prior of the variance
    /// is an inverse gamma with shape 1 and scale 0.02², that of the effect is flat.
    private static double byHand(int commit) {
        double all = 0;
        double of = 0;
        for (int k = 1; k <= 3; k++) {
            double mass = 0;
            for (double logVariance = -14; logVariance < 0; logVariance += 0.05) {
                double variance = Math.exp(logVariance);
                // the density times the variance, because the grid is logarithmic
                double prior = Math.exp(-0.0004 / variance) / variance;
                for (double effect = -1; effect < 1; effect += 0.0005) {
                    double squares =
                            square(AT_3[0] - effect)
                                    + square(AT_3[1] - effect)
                                    + square(AT_1 - (k <= 1 ? effect : 0));
                    mass += prior * Math.pow(variance, -1.5) * Math.exp(-squares / variance / 2);
                }
            }
            all += mass;
            of += k == commit ? mass : 0;
        }
        return of / all;
    }

    private static double square(double x) {
        return x * x;
    }

    @Test
    void probabilitiesEqualSumsOverEffectAndNoise() {
        Suspects suspects = three();
        for (int commit = 1; commit <= 3; commit++) {
            assertThat(suspects.of(commit)).isCloseTo(byHand(commit), within(0.005));
        }
        assertThat(suspects.upTo(0)).isZero();
        assertThat(suspects.upTo(3)).isEqualTo(1);
        // the measurements do not distinguish the two commits
        assertThat(suspects.of(2)).isCloseTo(suspects.of(3), within(1e-12));
        assertThat(suspects.of(1)).isLessThan(suspects.of(2));
    }

    @Test
    void firstMeasuredVersionIsTheMiddle() {
        assertThat(new Suspects(128).next(_ -> false)).isEqualTo(OptionalInt.of(64));
        assertThat(new Suspects(1).next(_ -> false)).isEmpty();
    }

    @Test
    void prefersBuiltVersionWithSimilarInformation() {
        assertThat(new Suspects(100).next(v -> v == 45)).isEqualTo(OptionalInt.of(45));
        assertThat(new Suspects(100).next(v -> v == 3)).isEqualTo(OptionalInt.of(50));
    }

    @Test
    void groupsVersionsThatCannotBeMeasured() {
        var suspects = new Suspects(5);
        suspects.misses(2);
        suspects.misses(3);
        assertThat(suspects.groups()).extracting(Suspects.Group::to).isEqualTo(List.of(1, 4, 5));
        assertThat(suspects.groups())
                .extracting(Suspects.Group::commits)
                .isEqualTo(List.of(1, 3, 1));
        assertThat(suspects.most().probability()).isCloseTo(0.6, within(1e-9));
        suspects.misses(1);
        suspects.misses(4);
        assertThat(suspects.next(_ -> true)).isEmpty();
        assertThat(suspects.most().probability()).isEqualTo(1);
    }
}
