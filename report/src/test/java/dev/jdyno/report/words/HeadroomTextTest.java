package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.AtLeast;
import dev.jdyno.measure.verdict.Headroom.BusiestMix;
import dev.jdyno.measure.verdict.Headroom.DiskLimit;
import dev.jdyno.measure.verdict.Headroom.EndpointDemand;
import dev.jdyno.measure.verdict.Headroom.First;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Limit;
import dev.jdyno.measure.verdict.Headroom.Mix;
import dev.jdyno.measure.verdict.Headroom.PoolLimit;
import dev.jdyno.measure.verdict.Headroom.Raise;
import dev.jdyno.measure.verdict.Headroom.Reason;
import dev.jdyno.measure.verdict.Headroom.Resource;
import dev.jdyno.measure.verdict.Headroom.TimeAt;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HeadroomTextTest {
    private static final PoolLimit ORDERS =
            new PoolLimit("orders", "HikariCP", 5, 0.6, known(250, 20, 5));

    private static Known known(double limitPerS, double demandMs, double available) {
        return new Known(
                limitPerS,
                new Interval(0.9 * limitPerS, 1.1 * limitPerS),
                demandMs,
                new Interval(0.9 * demandMs, 1.1 * demandMs),
                0,
                available,
                5,
                100,
                150,
                0.6,
                60);
    }

    private static Headroom unknown(Unknown cpu, List<PoolLimit> pools) {
        return new Headroom(cpu, pools, Optional.empty(), List.of());
    }

    private static String line(Reason reason, Optional<Double> watchS) {
        return unfolded(unknown(new Unknown(reason, watchS), List.of())).getFirst();
    }

    /// The lines of the text, each joined with its continuations.
    private static List<String> unfolded(Headroom headroom) {
        return String.join("\n", HeadroomText.lines(headroom))
                .replaceAll("\n {4,}", " ")
                .lines()
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void explainsHowToMeasureUnknownHeadroom(Reason reason) {
        assertThat(line(reason, Optional.empty())).contains(reason.says()).contains("; ");
    }

    @Test
    void printsWatchingTimeInOptionFormat() {
        assertThat(line(Reason.TOO_LITTLE_VARIATION, Optional.of(1500.4))).endsWith(" 25m");
    }

    @Test
    void theFirstResourceComesFirstWithItsFixAndItsTimes() {
        Known cpu = known(900, 2, 2);
        List<String> lines =
                unfolded(
                        new Headroom(
                                cpu,
                                List.of(ORDERS),
                                Optional.of(
                                        new First(
                                                Resource.pool("orders"),
                                                (Known) ORDERS.limit(),
                                                List.of(),
                                                Optional.of(new Raise(18, 900, Resource.CPU)))),
                                List.of(new TimeAt(0.8, 200, 34.5))));

        assertThat(lines.getFirst()).contains("orders", "first", "250", "225 to 275", "1.7 times");
        assertThat(lines).anyMatch(l -> l.contains("from 5 to 18") && l.contains("900"));
        assertThat(lines).anyMatch(l -> l.contains("35 ms") || l.contains("34 ms"));
        assertThat(lines).anyMatch(l -> l.contains("CPU: a request takes 2 ms"));
        assertThat(lines).anyMatch(l -> l.contains("orders (HikariCP, 5), up to 60 %"));
    }

    @Test
    void withoutPoolsTheCpuIsNotCalledTheFirst() {
        Known cpu = known(900, 2, 2);
        List<String> lines =
                unfolded(
                        new Headroom(
                                cpu,
                                List.of(),
                                Optional.of(
                                        new First(Resource.CPU, cpu, List.of(), Optional.empty())),
                                List.of()));

        assertThat(lines.getFirst()).contains("the CPU", "900").doesNotContain("first");
        assertThat(lines).hasSize(3);
    }

    @Test
    void lowerBoundOfAnUnknownLimitIsPrinted() {
        Unknown u = atLeast(640, 32);

        assertThat(unfolded(unknown(u, List.of())).getFirst()).contains("640", "20");
        assertThat(HeadroomText.times(unknown(u, List.of())).orElseThrow()).contains("20", "CPU");
    }

    /// The pool may be saturated at 6 times the traffic, long before the CPU.
    @Test
    void theLowestBoundEndsTheSentence() {
        var pool = new PoolLimit("orders", "HikariCP", 10, 0.1, atLeast(192, 32));

        assertThat(HeadroomText.times(unknown(atLeast(640, 32), List.of(pool))).orElseThrow())
                .contains("at least 6 x", "orders")
                .doesNotContain("CPU");
    }

    @Test
    void withoutLimitAndBoundTheSentenceEnds() {
        assertThat(
                        HeadroomText.times(
                                unknown(
                                        new Unknown(Reason.NO_THROUGHPUT, Optional.empty()),
                                        List.of())))
                .isEmpty();
    }

    private static Unknown atLeast(double limitPerS, double perS) {
        return new Unknown(
                Reason.TOO_LITTLE_VARIATION,
                Optional.empty(),
                Optional.of(new Headroom.AtLeast(limitPerS, perS)));
    }

    @Test
    void manyPoolsAreCountedNotListed() {
        var u = new Unknown(Reason.TOO_FEW_WINDOWS, Optional.of(60.0));
        List<String> lines =
                unfolded(
                        unknown(
                                u,
                                Collections.nCopies(
                                        64, new PoolLimit("p", "executor", 2, 0.1, u))));

        assertThat(lines).hasSize(5);
        assertThat(lines.getLast()).contains("+61");
    }

    private static Headroom full(String pool, String... maybe) {
        var orders = new PoolLimit(pool, "HikariCP", 5, 0.6, known(250, 20, 5));
        return new Headroom(
                known(900, 2, 2),
                List.of(orders),
                Optional.of(
                        new First(
                                Resource.pool(pool),
                                (Known) orders.limit(),
                                Stream.of(maybe).map(Resource::pool).toList(),
                                Optional.of(new Raise(18, 900, Resource.CPU)))),
                List.of(new TimeAt(0.8, 200, 34.5)));
    }

    @Test
    void eachLineFitsTheTerminal() {
        Headroom headroom = full("orders", "stock");

        assertThat(HeadroomText.lines(headroom)).allMatch(l -> l.length() <= TextLines.WIDTH);
        assertThat(unfolded(headroom))
                .hasSize(7)
                .anyMatch(l -> l.endsWith(" the busiest 5 s seen (150/s)"))
                .contains("  These may be saturated as early: the pool stock");
    }

    /// The name of a pool is a text of the service and may be long.
    @Test
    void aLongNameOfAPoolIsBroken() {
        String name = "com.acme.shop.".repeat(20) + "Orders";

        assertThat(HeadroomText.lines(full(name, name)))
                .allMatch(l -> l.length() <= TextLines.WIDTH)
                .noneMatch(l -> l.contains("..."));
        assertThat(String.join("", HeadroomText.lines(full(name, name))).replace(" ", ""))
                .contains(name);
    }

    private static Headroom mixed(Optional<BusiestMix> busiest) {
        Known cpu = known(900, 2, 2);
        return new Headroom(
                cpu,
                Optional.of(
                        new Mix(
                                List.of(
                                        new EndpointDemand(
                                                Optional.of("GET /items"),
                                                98,
                                                0.98,
                                                0.9,
                                                1.2,
                                                new Interval(1.1, 1.3)),
                                        new EndpointDemand(
                                                Optional.empty(),
                                                2,
                                                0.02,
                                                0.1,
                                                41,
                                                new Interval(38, 45))),
                                busiest)),
                List.of(),
                List.of(),
                0,
                Optional.of(new First(Resource.CPU, cpu, List.of(), Optional.empty())),
                List.of());
    }

    @Test
    void demandsOfEndpointsHaveALineEach() {
        List<String> lines =
                unfolded(mixed(Optional.of(new BusiestMix(150, 510, new Interval(480, 545)))));

        assertThat(lines)
                .anyMatch(l -> l.contains("GET /items") && l.contains("1.2 ms") && l.contains("98"))
                .anyMatch(l -> l.contains("38 to 45") && l.contains("10 %"))
                .anyMatch(l -> l.contains("510") && l.contains("480 to 545"));
        assertThat(unfolded(mixed(Optional.empty()))).hasSize(lines.size() - 1);
    }

    private static Headroom withDisks(int disks, Limit limit) {
        Known cpu = known(900, 2, 2);
        return new Headroom(
                cpu,
                Optional.empty(),
                List.of(),
                Collections.nCopies(disks, new DiskLimit("nvme0n1", 0.4, limit)),
                0,
                Optional.of(new First(Resource.CPU, cpu, List.of(), Optional.empty())),
                List.of());
    }

    @Test
    void limitOfADiskOrItsLowerBoundIsPrinted() {
        assertThat(unfolded(withDisks(1, known(1500, 0.7, 1))).getLast())
                .contains("nvme0n1", "40 %", "0.7 ms", "1500");
        assertThat(
                        unfolded(
                                        withDisks(
                                                1,
                                                new Unknown(
                                                        Reason.TOO_LITTLE_VARIATION,
                                                        Optional.of(600.0),
                                                        Optional.of(new AtLeast(2300, 100)))))
                                .getLast())
                .contains("2300")
                .doesNotContain("10m");
        assertThat(
                        unfolded(
                                        withDisks(
                                                1,
                                                new Unknown(
                                                        Reason.TOO_FEW_WINDOWS, Optional.of(60.0))))
                                .getLast())
                .contains(Reason.TOO_FEW_WINDOWS.says());
        assertThat(unfolded(withDisks(20, known(1500, 0.7, 1))).getLast()).contains("+17");
    }

    @Test
    void unmeasuredResourcesAreNamedWithTheHighestUse() {
        assertThat(unfolded(withDisks(1, known(1500, 0.7, 1))))
                .anyMatch(l -> l.contains("60 %") && l.endsWith("locks, downstream services."));
        assertThat(unfolded(full("orders")))
                .anyMatch(l -> l.contains("this pool") && l.endsWith("services, disks."));
    }
}
