package dev.jdyno.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.instance.PoolNeed.Known;
import dev.jdyno.instance.SizeTest.Reason;
import dev.jdyno.instance.SizeTest.Why;
import dev.jdyno.measure.service.Framework;
import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import dev.jdyno.plan.Knob;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The goal is a p99 of 100 ms at 1000/s; the test had 42.5 ms.
class PoolModelTest {
    private static PoolNeed need(
            List<Knob> knobs, Optional<Framework> framework, PoolDemand pool, double perS) {
        SizeTest test =
                SizeFixture.test(SizeFixture.GRID.full(), Why.FULL, Outcome.GOOD, Reason.NONE);
        return new PoolModel(SizeFixture.wish(Optional.empty()), knobs)
                .needs(SizeFixture.withPools(test, perS, framework, pool))
                .getFirst();
    }

    private static PoolNeed need(double size, double inUse, double to, double heldMs) {
        return need(
                List.of(),
                Optional.empty(),
                SizeFixture.pool("orders", "HikariCP", size, inUse, to, heldMs),
                1000);
    }

    /// At most nine of ten places are in use; after a short hold no wait is long.
    @Test
    void shortHoldsNeedLittleMoreThanTheMean() {
        PoolNeed need = need(50, 5, 5, 5);

        assertThat(need.places()).isEqualTo(6);
        assertThat(need.least()).isEqualTo(6);
        assertThat(need.usesPerRequest().orElseThrow()).isEqualTo(1.0);
        assertThat(need(200, 90, 90, 5).places()).isEqualTo(100);
    }

    /// With 900 ms each, 99 % of the requests wait at most 57 ms only with many spare places.
    @Test
    void longHoldsNeedSparePlaces() {
        int shortHold = need(2000, 90, 90, 90).places();
        int longHold = need(2000, 90, 90, 900).places();

        assertThat(longHold).isGreaterThan(shortHold).isLessThan(140);
    }

    @Test
    void theUpperEndOfTheIntervalIsProposed() {
        PoolNeed need = need(50, 5, 9, 5);

        assertThat(need.places()).isEqualTo(10);
        assertThat(need.least()).isEqualTo(2);
    }

    /// The test had 500/s, and 1000/s are wanted.
    @Test
    void useGrowsWithTheRate() {
        PoolNeed need =
                need(
                        List.of(),
                        Optional.empty(),
                        SizeFixture.pool("orders", "HikariCP", 50, 4.5, 4.5, 0),
                        500);

        assertThat(need.places()).isEqualTo(10);
        assertThat(need.usesPerRequest()).isEmpty();
    }

    /// A size with which the goals held is never raised.
    @Test
    void noMoreThanTheSizeThatHeldTheRate() {
        PoolNeed need = need(6, 5.9, 6, 6);

        assertThat(need.places()).isEqualTo(6);
        assertThat(need.isPresent()).isTrue();
        assertThat(need.holds()).isEqualTo(Known.NO_KNOB);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "SPRING_BOOT, HikariCP, spring.datasource.hikari.maximum-pool-size, true",
                "MICRONAUT, HikariCP, datasources.default.maximum-pool-size, true",
                "HELIDON, HikariCP, HikariCP's maximumPoolSize, false",
                "QUARKUS, Agroal, quarkus.datasource.a.jdbc.max-size, true",
                "SPRING_BOOT, Tomcat, server.tomcat.threads.max, true",
                "QUARKUS, executor, , false"
            })
    void namesTheSettingOfTheFrameworkThatRuns(
            Framework framework, String library, String name, boolean property) {
        PoolNeed need =
                need(
                        List.of(),
                        Optional.of(framework),
                        SizeFixture.pool("a", library, 50, 5, 5, 5),
                        1000);

        assertThat(need.setting().name()).isEqualTo(Optional.ofNullable(name));
        assertThat(need.setting().property()).isEqualTo(property);
    }

    /// The values that a knob has come before the computed number.
    @Test
    void aKnobBelongsToAPoolByPropertyOrName() {
        String property = "spring.datasource.hikari.maximum-pool-size";
        List<Knob.Place> places =
                List.of(
                        new Knob.Place.Property(property, "{}"),
                        new Knob.Place.Flag("-D" + property + "={}"),
                        new Knob.Place.Argument("--" + property + "={}"),
                        new Knob.Place.Variable("SPRING_DATASOURCE_HIKARI_MAXIMUMPOOLSIZE", "{}"));
        for (Knob.Place place : places) {
            var knob = new Knob("size", new Knob.Values.Listed(List.of("20", "4", "8")), place);
            PoolNeed need =
                    need(
                            List.of(knob),
                            Optional.of(Framework.SPRING_BOOT),
                            SizeFixture.pool("orders", "HikariCP", 20, 5, 5, 5),
                            1000);

            assertThat(need.setting().knob()).contains("size");
            assertThat(need.places()).isEqualTo(8);
            assertThat(need.less()).contains(4);
            assertThat(need.setting().written().orElseThrow()).endsWith("8");
        }
        var named =
                new Knob(
                        "Orders",
                        new Knob.Values.Range(8, 30),
                        new Knob.Place.Argument("--pool={}"));
        PoolNeed need =
                need(
                        List.of(named),
                        Optional.empty(),
                        SizeFixture.pool("orders", "", 20, 5, 5, 5),
                        1000);
        assertThat(need.places()).isEqualTo(8);
        assertThat(need.less()).isEmpty();
        var other =
                new Knob(
                        "cache",
                        new Knob.Values.Range(1, 30),
                        new Knob.Place.Argument("--cache={}"));
        assertThat(
                        need(
                                        List.of(other),
                                        Optional.empty(),
                                        SizeFixture.pool("orders", "", 20, 5, 5, 5),
                                        1000)
                                .setting()
                                .knob())
                .isEmpty();
    }

    /// Few requests ended, or the metrics have a wrong number.
    @ParameterizedTest
    @CsvSource({"1e9, 1000", "1e15, 0.001", "200, 0.5"})
    void aNeedAboveEachPoolIsLimitedAndSetByNoKnob(double inUse, double perS) {
        var range =
                new Knob(
                        "orders",
                        new Knob.Values.Range(1, Long.MAX_VALUE),
                        new Knob.Place.Argument("--pool={}"));
        SizeTest bad =
                SizeFixture.test(SizeFixture.GRID.full(), Why.FULL, Outcome.BAD, Reason.MISSED);
        PoolNeed need =
                new PoolModel(SizeFixture.wish(Optional.empty()), List.of(range))
                        .needs(
                                SizeFixture.withPools(
                                        bad,
                                        perS,
                                        SizeFixture.pool("orders", "", 1e15, inUse, inUse, 0)))
                        .getFirst();

        assertThat(need.places()).isEqualTo(PoolNeed.MAX_PLACES);
        assertThat(need.exceedsMaximum()).isTrue();
        assertThat(need.present()).contains(Integer.MAX_VALUE);
        assertThat(need.setting().knob()).isEmpty();
        assertThat(need.holds()).isEqualTo(Known.NO_KNOB);
    }

    @ParameterizedTest
    @CsvSource({"1, 50, 6", "8, 50, 8", "1, 5, 0", "5000000000, 6000000000, 0"})
    void aRangeHasTheNumbersWithinItsEnds(long from, long to, int atLeastSix) {
        var knob =
                new Knob(
                        "orders",
                        new Knob.Values.Range(from, to),
                        new Knob.Place.Argument("--pool={}"));

        assertThat(PoolKnobs.atLeast(knob, 6))
                .isEqualTo(Optional.of(atLeastSix).filter(n -> n > 0));
    }

    /// No value of the knob is large enough.
    @Test
    void aKnobThatIsTooSmallIsNotSet() {
        var small =
                new Knob(
                        "orders",
                        new Knob.Values.Range(1, 4),
                        new Knob.Place.Argument("--pool={}"));
        PoolNeed need =
                need(
                        List.of(small),
                        Optional.empty(),
                        SizeFixture.pool("orders", "", 20, 5, 5, 5),
                        1000);

        assertThat(need.places()).isEqualTo(6);
        assertThat(need.setting().knob()).isEmpty();
        assertThat(need.holds()).isEqualTo(Known.NO_KNOB);
    }
}
