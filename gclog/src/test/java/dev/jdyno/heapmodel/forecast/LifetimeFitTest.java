package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.jdyno.heapmodel.simulation.HeapExhausted;
import dev.jdyno.heapmodel.simulation.HeapTally;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.HeapObservation.Copying;
import dev.jdyno.measure.gc.YoungCopy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LifetimeFitTest {
    private static final double MIB = 1024.0 * 1024.0;
    private static final int COLLECTIONS = 60;

    /// Collections of alternating Eden sizes, each with the live bytes of the model.
    private static Copying copying(double liveMiB, double lifeMiB, double... edensMiB) {
        List<YoungCopy> collections = new ArrayList<>();
        double survivors = 0;
        for (int i = 0; i < COLLECTIONS; i++) {
            double eden = edensMiB[i % edensMiB.length];
            double q = Math.exp(-eden / lifeMiB);
            double copied = liveMiB * (1 - q) + survivors * q;
            collections.add(untold(eden * MIB, survivors * MIB, copied * MIB));
            survivors = eden / 8;
        }
        return new Copying(edensMiB[0] * MIB, MIB, MIB, MIB, 1, collections);
    }

    private static YoungCopy untold(double eden, double survivors, double copied) {
        return new YoungCopy(eden, survivors, copied, OptionalDouble.empty());
    }

    private static void assertLives(Lifetimes lives, double liveMiB, double lifeMiB) {
        assertLives(lives, liveMiB, lifeMiB, 6);
    }

    private static void assertLives(
            Lifetimes lives, double liveMiB, double lifeMiB, double withinPct) {
        assertThat(lives.spread()).isEqualTo(Lifetimes.Spread.MEMORYLESS);
        assertThat(lives.churnLifeBytes()).isCloseTo(lifeMiB * MIB, withPercentage(withinPct));
        assertThat(lives.churnLiveBytes()).isCloseTo(liveMiB * MIB, withPercentage(withinPct));
    }

    /// A bound far above the live set shifts the fit a little if lifetimes are much longer than all
    /// Edens.
    @ParameterizedTest
    @CsvSource({"42, 57", "42, 100", "10, 30", "150, 400"})
    void fitsLifetimeAndLiveSetToSeveralEdenSizes(double liveMiB, double lifeMiB) {
        Copying copying = copying(liveMiB, lifeMiB, 25, 60, 9, 110);

        assertLives(LifetimeFit.of(copying, 4 * liveMiB * MIB, true), liveMiB, lifeMiB, 15);
    }

    /// If all Edens and all survivors have the same size, many pairs of lifetime and live set fit.
    @Test
    void knownLiveSetDecidesWithoutAgeTables() {
        assertLives(LifetimeFit.of(copying(42, 57, 60), 42 * MIB, false), 42, 57);
    }

    /// If only an upper bound is known, the pair with the right number of collections wins. Here
    /// each live MiB causes one collection.
    @ParameterizedTest
    @CsvSource({"42, 57", "30, 57", "42, 200"})
    void countDecidesWithoutOtherEvidence(double liveMiB, double lifeMiB) throws HeapExhausted {
        LifetimeSearch.Replay replay = LifetimeFitTest::oneForEachMiB;
        Copying copying = copying(liveMiB, lifeMiB, 60);
        long young = Math.round(liveMiB);

        Lifetimes lives = LifetimeFit.searched(seen(young, 200), copying, 1000 * MIB, replay);

        assertThat(replay.of(lives).youngGcs()).isCloseTo((int) young, withPercentage(10));
    }

    /// If Edens of several sizes determine the pair, a wrong number of simulated collections does
    /// not change it.
    @Test
    void countBarelyMattersWithAgeTables() {
        Copying copying = copying(42, 57, 25, 60, 9, 110);

        assertLives(
                LifetimeFit.searched(
                        seen(50, 200), copying, 1000 * MIB, LifetimeFitTest::oneForEachMiB),
                42,
                57,
                30);
    }

    @Test
    void rejectsLifetimesThatDoNotFit() {
        Copying copying = copying(42, 57, 60);
        LifetimeSearch.Replay tooSmall =
                lives -> {
                    if (lives.churnLiveBytes() > 50 * MIB) {
                        throw new HeapExhausted(1);
                    }
                    return oneForEachMiB(lives);
                };

        Lifetimes lives = LifetimeFit.searched(seen(90, 200), copying, 1000 * MIB, tooSmall);

        assertThat(lives.churnLiveBytes()).isLessThanOrEqualTo(50 * MIB);
    }

    private static HeapTally oneForEachMiB(Lifetimes lives) {
        var tally = new HeapTally();
        for (int i = 0; i < Math.round(lives.churnLiveBytes() / MIB); i++) {
            tally.young(0.01, 0, 1);
        }
        return tally;
    }

    private static HeapObservation seen(long young, double liveMiB) {
        return new HeapObservation(
                HeapObservation.Kind.REGIONS,
                OptionalInt.of(25),
                400 * MIB,
                Optional.empty(),
                liveMiB * MIB,
                true,
                0,
                10,
                1000 * MIB,
                0,
                young,
                0,
                0,
                100,
                0,
                0,
                Optional.empty(),
                List.of(),
                List.of());
    }

    /// Survivors and Edens of one size each: only an age table shows that half of the survivors
    /// die.
    @Test
    void fitsSurvivalToAgeTable() {
        List<YoungCopy> all = new ArrayList<>();
        for (int i = 0; i < COLLECTIONS; i++) {
            all.add(new YoungCopy(100 * MIB, 20 * MIB, 20 * MIB, OptionalDouble.of(10 * MIB)));
        }
        var copying = new Copying(100 * MIB, 20 * MIB, 0, MIB, 1, all);

        Lifetimes lives = LifetimeFit.of(copying, 1000 * MIB, true);

        assertThat(LifetimeFit.isLasting(copying)).isFalse();
        assertThat(lives.churnLifeBytes()).isCloseTo(144 * MIB, withPercentage(8));
        assertThat(lives.churnLiveBytes()).isCloseTo(20 * MIB, withPercentage(8));
    }

    @Test
    void mostlyRemainingSurvivorsAreLongLived() {
        var stays = new YoungCopy(100 * MIB, 20 * MIB, 20 * MIB, OptionalDouble.of(16 * MIB));
        var goes = new YoungCopy(100 * MIB, 20 * MIB, 20 * MIB, OptionalDouble.of(MIB));

        assertThat(LifetimeFit.isLasting(twice(goes, stays))).isTrue();
        assertThat(LifetimeFit.isLasting(twice(stays, goes))).isFalse();
        assertThat(LifetimeFit.isLasting(copying(42, 57, 60))).isFalse();
    }

    private static Copying twice(YoungCopy first, YoungCopy then) {
        return new Copying(MIB, MIB, 0, MIB, 1, List.of(first, first, then, then));
    }

    @Test
    void theLiveSetIsWithinItsBound() {
        Copying copying = copying(42, 57, 25, 60, 9, 110);

        assertThat(LifetimeFit.of(copying, 20 * MIB, true).churnLiveBytes())
                .isLessThanOrEqualTo(20 * MIB);
    }

    /// At the start, the program keeps everything, for example while a cache fills.
    @Test
    void fitLeavesOutTheStartOfTheRun() {
        Copying steady = copying(42, 57, 25, 60, 9, 110);
        var collections = new ArrayList<>(steady.collections());
        for (int i = 0; i < COLLECTIONS / 10; i++) {
            collections.set(i, untold(60 * MIB, 0, 60 * MIB));
        }
        var copying = new Copying(60 * MIB, MIB, MIB, MIB, 1, collections);

        assertLives(LifetimeFit.of(copying, 1000 * MIB, true), 42, 57);
    }

    @Test
    void liveBytesAreAtMostAllocatedBytes() {
        List<YoungCopy> all = new ArrayList<>();
        for (int i = 0; i < COLLECTIONS; i++) {
            all.add(untold((10 + i % 5) * MIB, 2 * MIB, (12 + i % 5) * MIB));
        }
        Lifetimes lives =
                LifetimeFit.of(new Copying(12 * MIB, MIB, MIB, MIB, 1, all), 1000 * MIB, true);

        assertThat(lives.churnShare()).isLessThan(Lifetimes.CHURN_SHARE_MAX + 1e-9);
    }

    @Test
    void nothingCopiedMeansNothingAlive() {
        var none = List.of(untold(MIB, 0, 0), untold(2 * MIB, 0, 0));

        Lifetimes lives = LifetimeFit.of(new Copying(MIB, 0, 0, 0, 1, none), 10 * MIB, true);

        assertThat(lives.churnShare()).isZero();
        assertThat(lives.isSteady()).isFalse();
    }
}
