package dev.jdyno.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.instance.SizeSearch.Below;
import dev.jdyno.instance.SizeSearch.End;
import dev.jdyno.instance.SizeSearch.Smaller;
import dev.jdyno.instance.SizeSearch.Step;
import dev.jdyno.instance.SizeTest.Reason;
import dev.jdyno.instance.SizeTest.Why;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Searches on a service that needs certain limits, and on one whose results vary.
class SizeSearchTest {
    private static final SizeGrid GRID = SizeFixture.GRID;
    private static final double NO_BUDGET = 1e9;

    /// Instead of a step below the lower end of a range.
    private static final int NONE = 0;

    /// A service that holds its rate from these limits on.
    private record Needs(int milliCpus, int mebibytes) {
        SizeTest test(Step.Test t) {
            InstanceSize size = t.size();
            return size.mebibytes() < mebibytes
                    ? SizeFixture.test(size, t.why(), Outcome.BAD, Reason.OOM_KILLED)
                    : size.milliCpus() < milliCpus
                            ? SizeFixture.test(size, t.why(), Outcome.BAD, Reason.QUEUE_GROWS)
                            : SizeFixture.test(size, t.why(), Outcome.GOOD, Reason.NONE);
        }
    }

    private interface Service {
        SizeTest test(Step.Test wanted);
    }

    private record Searched(List<SizeTest> tests, End end) {
        InstanceSize found() {
            return SizeSearch.smallestGood(tests).orElseThrow();
        }

        List<InstanceSize> sizes() {
            return tests.stream().map(SizeTest::size).toList();
        }
    }

    private static Searched search(InstanceSize proposed, Service service) {
        return search(proposed, service, NO_BUDGET);
    }

    private static Searched search(InstanceSize proposed, Service service, double seconds) {
        var search = new SizeSearch(GRID, proposed);
        List<SizeTest> tests = new ArrayList<>();
        double left = seconds;
        while (tests.size() < 200) {
            switch (search.next(tests, left)) {
                case Step.Done(End end) -> {
                    return new Searched(tests, end);
                }
                case Step.Test test -> {
                    tests.add(service.test(test));
                    left -= tests.getLast().seconds();
                }
            }
        }
        throw new AssertionError("the search does not end: " + tests);
    }

    private static InstanceSize size(int milliCpus, int mebibytes) {
        return new InstanceSize(milliCpus, mebibytes);
    }

    @Test
    void everyNeedIsFoundFromEveryProposal() {
        List<Integer> cpus = GRID.milliCpus();
        List<Integer> memory = GRID.mebibytes();
        int most = 0;
        for (int c = 0; c < cpus.size(); c++) {
            for (int m = 0; m < memory.size(); m += 3) {
                var needs = new Needs(cpus.get(c), memory.get(m));
                for (int pc = 0; pc < cpus.size(); pc += 2) {
                    for (int pm = 0; pm < memory.size(); pm += 4) {
                        InstanceSize proposed = size(cpus.get(pc), memory.get(pm));
                        Searched s = search(proposed, needs::test);
                        assertThat(s.end()).isEqualTo(End.FOUND);
                        assertThat(s.found())
                                .as("%s from %s", needs, proposed)
                                .isEqualTo(size(needs.milliCpus(), needs.mebibytes()));
                        int cpu = c == 0 ? NONE : cpus.get(c - 1);
                        assertThat(SizeSearch.lessCpu(GRID, s.tests(), s.found()).known())
                                .isEqualTo(failing(s, cpu, needs.mebibytes()));
                        int less = m == 0 ? NONE : memory.get(m - 1);
                        assertThat(SizeSearch.lessMemory(GRID, s.tests(), s.found()).known())
                                .isEqualTo(failing(s, needs.milliCpus(), less));
                        most = Math.max(most, s.tests().size());
                    }
                }
            }
        }
        assertThat(most).isLessThanOrEqualTo(21);
    }

    private static Smaller failing(Searched s, int milliCpus, int mebibytes) {
        return milliCpus == NONE || mebibytes == NONE
                ? Smaller.NONE
                : s.sizes().contains(size(milliCpus, mebibytes))
                        ? Smaller.FAILS
                        : Smaller.FAILS_WITH_MORE;
    }

    /// Less CPU fails at the memory of the proposal, and is not tested again at less memory.
    @Test
    void aStepThatWasTestedWithMoreOfTheOtherLimitNamesThatSize() {
        Searched cpu = search(size(500, 192), new Needs(500, 160)::test);
        Searched memory = search(size(800, 128), new Needs(500, 160)::test);
        Searched open =
                search(
                        size(500, 192),
                        t ->
                                t.size().milliCpus() == 400
                                        ? SizeFixture.test(
                                                t.size(), t.why(), Outcome.OPEN, Reason.NOT_DECIDED)
                                        : new Needs(500, 160).test(t));

        assertThat(List.of(cpu.found(), memory.found(), open.found())).containsOnly(size(500, 160));
        assertThat(SizeSearch.lessCpu(GRID, cpu.tests(), cpu.found()))
                .isEqualTo(below(Smaller.FAILS_WITH_MORE, 400, 192));
        assertThat(SizeSearch.lessMemory(GRID, cpu.tests(), cpu.found()))
                .isEqualTo(below(Smaller.FAILS, 500, 128));
        assertThat(SizeSearch.lessCpu(GRID, memory.tests(), memory.found()))
                .isEqualTo(below(Smaller.FAILS, 400, 160));
        assertThat(SizeSearch.lessMemory(GRID, memory.tests(), memory.found()))
                .isEqualTo(below(Smaller.FAILS_WITH_MORE, 800, 128));
        assertThat(SizeSearch.lessCpu(GRID, open.tests(), open.found()))
                .isEqualTo(below(Smaller.NOT_DECIDED_WITH_MORE, 400, 192));
    }

    private static Below below(Smaller known, int milliCpus, int mebibytes) {
        return new Below(known, Optional.of(size(milliCpus, mebibytes)));
    }

    @Test
    void anExactProposalTakesFiveTests() {
        Searched s = search(size(600, 256), new Needs(600, 256)::test);

        assertThat(s.sizes())
                .containsExactly(
                        GRID.full(),
                        size(600, 256),
                        size(500, 256),
                        size(600, 224),
                        size(600, 256));
        assertThat(s.tests())
                .extracting(SizeTest::why)
                .containsExactly(
                        Why.FULL, Why.PROPOSED, Why.SMALLER_CPU, Why.SMALLER_MEMORY, Why.AGAIN);
    }

    @Test
    void aShortLimitIsRaisedInGrowingStepsThenHalved() {
        Searched cpu = search(size(300, 256), new Needs(1000, 256)::test);
        Searched memory = search(size(600, 128), new Needs(600, 224)::test);

        // one step, two steps, four steps; then halves between the bad 600 and the good 1500
        assertThat(cpu.sizes().subList(1, 7))
                .containsExactly(
                        size(300, 256),
                        size(400, 256),
                        size(600, 256),
                        size(1500, 256),
                        size(1000, 256),
                        size(800, 256));
        assertThat(memory.sizes().subList(1, 5))
                .containsExactly(size(600, 128), size(600, 160), size(600, 224), size(500, 224));
    }

    @Test
    void aBadFullSizeEndsTheSearch() {
        Searched s = search(size(600, 256), new Needs(8000, 64)::test);

        assertThat(s.end()).isEqualTo(End.NONE_GOOD);
        assertThat(s.sizes()).containsExactly(GRID.full());
        assertThat(SizeSearch.smallestGood(s.tests())).isEmpty();
    }

    /// An undecided full size does not end the search, but is no answer either.
    @Test
    void withoutAnyGoodSizeNothingIsFound() {
        Searched s =
                search(
                        size(600, 256),
                        t -> SizeFixture.test(t.size(), t.why(), Outcome.OPEN, Reason.NOT_DECIDED));

        assertThat(s.end()).isEqualTo(End.NONE_GOOD);
        assertThat(SizeSearch.smallestGood(s.tests())).isEmpty();
    }

    /// The first start of 500m is open, because other processes disturbed it.
    @Test
    void openSizeIsStartedOnceMore() {
        int[] starts = {0};
        Searched s =
                search(
                        size(600, 256),
                        t ->
                                t.size().milliCpus() == 500 && starts[0]++ == 0
                                        ? SizeFixture.test(
                                                t.size(), t.why(), Outcome.OPEN, Reason.NOT_DECIDED)
                                        : new Needs(500, 256).test(t));

        assertThat(s.end()).isEqualTo(End.FOUND);
        assertThat(s.found()).isEqualTo(size(500, 256));
        assertThat(SizeSearch.goodStarts(s.tests(), s.found())).isEqualTo(SizeSearch.GOOD_STARTS);
        assertThat(SizeSearch.lessCpu(GRID, s.tests(), s.found()).known()).isEqualTo(Smaller.FAILS);
    }

    @Test
    void anUndecidedSmallerSizeIsNotCalledFailing() {
        Searched s =
                search(
                        size(600, 256),
                        t ->
                                t.size().milliCpus() == 500
                                        ? SizeFixture.test(
                                                t.size(), t.why(), Outcome.OPEN, Reason.NOT_DECIDED)
                                        : new Needs(500, 256).test(t));

        assertThat(s.found()).isEqualTo(size(600, 256));
        assertThat(SizeSearch.lessCpu(GRID, s.tests(), s.found()))
                .isEqualTo(below(Smaller.NOT_DECIDED, 500, 256));
        assertThat(s.tests().stream().filter(t -> t.size().equals(size(500, 256)))).hasSize(2);
    }

    @Test
    void aSizeThatFailsItsSecondStartIsNotTheAnswer() {
        int[] starts = {0};
        Searched s =
                search(
                        size(600, 256),
                        t -> {
                            boolean second = t.size().equals(size(600, 256)) && ++starts[0] == 2;
                            return second
                                    ? SizeFixture.test(
                                            t.size(), t.why(), Outcome.BAD, Reason.MISSED)
                                    : new Needs(600, 256).test(t);
                        });

        assertThat(s.end()).isEqualTo(End.FOUND);
        assertThat(s.found()).isEqualTo(size(800, 256));
        assertThat(SizeSearch.lessCpu(GRID, s.tests(), s.found()))
                .isEqualTo(below(Smaller.FAILS, 600, 256));
        assertThat(SizeSearch.lessMemory(GRID, s.tests(), s.found()))
                .isEqualTo(below(Smaller.FAILS, 800, 224));
    }

    @Test
    void aSpentBudgetEndsTheSearchAtEveryMoment() {
        Service service = new Needs(1000, 512)::test;
        int whole = search(size(300, 128), service).tests().size();
        for (int n = 1; n < whole; n++) {
            Searched s = search(size(300, 128), service, 100.0 * n + 50);
            assertThat(s.end()).isEqualTo(End.BUDGET);
            assertThat(s.tests()).hasSize(n);
        }
        assertThat(search(size(300, 128), service, 100.0 * whole).end()).isEqualTo(End.FOUND);
    }

    /// A start is good with 95 % from the need on, with 20 % one step below, else with 2 %.
    @Test
    void withNoiseTheSearchEndsNearTheNeed() {
        List<Integer> cpus = GRID.milliCpus();
        int need = cpus.indexOf(800);
        int near = 0;
        int seeds = 400;
        for (int seed = 0; seed < seeds; seed++) {
            var random = new SplittableRandom(seed);
            Searched s =
                    search(
                            size(1000, 512),
                            t -> {
                                int above = cpus.indexOf(t.size().milliCpus()) - need;
                                double good = above >= 0 ? 0.95 : above == -1 ? 0.2 : 0.02;
                                boolean enough = t.size().mebibytes() >= 256;
                                return (enough && random.nextDouble() < good) || t.why() == Why.FULL
                                        ? SizeFixture.test(
                                                t.size(), t.why(), Outcome.GOOD, Reason.NONE)
                                        : SizeFixture.test(
                                                t.size(),
                                                t.why(),
                                                Outcome.BAD,
                                                enough ? Reason.MISSED : Reason.OOM_KILLED);
                            });
            assertThat(s.end()).isEqualTo(End.FOUND);
            int off = cpus.indexOf(s.found().milliCpus()) - need;
            near += off >= 0 && off <= 1 ? 1 : 0;
        }
        assertThat(near).isGreaterThanOrEqualTo((int) (0.85 * seeds));
    }

    /// Whatever the results, a search ends, and its answer was good on every start.
    @Test
    void anyResultsEndTheSearch() {
        for (int seed = 0; seed < 3000; seed++) {
            var random = new SplittableRandom(seed);
            double good = random.nextDouble();
            InstanceSize proposed =
                    size(
                            GRID.milliCpus().get(random.nextInt(GRID.milliCpus().size())),
                            GRID.mebibytes().get(random.nextInt(GRID.mebibytes().size())));
            Reason[] reasons = {
                Reason.MISSED, Reason.OOM_KILLED, Reason.HEAP_FULL, Reason.NOT_STARTED
            };
            Searched s =
                    search(
                            proposed,
                            t ->
                                    random.nextDouble() < good
                                            ? SizeFixture.test(
                                                    t.size(), t.why(), Outcome.GOOD, Reason.NONE)
                                            : SizeFixture.test(
                                                    t.size(),
                                                    t.why(),
                                                    Outcome.BAD,
                                                    reasons[random.nextInt(reasons.length)]));
            if (s.end() == End.FOUND) {
                InstanceSize found = s.found();
                assertThat(s.tests().stream().filter(t -> t.size().equals(found)))
                        .hasSizeGreaterThanOrEqualTo(SizeSearch.GOOD_STARTS)
                        .allMatch(SizeTest::isGood);
            }
        }
    }
}
