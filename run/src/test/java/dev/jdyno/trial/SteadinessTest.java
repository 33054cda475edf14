package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Slice;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.threads.CompilerSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SteadinessTest {
    private static boolean reached(List<Slice> slices) {
        return steadiness(slices, List.of()).reached();
    }

    private static Optional<Warning> missed(List<Slice> slices, Duration atMost, int cores) {
        return steadiness(slices, List.of()).missed(atMost, cores);
    }

    private static Steadiness steadiness(List<Slice> slices, List<CompilerSample> looks) {
        return new Steadiness(slices, looks, Optional.empty());
    }

    /// Steadiness of a service for which only the CPU use of its compilers is known.
    private static Steadiness withCompilers(List<Slice> slices, List<Double> cores) {
        return steadiness(
                slices,
                cores.stream()
                        .map(c ->
                                new CompilerSample(
                                        Optional.of(c),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty()))
                        .toList());
    }

    private static List<Slice> slices(double... rtMs) {
        List<Slice> all = new ArrayList<>();
        for (double rt : rtMs) {
            all.add(new Slice(1000 / rt, rt, Optional.of(500 / rt)));
        }
        return all;
    }

    @Test
    void aServiceThatStillGetsFasterIsNotSteady() {
        assertThat(reached(slices(50, 40, 30, 22, 18, 15))).isFalse();
    }

    @Test
    void similarLastSecondsAreSteady() {
        assertThat(reached(slices(50, 40, 20, 20.2, 19.9, 20, 20.1, 20))).isTrue();
    }

    @Test
    void tooFewSecondsAreNeverSteady() {
        assertThat(reached(slices(20, 20, 20, 20, 20))).isFalse();
    }

    @Test
    void fallingCpuPerRequestProlongsWarmUp() {
        List<Slice> all = new ArrayList<>();
        for (double cores : new double[] {1.5, 1.4, 1.3, 0.9, 0.8, 0.7}) {
            all.add(new Slice(100, 10, Optional.of(cores)));
        }

        assertThat(reached(all)).isFalse();
    }

    @Test
    void namesFigureThatStillChangedAfterWarmUp() {
        assertThat(missed(slices(50, 40, 30, 20, 15), Duration.ofSeconds(5), 2))
                .get()
                .extracting(w -> w.says())
                .asString()
                .startsWith(
                        "give a longer --warmup than 5s: response time still fell by 50 % in its last 2 s");
        assertThat(missed(slices(20, 20.2, 19.9), Duration.ofSeconds(3), 2)).isEmpty();
        assertThat(missed(slices(20), Duration.ofSeconds(1), 2)).isEmpty();
    }

    @Test
    void ignoresCpuPerRequestIfCoresAreFree() {
        List<Slice> falls = new ArrayList<>();
        for (double cores : new double[] {1.5, 1.4, 1.3, 1.2, 1.1, 1.1}) {
            falls.add(new Slice(100, 10, Optional.of(cores)));
        }

        assertThat(missed(falls, Duration.ofSeconds(6), 8)).isEmpty();
        assertThat(missed(falls, Duration.ofSeconds(6), 2))
                .get()
                .extracting(w -> w.says())
                .asString()
                .contains("CPU per request still fell by 19 % in its last 3 s");
    }

    /// Throughput of a Spring Boot application stayed at 240/s for six seconds and was 980/s a
    /// minute later. The compilers had used half of the cores all the time.
    @Test
    void busyCompilersPreventSteadiness() {
        var slice = new Slice(240, 33, Optional.of(1.9));
        List<Slice> alike = List.of(slice, slice, slice, slice, slice, slice);

        var busy = withCompilers(alike, List.of(1.2, 1.1, 1.0, 0.9, 1.0, 0.9));
        assertThat(busy.reached()).isFalse();
        assertThat(busy.missed(Duration.ofSeconds(6), 2)).isPresent();

        var ended = withCompilers(alike, List.of(1.2, 1.1, 1.0, 0.15, 0.2, 0.1));
        assertThat(ended.reached()).isTrue();
        assertThat(ended.missed(Duration.ofSeconds(6), 2)).isEmpty();
    }

    @Test
    void compilersThatTakeFreeCoresAreNotWaitedFor() {
        var sleeps = new Slice(100, 20, Optional.of(0.12));
        List<Slice> alike = List.of(sleeps, sleeps, sleeps, sleeps, sleeps, sleeps);

        assertThat(withCompilers(alike, List.of(0.3, 0.1, 0.1, 0.08, 0.09, 0.07)).reached())
                .isTrue();
    }

    @Test
    void judgesUnobservedTargetByLatency() {
        var slice = new Slice(100, 10, Optional.empty());

        assertThat(reached(List.of(slice, slice, slice, slice, slice, slice))).isTrue();
    }

    private static final Slice PLATEAU = new Slice(3300, 30, Optional.of(4.0));

    /// @param queued length of the queue at each sample; use and wait of the compilers are constant
    private static List<CompilerSample> looks(
            double used, double waited, double compiledPerS, int... queued) {
        return IntStream.of(queued)
                .mapToObj(q ->
                        new CompilerSample(
                                Optional.of(used),
                                Optional.of(waited),
                                Optional.of(q),
                                Optional.of(compiledPerS)))
                .toList();
    }

    private static List<Slice> alike(Slice slice, int seconds) {
        return Collections.nCopies(seconds, slice);
    }

    private static int[] queue(int length, int seconds) {
        return IntStream.range(0, seconds).map(_ -> length).toArray();
    }

    /// Spring Boot with 100 connections on 4 cores: 3,300/s for two minutes, and 7,800/s after 30 s
    /// without load. The compilers had waited for a core all the time.
    @ParameterizedTest
    @ValueSource(ints = {6, 20, 60, 120})
    void aPlateauOfStarvedCompilersIsNeverWarm(int seconds) {
        var plateau =
                steadiness(alike(PLATEAU, seconds), looks(0.03, 1.9, 4, queue(3000, seconds)));

        assertThat(plateau.next()).isEqualTo(Steadiness.Step.REST);
        assertThat(plateau.missed(Duration.ofSeconds(seconds), 4))
                .hasValueSatisfying(w -> assertThat(w.says()).contains("3,000 methods"));
    }

    @Test
    void usefulRestEndsPlateau() {
        var after = new Slice(7800, 12.8, Optional.of(4.0));
        var drained = looks(0.01, 0.05, 1, queue(0, 6));

        assertThat(new Steadiness(alike(after, 6), drained, Optional.of(2.36)).next())
                .isEqualTo(Steadiness.Step.WARM);
    }

    @Test
    void repeatsUsefulRestIfQueueGrowsAgain() {
        var looks = looks(0.03, 1.5, 4, queue(700, 6));

        assertThat(new Steadiness(alike(PLATEAU, 6), looks, Optional.of(1.5)).next())
                .isEqualTo(Steadiness.Step.REST);
    }

    @Test
    void uselessRestEndsWarmUpDespiteQueue() {
        var looks = looks(0.03, 1.5, 4, queue(700, 6));

        assertThat(new Steadiness(alike(PLATEAU, 6), looks, Optional.of(1.02)).next())
                .isEqualTo(Steadiness.Step.WARM);
    }

    @Test
    void detectsPlateauFromWaitTimesWithoutQueue() {
        var unseen =
                new CompilerSample(
                        Optional.of(0.03), Optional.of(1.9), Optional.empty(), Optional.empty());

        assertThat(steadiness(alike(PLATEAU, 6), Collections.nCopies(6, unseen)).next())
                .isEqualTo(Steadiness.Step.REST);
    }

    @Test
    void detectsPlateauFromQueueWithoutWaitTimes() {
        var unseen =
                new CompilerSample(
                        Optional.empty(), Optional.empty(), Optional.of(3000), Optional.empty());

        assertThat(steadiness(alike(PLATEAU, 6), Collections.nCopies(6, unseen)).next())
                .isEqualTo(Steadiness.Step.REST);
    }

    /// If a quota is used up, the compilers stop without waiting in a run queue.
    @Test
    void compilersOfASpentQuotaAreStarvedByTheirQueue() {
        assertThat(
                        steadiness(
                                        alike(PLATEAU, 6),
                                        looks(0.08, 0.02, 5, 552, 551, 549, 553, 551, 550))
                                .next())
                .isEqualTo(Steadiness.Step.REST);
    }

    @Test
    void aLongQueueThatDrainsIsWaitedForUnderLoad() {
        assertThat(
                        steadiness(
                                        alike(PLATEAU, 6),
                                        looks(0.3, 0.1, 300, 1500, 1200, 900, 600, 400, 150))
                                .next())
                .isEqualTo(Steadiness.Step.LOAD);
    }

    @Test
    void restsOnlyIfWarmUpTakesLong() {
        List<Slice> falls = new ArrayList<>();
        for (int s = 0; s < 12; s++) {
            falls.add(new Slice(100 * (1 + 0.1 * s), 10 / (1 + 0.1 * s), Optional.of(2.0)));
        }
        var starved = looks(0.03, 1.9, 4, queue(3000, 12));

        assertThat(steadiness(falls.subList(0, 8), starved.subList(0, 8)).next())
                .isEqualTo(Steadiness.Step.LOAD);
        assertThat(steadiness(falls, starved).next()).isEqualTo(Steadiness.Step.REST);
    }

    @Test
    void judgesUnobservedJvmByLatency() {
        assertThat(
                        steadiness(alike(PLATEAU, 6), Collections.nCopies(6, CompilerSample.UNSEEN))
                                .next())
                .isEqualTo(Steadiness.Step.WARM);
    }

    /// With `-Xint`, the JVM has no compiler thread and reports no queue.
    @Test
    void interpreterNeedsNoCompilerWait() {
        var slow = new Slice(20, 400, Optional.of(1.9));

        assertThat(steadiness(alike(slow, 6), looks(0, 0, 0, queue(0, 6))).next())
                .isEqualTo(Steadiness.Step.WARM);
    }

    /// With a full code cache, the compilers are off, and the queued methods stay.
    @Test
    void doesNotWaitForQueueWithoutCompiler() {
        assertThat(steadiness(alike(PLATEAU, 6), looks(0, 0, 0, queue(240, 6))).next())
                .isEqualTo(Steadiness.Step.WARM);
    }

    @Test
    void constantQueueOfWaitingCompilersIsABacklog() {
        assertThat(steadiness(alike(PLATEAU, 6), looks(0, 1, 0, queue(240, 6))).next())
                .isEqualTo(Steadiness.Step.REST);
    }

    @Test
    void doesNotWaitForPermanentSlowCompilation() {
        var some = looks(0.05, 0.6, 2, queue(3, Steadiness.PATIENCE));

        assertThat(steadiness(alike(PLATEAU, Steadiness.PATIENCE - 1), some).next())
                .isEqualTo(Steadiness.Step.LOAD);
        assertThat(steadiness(alike(PLATEAU, Steadiness.PATIENCE), some).next())
                .isEqualTo(Steadiness.Step.WARM);
    }

    /// If the queue is short in one sample and long in the next one, the service is not warm yet.
    @ParameterizedTest
    @CsvSource({"300, 8, 250", "8, 9, 250", "250, 8, 8", "0, 60, 2"})
    void longQueueInLastSecondsIsNotWarm(int first, int second, int third) {
        var looks = looks(0.05, 0.05, 2, 0, 0, 0, first, second, third);

        assertThat(steadiness(alike(PLATEAU, 6), looks).next()).isEqualTo(Steadiness.Step.LOAD);
    }

    @ParameterizedTest
    @CsvSource({"0, 60, 2, WARM", "8, 9, 250, WARM", "300, 8, 250, LOAD"})
    void doesNotWaitForeverForOccasionalCompilations(
            int first, int second, int third, Steadiness.Step step) {
        List<CompilerSample> looks = new ArrayList<>(looks(0.05, 0.05, 2, queue(0, 17)));
        looks.addAll(looks(0.05, 0.05, 2, first, second, third));

        assertThat(steadiness(alike(PLATEAU, Steadiness.PATIENCE), looks).next()).isEqualTo(step);
    }

    @Test
    void serviceWithAConstantlyShortQueueIsWarm() {
        assertThat(steadiness(alike(PLATEAU, 6), looks(0.05, 0.05, 2, 0, 10, 1, 0, 10, 2)).next())
                .isEqualTo(Steadiness.Step.WARM);
    }

    @Test
    void reportsLongQueueAtEndOfWarmUp() {
        var ended = steadiness(alike(PLATEAU, 6), looks(0.05, 0.05, 2, 0, 0, 0, 300, 250, 8));

        assertThat(ended.missed(Duration.ofSeconds(6), 4)).isPresent();
    }

    @Test
    void tooFewSecondsAreNoReasonToRest() {
        assertThat(steadiness(alike(PLATEAU, 5), looks(0.03, 1.9, 4, queue(3000, 5))).next())
                .isEqualTo(Steadiness.Step.LOAD);
    }
}
