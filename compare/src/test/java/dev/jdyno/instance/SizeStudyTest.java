package dev.jdyno.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.compare.Note;
import dev.jdyno.instance.PoolNeed.Known;
import dev.jdyno.instance.SizeSearch.End;
import dev.jdyno.instance.SizeSearch.Smaller;
import dev.jdyno.instance.SizeTest.Reason;
import dev.jdyno.instance.SizeTest.Why;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Plan;
import dev.jdyno.simulated.VirtualClock;
import dev.jdyno.target.cgroup.CgroupUse;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        return run(plan("java -jar shop.jar"), wish, verifying);
    }

    private static Plan plan(String command, Knob... knobs) {
        return Plan.of(
                        "shop",
                        URI.create("http://127.0.0.1:1/"),
                        new Plan.TargetPlan.Launch(command))
                .withKnobs(List.of(knobs));
    }

    private Sized run(Plan plan, SizeWish wish, Verifying verifying) throws InterruptedException {
        return new SizeStudy(plan, wish, verifying, t -> begun.add(t.size()), ended::add, clock)
                .run();
    }

    @Test
    void findsTheSmallestSizeWithItsCost() throws Exception {
        Sized s = run((size, why, _, _) -> Optional.of(needing(size, why)));

        assertThat(s.end()).isEqualTo(End.FOUND);
        Sized.Found found = s.found().orElseThrow();
        assertThat(found.size()).isEqualTo(new InstanceSize(1000, 192));
        assertThat(found.goodStarts()).isEqualTo(2);
        assertThat(found.lessCpu().known()).isEqualTo(Smaller.FAILS_WITH_MORE);
        assertThat(found.lessMemory().known()).isEqualTo(Smaller.FAILS);
        assertThat(found.cost()).contains(30.75);
        assertThat(s.partial()).isFalse();
        assertThat(begun).hasSameSizeAs(s.tests());
        assertThat(ended).isEqualTo(s.tests());
    }

    @Test
    void replicasShareTheRateAndCostTogether() throws Exception {
        SizeWish wish = SizeFixture.wish(3200, 4, Optional.of(new Price(30, 4)));
        Sized s = run(wish, (size, why, _, _) -> Optional.of(needing(size, why)));

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
                        (size, why, _, _) ->
                                Optional.of(SizeFixture.test(size, why, Outcome.BAD, reason)));

        assertThat(s.end()).isEqualTo(End.NONE_GOOD);
        assertThat(s.computedReplicas().orElse(0L)).isEqualTo(computed);
        assertThat(s.totalCost()).isEmpty();
    }

    @Test
    void theFullSizeRunsAsItIsAndEachOtherWithAHeapThatFits() throws Exception {
        List<List<String>> given = new ArrayList<>();

        Sized s =
                run((size, why, flags, _) -> {
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
                    run((size, why, _, _) ->
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
                (_, _, _, _) -> {
                    throw UserError.usage("no", "because", "do");
                };
        Verifying later =
                (size, why, _, _) -> {
                    if (why != Why.FULL) {
                        throw UserError.usage("no", "because", "do");
                    }
                    return Optional.of(needing(size, why));
                };

        assertThatExceptionOfType(UserError.class).isThrownBy(() -> run(fails));
        Sized s = run(later);
        assertThat(s.tests()).hasSize(1);
        assertThat(s.end()).isEqualTo(End.FAILED);
        assertThat(s.partial()).isTrue();
        assertThat(s.notes()).containsExactly(new Note.Failed("no", "because"));
    }

    /// The group of the service stays after a test, so that no other test may follow.
    private record Staying(int after, List<SizeTest> tests) implements Verifying {
        @Override
        public Optional<SizeTest> verify(
                InstanceSize size, Why why, List<String> flags, List<Change.Launch> pools) {
            return pooled(size, why, pools, 6, 20);
        }

        @Override
        public Optional<UserError> blocked() {
            return tests.size() == after
                    ? Optional.of(UserError.target("a group", "busy", "rmdir it"))
                    : Optional.empty();
        }
    }

    @Test
    void aTestCountsWhoseGroupStaysAndNoOtherFollows() throws Exception {
        SizeWish wish = SizeFixture.wish(Optional.empty());
        int whole = run(wish, new Staying(-1, ended)).tests().size();
        for (int n = 1; n <= whole; n++) {
            ended.clear();
            Sized s = run(plan("java -jar shop.jar", ORDERS), wish, new Staying(n, ended));

            // the last test completes the search, and only tests of the pools are missing then
            assertThat(s.end()).isEqualTo(n == whole ? End.FOUND : End.FAILED);
            assertThat(s.tests()).hasSize(n).isEqualTo(ended);
            assertThat(s.pools().tests()).isEmpty();
            assertThat(s.notes()).containsExactly(new Note.Failed("a group", "busy"));
        }
    }

    /// A connection is held for 5 ms, so that 5 places are in use at 1000/s.
    private static Optional<SizeTest> pooled(
            InstanceSize size, Why why, List<Change.Launch> set, int needed, int preset) {
        int places =
                set.stream()
                        .map(c -> Integer.parseInt(c.written().replaceAll("\\D", "")))
                        .findFirst()
                        .orElse(preset);
        SizeTest test =
                places < needed
                        ? SizeFixture.test(size, why, Outcome.BAD, Reason.QUEUE_GROWS)
                        : needing(size, why);
        double held = Math.min(places, 5);
        return Optional.of(
                SizeFixture.withPools(
                        test,
                        200 * held,
                        SizeFixture.pool("orders", "HikariCP", places, held, held, 5)));
    }

    private static final Knob ORDERS =
            new Knob(
                    "orders",
                    new Knob.Values.Range(1, 50),
                    new Knob.Place.Property("pool.size", "{}"));

    @Test
    void poolWithAKnobIsTestedAtTheSmallestSizeAndSoIsOnePlaceLess() throws Exception {
        Sized s =
                run(
                        plan("java -jar shop.jar", ORDERS),
                        SizeFixture.wish(Optional.empty()),
                        (size, why, _, set) -> pooled(size, why, set, 6, 20));

        assertThat(s.end()).isEqualTo(End.FOUND);
        assertThat(s.found().orElseThrow().size()).isEqualTo(new InstanceSize(1000, 192));
        PoolNeed need = s.pools().needs().getFirst();
        assertThat(need.places()).isEqualTo(6);
        assertThat(need.holds()).isEqualTo(Known.HOLDS);
        assertThat(need.less()).contains(5);
        assertThat(need.lessHolds()).isEqualTo(Known.FAILS);
        assertThat(need.setting().written()).contains("-Dpool.size=6");
        assertThat(s.pools().tests())
                .extracting(t -> t.test().why(), PoolTest::places)
                .containsExactly(
                        tuple(Why.POOLS, Map.of("orders", 6)),
                        tuple(Why.SMALLER_POOL, Map.of("orders", 5)));
        assertThat(s.pools().raised()).isEmpty();
    }

    /// Two pools of one library have one knob, which gets the larger need and its next smaller
    /// value.
    @Test
    void knobOfTwoPoolsIsTestedWithTheLargerNeed() throws Exception {
        var both =
                new Knob(
                        "HikariCP",
                        new Knob.Values.Range(1, 50),
                        new Knob.Place.Property("pool.size", "{}"));
        Sized s =
                run(
                        plan("java -jar shop.jar", both),
                        SizeFixture.wish(Optional.empty()),
                        (size, why, _, _) ->
                                Optional.of(
                                        SizeFixture.withPools(
                                                needing(size, why),
                                                1000,
                                                SizeFixture.pool("a", "HikariCP", 20, 3, 3, 3),
                                                SizeFixture.pool("b", "HikariCP", 20, 5, 5, 5))));

        assertThat(s.pools().needs())
                .extracting(PoolNeed::holds, PoolNeed::places, PoolNeed::less)
                .containsExactly(
                        tuple(Known.SHARED, 4, Optional.empty()),
                        tuple(Known.HOLDS, 6, Optional.of(5)));
        assertThat(s.pools().tests())
                .extracting(PoolTest::places)
                .containsExactly(Map.of("HikariCP", 6), Map.of("HikariCP", 5));
    }

    /// The full size is bad because of the pool `a`, and the knob also sets the larger pool `b`.
    @Test
    void knobOfTwoPoolsIsRaisedToTheLargerNeed() throws Exception {
        var both =
                new Knob(
                        "HikariCP",
                        new Knob.Values.Range(1, 50),
                        new Knob.Place.Property("pool.size", "{}"));
        Sized s =
                run(
                        plan("java -jar shop.jar", both),
                        SizeFixture.wish(Optional.empty()),
                        (size, why, _, _) ->
                                Optional.of(
                                        SizeFixture.withPools(
                                                why == Why.FULL
                                                        ? SizeFixture.test(
                                                                size,
                                                                why,
                                                                Outcome.BAD,
                                                                Reason.QUEUE_GROWS)
                                                        : needing(size, why),
                                                1000,
                                                SizeFixture.pool("a", "HikariCP", 3, 3, 3, 3),
                                                SizeFixture.pool("b", "HikariCP", 20, 5, 5, 5))));

        assertThat(s.pools().raised()).isEqualTo(Map.of("HikariCP", 6));
    }

    /// A proposal that fails leaves the found size as it is, and no smaller pool is tested.
    @Test
    void poolThatFailsDoesNotTakeTheSizeAway() throws Exception {
        Sized s =
                run(
                        plan("java -jar shop.jar", ORDERS),
                        SizeFixture.wish(Optional.empty()),
                        (size, why, _, set) -> pooled(size, why, set, 9, 20));

        assertThat(s.found().orElseThrow().goodStarts()).isEqualTo(2);
        assertThat(s.pools().needs().getFirst().holds()).isEqualTo(Known.FAILS);
        assertThat(s.pools().tests()).hasSize(1);
    }

    @Test
    void poolWithoutAKnobIsComputedOnly() throws Exception {
        Sized s = run((size, why, _, set) -> pooled(size, why, set, 6, 20));

        PoolNeed need = s.pools().needs().getFirst();
        assertThat(need.places()).isEqualTo(6);
        assertThat(need.holds()).isEqualTo(Known.NO_KNOB);
        assertThat(need.setting().name()).contains("HikariCP's maximumPoolSize");
        assertThat(s.pools().tests()).isEmpty();
    }

    /// The full size fails only because of three connections, and all sizes then have more.
    @Test
    void fullSizeThatAPoolLimitsIsTestedWithALargerOne() throws Exception {
        Sized s =
                run(
                        plan("java -jar shop.jar", ORDERS),
                        SizeFixture.wish(Optional.empty()),
                        (size, why, _, set) -> pooled(size, why, set, 5, 3));

        assertThat(s.end()).isEqualTo(End.FOUND);
        assertThat(s.pools().raised()).containsOnlyKeys("orders");
        assertThat(s.pools().raised().get("orders")).isBetween(5, 8);
        assertThat(s.tests().getFirst().why()).isEqualTo(Why.LARGER_POOLS);
        assertThat(s.pools().tests().getFirst().test().outcome()).isEqualTo(Outcome.BAD);
        assertThat(s.pools().needs().getFirst().holds()).isEqualTo(Known.HOLDS);
    }

    @ParameterizedTest
    @CsvSource({
        "java -Xmx512m -jar a.jar, -Xmx512m",
        "java -Xmx1g -XX:MaxRAMPercentage=75.0 -jar a.jar, -Xmx1g",
        "java -XX:MaxRAMPercentage=75.0 -jar a.jar, -XX:MaxRAMPercentage=75.0",
        "java -Xms1g -jar a.jar,"
    })
    void heapOfTheCommandIsKept(String command, String heap) throws Exception {
        Sized s =
                run(
                        plan(command),
                        SizeFixture.wish(Optional.empty()),
                        (size, why, _, _) -> Optional.of(needing(size, why)));

        assertThat(s.heapOfCommand()).isEqualTo(Optional.ofNullable(heap));
    }

    @Test
    void aFailedStartHasTheReasonThatIsKnown() {
        var fine = new CgroupUse(0, Optional.empty());
        var killed = new CgroupUse(1, Optional.empty());
        String heap = "ended: java.lang.OutOfMemoryError: Java heap space";

        assertThat(CgroupVerifying.failureReason(killed, heap, true)).isEqualTo(Reason.OOM_KILLED);
        assertThat(CgroupVerifying.failureReason(fine, heap, true)).isEqualTo(Reason.HEAP_FULL);
        assertThat(CgroupVerifying.failureReason(fine, "gone", true)).isEqualTo(Reason.ENDED);
        assertThat(CgroupVerifying.failureReason(fine, "gone", false))
                .isEqualTo(Reason.NOT_STARTED);
    }
}
