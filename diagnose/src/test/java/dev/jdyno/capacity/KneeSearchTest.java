package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.jdyno.capacity.KneeSearch.Reason;
import dev.jdyno.capacity.KneeSearch.Settings;
import dev.jdyno.capacity.KneeSearch.Step;
import dev.jdyno.measure.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KneeSearchTest {
    private static final int MANY = 5000;

    private static RequestPath path(double cpuMs, double lockMs, double ioMs) {
        List<Resource> resources = new ArrayList<>();
        resources.add(new Resource("cpu", cpuMs, SampleRounds.CORES));
        if (lockMs > 0) {
            resources.add(new Resource("lock", lockMs, 1));
        }
        return RequestPath.serial(resources, List.of(new Delay("io", ioMs)));
    }

    /// Services of each kind: limited by CPU or by a lock, almost without waits or almost without
    /// CPU time.
    @ParameterizedTest(name = "cpu {0} ms, lock {1} ms, io {2} ms")
    @CsvSource({
        "10,0,80",
        "5,0,80",
        "10,0,40",
        "20,50,80",
        "10,0,0",
        "1,0,1000",
        "0.2,0,5",
        "5,30,0",
        "2,0,300"
    })
    void findsTheKneeInAtMostTenRounds(double cpuMs, double lockMs, double ioMs) {
        var path = path(cpuMs, lockMs, ioMs);
        for (long seed = 1; seed <= 12; seed++) {
            Search found = search(path, Settings.standard(MANY, SampleRounds.CORES), 0.03, seed);

            assertThat(found.end().reason())
                    .as("seed %d %s", seed, found)
                    .isEqualTo(Reason.PRECISE_ENOUGH);
            assertThat(found.rounds()).as("seed %d %s", seed, found).hasSizeLessThanOrEqualTo(10);
            assertThat(found.knee())
                    .as("seed %d %s", seed, found)
                    .isCloseTo(Bounds.of(path).kneeConcurrency(), withPercentage(15));
        }
    }

    /// Four times the knee would be four requests. A queue of three is too short to show what
    /// requests wait for.
    @ParameterizedTest
    @CsvSource({"0.2, 1.2", "1, 5"})
    void measuresHigherConcurrencyIfOneRequestSaturates(double cpuMs, double lockMs) {
        Search found =
                search(
                        path(cpuMs, lockMs, 0),
                        Settings.standard(MANY, SampleRounds.CORES),
                        0.03,
                        1);

        assertThat(found.rounds()).extracting(Round::concurrency).contains(16);
    }

    @Test
    void aKnownKneeSavesRounds() {
        var path = path(1, 0, 1000);
        var fresh = Settings.standard(MANY, SampleRounds.CORES);
        var daily = new Settings(MANY, 5, 90, 0.10, 14, SampleRounds.CORES, Optional.of(2000.0));

        int first = search(path, fresh, 0.02, 1).rounds().size();
        int again = search(path, daily, 0.02, 1).rounds().size();

        assertThat(again).isLessThanOrEqualTo(first);
    }

    @Test
    void searchEndsAtHighestAllowedLoadWhileThroughputRises() {
        Search found =
                search(path(1, 0, 1000), Settings.standard(100, SampleRounds.CORES), 0.01, 1);

        assertThat(found.end().reason()).isEqualTo(Reason.LOAD_LIMIT);
        assertThat(found.end().says()).contains("100 in flight");
    }

    @Test
    void searchStopsWhenTheBudgetIsSpent() {
        var hurried = new Settings(MANY, 5, 20, 0.10, 14, SampleRounds.CORES, Optional.empty());

        Search found = search(path(10, 0, 80), hurried, 0.02, 1);

        assertThat(found.end().reason()).isEqualTo(Reason.BUDGET_SPENT);
        assertThat(found.rounds()).hasSize(4);
    }

    @Test
    void moreLoadIsNotAskedOfASaturatedClient() {
        Round round =
                new SampleRounds(path(10, 0, 80), 10, 0, 1).at(1).recording().rounds().getLast();
        Round spoilt = SampleRounds.withSaturatedClient(round);

        Step step =
                new KneeSearch(Settings.standard(MANY, SampleRounds.CORES)).next(List.of(spoilt));

        assertThat(step)
                .isInstanceOfSatisfying(
                        Step.Done.class,
                        d -> assertThat(d.reason()).isEqualTo(Reason.CLIENT_SATURATED));
    }

    @Test
    void shortStallOfClientEndsNoSearch() {
        Round round =
                new SampleRounds(path(10, 0, 80), 10, 0, 1).at(1).recording().rounds().getLast();

        assertThat(
                        new KneeSearch(Settings.standard(MANY, SampleRounds.CORES))
                                .next(List.of(SampleRounds.withClientHeldUp(round))))
                .isInstanceOf(Step.Measure.class);
    }

    @Test
    void aSlowServiceGetsLongerRounds() {
        var search = new KneeSearch(Settings.standard(MANY, SampleRounds.CORES));
        List<Round> oneUser =
                new SampleRounds(path(10, 0, 2000), 10, 0, 1).at(1).recording().rounds();

        Step.Measure step = (Step.Measure) search.next(oneUser);

        assertThat(step.seconds()).isGreaterThan(40);
    }

    /// At half of the knee's concurrency the response time is that of one user, so the round needs
    /// no extension.
    @Test
    void doesNotExtendRoundBelowKnee() {
        var search = new KneeSearch(Settings.standard(MANY, SampleRounds.CORES));
        List<Round> oneUser =
                new SampleRounds(path(25, 0, 175), 25, 0, 1).at(1).recording().rounds();

        Step.Measure step = (Step.Measure) search.next(oneUser);

        assertThat(step.concurrency()).isGreaterThan(4);
        assertThat(step.seconds()).isEqualTo(5);
    }

    @Test
    void kneeIsFoundWithoutTheTargetsCpu() {
        Search found = search(path(10, 0, 80), Settings.standard(MANY, SampleRounds.CORES), 0, 1);

        assertThat(found.knee()).isCloseTo(18, withPercentage(8));
    }

    private record Search(List<Round> rounds, Step.Done end) {
        double knee() {
            return CapacityAnalysis.of(SampleRounds.recording(rounds))
                    .knee()
                    .orElseThrow()
                    .concurrency();
        }

        @Override
        public String toString() {
            return rounds.stream().map(Round::concurrency).toList() + " " + end;
        }
    }

    /// Runs the search against the exact closed model.
    ///
    /// @param noise of one second's throughput; 0 also hides CPU
    private static Search search(RequestPath path, Settings settings, double noise, long seed) {
        var search = new KneeSearch(settings);
        double cpuMs = path.resources().getFirst().ms();
        var service = new SampleRounds(path, cpuMs, noise, seed);
        List<Round> rounds = new ArrayList<>();
        while (true) {
            switch (search.next(rounds)) {
                case Step.Done done -> {
                    return new Search(rounds, done);
                }
                case Step.Measure(int n, double _, String _) -> {
                    Round round = service.at(n).recording().rounds().getLast();
                    rounds.add(noise > 0 ? round : SampleRounds.blind(round));
                }
            }
        }
    }
}
