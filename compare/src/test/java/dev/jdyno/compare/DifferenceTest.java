package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Profile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class DifferenceTest {
    private static Profile.Node node(String frame, long samples, Profile.Node... children) {
        return new Profile.Node(frame, samples, List.of(children));
    }

    /// A page that reads a map and renders. Only variant A calls `gone`.
    private static Profile profile(String source, long map, long render, long gone) {
        Profile.Node get =
                node(
                        "com.acme.Page.get",
                        map + render + gone,
                        node("java.util.HashMap.get", map),
                        node("com.acme.Render.html", render),
                        node("com.acme.Gone.call", gone));
        return new Profile(
                Profile.Kind.CPU,
                source,
                16,
                100,
                0.01,
                0,
                node("all", get.samples(), node("http", get.samples(), get)));
    }

    private static Profile ofOneJvm(int port, String address) {
        Profile.Node burn =
                node(
                        "com.acme.Page$$Lambda." + address + ".run",
                        1000,
                        node("com.acme.Burn.walk", 1000));
        return new Profile(
                Profile.Kind.CPU,
                "p",
                16,
                100,
                0.01,
                0,
                node("all", 1000, node("http-nio-127.0.0.1-" + port + "-exec", 1000, burn)));
    }

    @Test
    void ignoresPortsAndAddressesInDifferences() {
        Difference d =
                Difference.of(
                        with(ofOneJvm(45413, "0x000000006e1bbe90"), 1),
                        with(ofOneJvm(38021, "0x00007f11aa001000"), 1),
                        TEN,
                        TEN);

        assertThat(d.methods()).isEmpty();
        Difference.Flame pool = d.flame().orElseThrow().children().getFirst();
        assertThat(pool.differs()).isFalse();
        assertThat(pool.children().getFirst().differs()).isFalse();
    }

    private static RunResult with(Profile profile, double lockMs) {
        RunResult r = ResultFixture.e1();
        var breakdown = new Breakdown(Map.of(Cause.CPU, 2.0, Cause.LOCK, lockMs), List.of(), 1);
        return new RunResult(
                        r.jdyno(),
                        r.recording()
                                .withRounds(
                                        List.of(
                                                RoundFixture.round(16, 100)
                                                        .build()
                                                        .withBreakdown(breakdown))),
                        r.goal(),
                        r.judged())
                .withInsight(new Insight(List.of(profile), List.of(), List.of(), List.of()));
    }

    private static final OptionalDouble TEN = OptionalDouble.of(10);
    private static final OptionalDouble TWENTY = OptionalDouble.of(20);

    private static Difference difference() {
        return Difference.of(
                with(profile("p", 400, 600, 0), 3),
                with(profile("p", 1400, 600, 0), 5),
                TEN,
                TWENTY);
    }

    @Test
    void namesMethodWithDifferentFrameAndCpuTime() {
        assertThat(difference().methods()).hasSize(1);
        Difference.Method method = difference().methods().getFirst();
        assertThat(method.application()).isEqualTo("com.acme.Page.get");
        assertThat(method.frame()).isEqualTo("java.util.HashMap.get");
        assertThat(method.aMs()).isCloseTo(4, within(1e-9));
        assertThat(method.bMs()).isCloseTo(14, within(1e-9));
        assertThat(method.byMs()).isCloseTo(10, within(1e-9));
    }

    @Test
    void ignoresDifferenceWithinSamplingError() {
        assertThat(
                        Difference.of(
                                        with(profile("p", 4, 6, 0), 3),
                                        with(profile("p", 6, 6, 0), 3),
                                        TEN,
                                        TEN)
                                .methods())
                .isEmpty();
    }

    @Test
    void theFlameGraphHasTheWidthsOfB() {
        Difference d =
                Difference.of(
                        with(profile("p", 400, 600, 500), 3),
                        with(profile("p", 1400, 600, 0), 5),
                        TEN,
                        TWENTY);
        Difference.Flame all = d.flame().orElseThrow();
        Difference.Flame get = all.children().getFirst().children().getFirst();

        assertThat(all.aMs()).isCloseTo(10, within(1e-9));
        assertThat(all.bMs()).isCloseTo(20, within(1e-9));
        assertThat(get.children())
                .anyMatch(f ->
                        f.frame().equals("java.util.HashMap.get") && f.differs() && f.byMs() > 0);
        assertThat(get.children().stream().mapToDouble(Difference.Flame::bMs).sum())
                .isCloseTo(get.bMs(), within(1e-9));
        assertThat(d.methods())
                .anyMatch(m -> m.application().equals("com.acme.Gone.call") && m.bMs() == 0);
    }

    @Test
    void bothBreakdownsStandSideBySide() {
        Difference.Breakdowns both = difference().breakdown().orElseThrow();

        assertThat(both.parts())
                .anyMatch(p ->
                        p.cause().equals(Optional.of(Cause.LOCK)) && p.aMs() == 3 && p.bMs() == 5);
        assertThat(both.parts()).anyMatch(p -> p.cause().isEmpty() && p.aMs() == 1);
        assertThat(both.parts()).noneMatch(p -> p.aMs() == 0 && p.bMs() == 0);
    }

    @Test
    void profilesOfOtherSourcesAreNotCompared() {
        Difference d =
                Difference.of(
                        with(profile("p", 400, 600, 0), 3),
                        with(profile("jfr", 1400, 600, 0), 5),
                        TEN,
                        TWENTY);

        assertThat(d.methods()).isEmpty();
        assertThat(d.flame()).isEmpty();
        assertThat(d.breakdown()).isPresent();
    }
}
