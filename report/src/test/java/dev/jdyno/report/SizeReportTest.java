package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Note;
import dev.jdyno.instance.InstanceSize;
import dev.jdyno.instance.PoolNeed;
import dev.jdyno.instance.PoolNeed.Known;
import dev.jdyno.instance.PoolTest;
import dev.jdyno.instance.Price;
import dev.jdyno.instance.SizeDemand;
import dev.jdyno.instance.SizeGrid;
import dev.jdyno.instance.SizeSearch.Below;
import dev.jdyno.instance.SizeSearch.End;
import dev.jdyno.instance.SizeSearch.Smaller;
import dev.jdyno.instance.SizeTest;
import dev.jdyno.instance.SizeTest.Figures;
import dev.jdyno.instance.SizeTest.Reason;
import dev.jdyno.instance.SizeTest.Why;
import dev.jdyno.instance.SizeWish;
import dev.jdyno.instance.Sized;
import dev.jdyno.measure.JvmMemory;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.GoalKnee.Misses;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import dev.jdyno.report.words.SizeText;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SizeReportTest {
    private static final String HOSTILE = "\u001b[31mred\nsecond line";
    private static final InstanceSize FULL = new InstanceSize(2000, 4096);
    private static final InstanceSize FOUND = new InstanceSize(600, 256);

    private static Figures figures(double missed) {
        return new Figures(
                990,
                42.5,
                4,
                1500,
                List.of(new Misses("p99<100ms", missed, missed / 2, 2 * missed, 0.01)),
                0.55,
                0.56,
                12.5,
                40,
                0.01,
                0,
                50e6,
                Optional.empty(),
                false,
                0.05,
                true);
    }

    private static SizeTest test(InstanceSize size, Why why, Reason reason) {
        boolean ran =
                reason != Reason.OOM_KILLED
                        && reason != Reason.NOT_STARTED
                        && reason != Reason.ENDED;
        Outcome outcome =
                reason == Reason.NONE
                        ? Outcome.GOOD
                        : reason == Reason.NOT_DECIDED ? Outcome.OPEN : Outcome.BAD;
        return new SizeTest(
                size,
                why,
                why == Why.FULL ? List.of() : List.of("-Xmx130m"),
                outcome,
                reason,
                ran ? Optional.of(figures(reason == Reason.NONE ? 0.002 : 0.31)) : Optional.empty(),
                reason == Reason.OOM_KILLED ? 1 : 0,
                ran ? Optional.of(Bytes.mebi(210)) : Optional.empty(),
                ran ? "" : HOSTILE,
                90,
                Optional.empty());
    }

    private static Sized result(End end, Optional<Sized.Found> found, SizeTest... tests) {
        return result(800, 1, end, found, tests);
    }

    private static Sized result(
            double ratePerS,
            int replicas,
            End end,
            Optional<Sized.Found> found,
            SizeTest... tests) {
        return new Sized(
                "shop",
                new SizeWish(
                        ratePerS,
                        replicas,
                        0.2,
                        List.of(Goal.responseTime("p99<100ms", 0.99, 100)),
                        SizeGrid.of(new SizeGrid.Range(100, 2000), new SizeGrid.Range(64, 4096)),
                        Optional.of(new Price(30, 4)),
                        Duration.ofMinutes(40)),
                Optional.of(
                        new SizeDemand(
                                0.56,
                                3.4,
                                50e6,
                                Optional.of(new JvmMemory(40 << 20, 100 << 20)),
                                Optional.of(700.5))),
                Optional.of(FOUND),
                List.of(tests),
                end,
                found,
                Sized.Pools.NONE,
                Optional.empty(),
                List.of(new Note.Failed("a note", "a reason")),
                540);
    }

    private static Below below(Smaller known, int milliCpus, int mebibytes) {
        return new Below(known, Optional.of(new InstanceSize(milliCpus, mebibytes)));
    }

    private static Sized found() {
        return result(
                End.FOUND,
                Optional.of(
                        new Sized.Found(
                                FOUND,
                                List.of("-Xmx130m"),
                                2,
                                2,
                                below(Smaller.FAILS, 500, 256),
                                below(Smaller.NOT_DECIDED, 600, 224),
                                Optional.of(19.0))),
                test(FULL, Why.FULL, Reason.NONE),
                test(FOUND, Why.PROPOSED, Reason.NONE),
                test(new InstanceSize(500, 256), Why.SMALLER_CPU, Reason.MISSED),
                test(new InstanceSize(600, 224), Why.SMALLER_MEMORY, Reason.NOT_DECIDED),
                test(FOUND, Why.AGAIN, Reason.NONE));
    }

    @Test
    void terminalHasTheSizeItsProofAndTheLinesToCopy() {
        String text = SizeReport.terminal(found());

        assertThat(text.lines()).allMatch(l -> l.length() <= 100);
        assertThat(text)
                .contains("600m", "256Mi", "19.00", "1000/s", "800/s", "20 %", "-Xmx130m")
                .contains("  limits: {cpu: 600m, memory: 256Mi}")
                .contains("  requests: {cpu: 600m, memory: 256Mi}")
                .contains("31 %", "a note");
        assertThat(SizeText.smaller(found())).hasSize(2).doesNotHaveDuplicates();
    }

    /// A step that was tested with more memory has that memory in its line.
    @Test
    void aStepTestedWithMoreMemoryHasItInItsLine() {
        assertThat(smaller(Smaller.FAILS)).doesNotContain("320Mi");
        assertThat(smaller(Smaller.FAILS_WITH_MORE)).contains("320Mi");
        assertThat(smaller(Smaller.NOT_DECIDED_WITH_MORE)).contains("320Mi");
        assertThat(Arrays.stream(Smaller.values()).map(SizeReportTest::smaller))
                .doesNotHaveDuplicates();
    }

    /// The line about less CPU, where a size with 320 MiB was tested.
    private static String smaller(Smaller known) {
        var found =
                new Sized.Found(
                        FOUND,
                        List.of(),
                        2,
                        2,
                        below(known, 500, 320),
                        below(Smaller.FAILS, 600, 224),
                        Optional.empty());
        return SizeText.smaller(result(End.FOUND, Optional.of(found))).getFirst();
    }

    @Test
    void replicasHaveTheirRateAndTheirCost() throws IOException {
        Sized four =
                result(
                        3200,
                        4,
                        End.FOUND,
                        found().found(),
                        test(FULL, Why.FULL, Reason.NONE),
                        test(FOUND, Why.PROPOSED, Reason.NONE));

        assertThat(SizeText.replicas(found())).isEmpty();
        assertThat(SizeText.replicas(four).orElseThrow())
                .startsWith("replicas: 4,")
                .contains("800/s", "3200/s", "76.00");
        assertThat(SizeReport.terminal(four)).contains("replicas: 4,", "1000/s", "19.00");
        Golden.assertMatches("documents/size-replicas.json", SizeReport.json(four));
    }

    /// 12500/s of 0.56 ms are 7 cores, and each replica may use 1.5 of its 2.
    @Test
    void fullSizeThatIsBadHasComputedReplicas() {
        Sized none =
                result(
                        10_000,
                        2,
                        End.NONE_GOOD,
                        Optional.empty(),
                        test(FULL, Why.FULL, Reason.QUEUE_GROWS));

        assertThat(none.computedReplicas()).contains(5L);
        assertThat(SizeReport.terminal(none)).contains("--replicas 5", "replicas: 2,");
        assertThat(SizeReport.json(none)).contains("\"computedReplicas\":5", "\"replicas\":2");
    }

    private static PoolNeed need(
            String pool, int places, Optional<String> knob, Known holds, Known less) {
        return new PoolNeed(
                new PoolDemand(
                        pool,
                        "HikariCP",
                        Optional.of(10.0),
                        3.2,
                        new Interval(3, 3.4),
                        Optional.of(0.0),
                        Optional.of(3.2)),
                Optional.of(1.0),
                places - 1,
                places,
                new PoolNeed.Setting(
                        Optional.of("spring.datasource.hikari.maximum-pool-size"),
                        true,
                        knob,
                        knob.map(k -> "--" + k + "=" + places)),
                knob.map(_ -> places - 1),
                holds,
                less);
    }

    private static Sized withPools() {
        Sized s = found();
        var pools =
                new Sized.Pools(
                        List.of(
                                need("orders", 6, Optional.of("pool"), Known.HOLDS, Known.FAILS),
                                need(HOSTILE, 5, Optional.empty(), Known.NO_KNOB, Known.NO_KNOB)),
                        List.of(
                                new PoolTest(
                                        Map.of("pool", 6), test(FOUND, Why.POOLS, Reason.NONE)),
                                new PoolTest(
                                        Map.of("pool", 5),
                                        test(FOUND, Why.SMALLER_POOL, Reason.MISSED))),
                        Map.of("pool", 12));
        return new Sized(
                s.plan(),
                s.wish(),
                s.demand(),
                s.proposed(),
                s.tests(),
                s.end(),
                s.found(),
                pools,
                Optional.of("-Xmx512m"),
                s.notes(),
                s.seconds());
    }

    /// A full size that was not decided held no rate.
    @Test
    void onlyAGoodFullSizeHeldTheRateWithLargerPools() {
        Sized s = withPools();
        Sized open = with(s, List.of(test(FOUND, Why.LARGER_POOLS, Reason.NOT_DECIDED)), s.pools());

        assertThat(SizeText.remarks(s).get(1)).contains("pool 12", "held the rate");
        assertThat(SizeText.remarks(open).get(1))
                .contains("pool 12", "not decided")
                .doesNotContain("held the rate");
    }

    /// One property cannot be copied with two numbers, and a number above each pool is none.
    @Test
    void onlyANumberToSetIsALineToCopy() {
        assertThat(line(6, Known.NO_KNOB)).contains("maximum-pool-size=6");
        assertThat(line(6, Known.SHARED)).contains("size of orders: 6").doesNotContain("=");
        assertThat(line(PoolNeed.MAX_PLACES, Known.NO_KNOB))
                .contains("maximum-pool-size: 100000 or more")
                .doesNotContain("=");
    }

    private static String line(int places, Known known) {
        Sized s = withPools();
        return SizeText.poolSettings(
                        with(s, List.of(need("orders", places, Optional.empty(), known, known))))
                .getFirst();
    }

    private static Sized with(Sized s, List<PoolNeed> needs) {
        return with(s, s.tests(), new Sized.Pools(needs, List.of(), Map.of()));
    }

    private static Sized with(Sized s, List<SizeTest> tests, Sized.Pools pools) {
        return new Sized(
                s.plan(),
                s.wish(),
                s.demand(),
                s.proposed(),
                tests,
                s.end(),
                s.found(),
                pools,
                s.heapOfCommand(),
                s.notes(),
                s.seconds());
    }

    @Test
    void poolsHaveALineToCopyAndWhatIsKnownOfIt() throws IOException {
        String text = SizeReport.terminal(withPools());

        assertThat(text.lines()).allMatch(l -> l.length() <= 100);
        assertThat(text)
                .contains("    --pool=6 (", "-Xmx512m")
                .contains("    spring.datasource.hikari.maximum-pool-size=5 (")
                .doesNotContain("\u001b");
        assertThat(SizeText.poolSettings(withPools())).hasSize(2);
        assertThat(SizeText.poolTests(withPools())).hasSize(2);
        assertThat(SizeText.pools(withPools()).getFirst()).contains("3.2 of 10", "5 to 6");
        assertThat(String.join("", SizeText.remarks(withPools()))).contains("pool 12");
        assertThat(SizeText.poolSettings(found())).isEmpty();
        Golden.assertMatches("documents/size-pools.json", SizeReport.json(withPools()));
    }

    @Test
    void openSearchHasANextStep() {
        Sized open =
                result(End.NONE_GOOD, Optional.empty(), test(FULL, Why.FULL, Reason.NOT_DECIDED));

        // one step less memory of the found size was not decided
        assertThat(SizeText.next(found()).getFirst()).contains("--memory 128m..256m");
        Sized cut = result(End.BUDGET, found().found(), test(FULL, Why.FULL, Reason.NONE));
        assertThat(SizeText.next(cut))
                .hasSize(2)
                .last()
                .asString()
                .contains("--budget", "--cpus 300m..600m");
        assertThat(SizeText.next(open)).hasSize(1);
        assertThat(SizeText.next(result(End.STOPPED, Optional.empty()))).isEmpty();
        Sized failed = result(End.FAILED, found().found(), test(FULL, Why.FULL, Reason.NONE));
        assertThat(SizeText.next(failed)).last().asString().contains("note", "--cpus 300m..600m");
    }

    @Test
    void everyReasonHasItsOwnWordsInOneSafeLine() {
        List<String> words =
                Arrays.stream(Reason.values())
                        .map(r -> SizeText.why(test(FOUND, Why.PROPOSED, r)))
                        .toList();

        assertThat(words).doesNotHaveDuplicates();
        for (Reason reason : Reason.values()) {
            SizeTest test = test(FOUND, Why.PROPOSED, reason);
            assertThat(String.join("", SizeReport.lines(found().wish(), test)))
                    .doesNotContain("\u001b", "\n", "second line");
        }
    }

    @Test
    void withoutASizeThereIsNothingToCopy() {
        Sized none =
                result(End.NONE_GOOD, Optional.empty(), test(FULL, Why.FULL, Reason.QUEUE_GROWS));
        Sized cut = result(End.STOPPED, Optional.empty());

        assertThat(SizeText.kubernetes(none)).isEmpty();
        assertThat(SizeReport.terminal(none)).contains("4096Mi").doesNotContain("Kubernetes");
        assertThat(SizeReport.terminal(cut)).contains("PARTIAL: cut short");
        Sized failed = result(End.FAILED, Optional.empty(), test(FULL, Why.FULL, Reason.NONE));
        assertThat(SizeReport.terminal(failed))
                .contains("PARTIAL: a test failed")
                .doesNotContain("cut short");
        assertThat(SizeReport.json(failed)).contains("\"end\":\"failed\"", "\"partial\":true");
    }

    @Test
    void theDocumentHasEachTestWithItsFigures() throws IOException {
        Sized all =
                result(
                        End.BUDGET,
                        found().found(),
                        test(FULL, Why.FULL, Reason.NONE),
                        test(new InstanceSize(500, 128), Why.SMALLER_MEMORY, Reason.OOM_KILLED));

        Golden.assertMatches("documents/size.json", SizeReport.json(all));
        Golden.assertMatches(
                "documents/size-none.json", SizeReport.json(result(End.STOPPED, Optional.empty())));
    }
}
