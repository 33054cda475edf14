package dev.jdyno.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.compare.Note;
import dev.jdyno.instance.SizeSearch.End;
import dev.jdyno.instance.SizeSearch.Smaller;
import dev.jdyno.instance.SizeTest.Reason;
import dev.jdyno.instance.SizeTest.Why;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import dev.jdyno.simulated.VirtualClock;
import dev.jdyno.target.cgroup.CgroupUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whole studies of a service that needs 1 core and 192 MiB, in virtual time.
class SizeStudyTest {
    private final VirtualClock clock = new VirtualClock();
    private final List<InstanceSize> begun = new ArrayList<>();
    private final List<SizeTest> ended = new ArrayList<>();

    private static SizeTest needing(InstanceSize size, Why why) {
        return size.mebibytes() < 192
                ? SizeFixture.test(size, why, Outcome.BAD, Reason.OOM_KILLED)
                : size.milliCpus() < 1000
                        ? SizeFixture.test(size, why, Outcome.BAD, Reason.MISSED)
                        : SizeFixture.test(size, why, Outcome.GOOD, Reason.NONE);
    }

    private Sized run(Verifying verifying) throws InterruptedException {
        return run(SizeFixture.wish(Optional.of(new Price(30, 4))), verifying);
    }

    private Sized run(SizeWish wish, Verifying verifying) throws InterruptedException {
        return new SizeStudy("shop", wish, verifying, t -> begun.add(t.size()), ended::add, clock)
                .run();
    }

    @Test
    void findsTheSmallestSizeWithItsCost() throws Exception {
        Sized s = run((size, why, _) -> Optional.of(needing(size, why)));

        assertThat(s.end()).isEqualTo(End.FOUND);
        Sized.Found found = s.found().orElseThrow();
        assertThat(found.size()).isEqualTo(new InstanceSize(1000, 192));
        assertThat(found.goodStarts()).isEqualTo(2);
        assertThat(found.lessCpu()).isEqualTo(Smaller.FAILS);
        assertThat(found.lessMemory()).isEqualTo(Smaller.FAILS);
        assertThat(found.cost()).contains(30.75);
        assertThat(s.partial()).isFalse();
        assertThat(begun).hasSameSizeAs(s.tests());
        assertThat(ended).isEqualTo(s.tests());
    }

    @Test
    void replicasShareTheRateAndCostTogether() throws Exception {
        SizeWish wish = SizeFixture.wish(3200, 4, Optional.of(new Price(30, 4)));
        Sized s = run(wish, (size, why, _) -> Optional.of(needing(size, why)));

        assertThat(wish.instanceRatePerS()).isEqualTo(800);
        assertThat(wish.testedRatePerS()).isEqualTo(1000);
        assertThat(s.found().orElseThrow().cost()).contains(30.75);
        assertThat(s.totalCost()).contains(123.0);
        assertThat(s.computedReplicas()).isEmpty();
    }

    /// 12500/s of 1.2 ms are 15 cores, and each replica may use 3 of its 4.
    @ParameterizedTest
    @CsvSource({"1, MISSED, 5", "4, QUEUE_GROWS, 5", "5, MISSED, 0", "1, OOM_KILLED, 0"})
    void badFullSizeSuggestsReplicasByItsCpuDemand(int replicas, Reason reason, long computed)
            throws Exception {
        SizeWish wish = SizeFixture.wish(10_000, replicas, Optional.empty());
        Sized s =
                run(
                        wish,
                        (size, why, _) ->
                                Optional.of(SizeFixture.test(size, why, Outcome.BAD, reason)));

        assertThat(s.end()).isEqualTo(End.NONE_GOOD);
        assertThat(s.computedReplicas().orElse(0L)).isEqualTo(computed);
        assertThat(s.totalCost()).isEmpty();
    }

    @Test
    void theFullSizeRunsAsItIsAndEachOtherWithAHeapThatFits() throws Exception {
        List<List<String>> given = new ArrayList<>();

        Sized s =
                run((size, why, flags) -> {
                    given.add(flags);
                    return Optional.of(needing(size, why));
                });

        assertThat(given.getFirst()).isEmpty();
        for (int i = 1; i < given.size(); i++) {
            InstanceSize size = s.tests().get(i).size();
            String flag = given.get(i).getFirst();
            int heap = Integer.parseInt(flag.replaceAll("\\D", ""));
            assertThat(flag).startsWith("-Xmx");
            assertThat(heap).isLessThan(size.mebibytes());
        }
    }

    @Test
    void endsWithTheResultsSoFarIfStopped() throws Exception {
        for (int n = 0; n < 5; n++) {
            int tests = n;
            ended.clear();
            Sized s =
                    run((size, why, _) ->
                            ended.size() == tests
                                    ? Optional.empty()
                                    : Optional.of(needing(size, why)));

            assertThat(s.end()).isEqualTo(End.STOPPED);
            assertThat(s.partial()).isTrue();
            assertThat(s.tests()).hasSize(n);
        }
    }

    @Test
    void aFailureOfTheFirstTestIsAnErrorAndALaterOneIsKept() throws Exception {
        Verifying fails =
                (_, _, _) -> {
                    throw UserError.usage("no", "because", "do");
                };
        Verifying later =
                (size, why, _) -> {
                    if (why != Why.FULL) {
                        throw UserError.usage("no", "because", "do");
                    }
                    return Optional.of(needing(size, why));
                };

        assertThatExceptionOfType(UserError.class).isThrownBy(() -> run(fails));
        Sized s = run(later);
        assertThat(s.tests()).hasSize(1);
        assertThat(s.partial()).isTrue();
        assertThat(s.notes()).containsExactly(new Note.Failed("no", "because"));
    }

    @Test
    void aFailedStartHasTheReasonThatIsKnown() {
        var fine = new CgroupUse(0, 0, 0, Optional.empty());
        var killed = new CgroupUse(0, 0, 1, Optional.empty());
        String heap = "ended: java.lang.OutOfMemoryError: Java heap space";

        assertThat(CgroupVerifying.failureReason(killed, heap, true)).isEqualTo(Reason.OOM_KILLED);
        assertThat(CgroupVerifying.failureReason(fine, heap, true)).isEqualTo(Reason.HEAP_FULL);
        assertThat(CgroupVerifying.failureReason(fine, "gone", true)).isEqualTo(Reason.ENDED);
        assertThat(CgroupVerifying.failureReason(fine, "gone", false))
                .isEqualTo(Reason.NOT_STARTED);
    }
}
