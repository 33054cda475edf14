package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.thread.CallSites;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AwaitedCallsTest {
    private static final String PLACE = "10.0.0.7:80";

    private static final CallSites SITES =
            new CallSites(
                    "com.acme.Page.get",
                    Optional.of("Page.java"),
                    List.of(new CallSites.Line(12, 0.5), new CallSites.Line(13, 0.5)),
                    16);

    private static ThreadPlaces census(double futures, double standing, Calls... calls) {
        return ThreadPlaces.dividedByCalls(
                List.of(
                        new ThreadSamples.Pool(
                                "http",
                                20,
                                futures,
                                0,
                                0,
                                true,
                                false,
                                0,
                                Map.of(Cause.FUTURE, futures))),
                List.of(
                        new ThreadSamples.Busy(
                                Cause.FUTURE, PlaceText.place(Cause.FUTURE, "result"), futures),
                        new ThreadSamples.Busy(
                                Cause.DOWNSTREAM,
                                PlaceText.place(Cause.DOWNSTREAM, PLACE),
                                standing)),
                List.of(calls));
    }

    private static ThreadPlaces applied(ThreadPlaces threadSamples) {
        return AwaitedCalls.applied(threadSamples, Optional.of(SITES));
    }

    /// Several lines call one service. If no more calls are open than threads wait, the lines call
    /// one after the other. If more are open, calls run in parallel. With two services, lines
    /// cannot be attributed.
    @ParameterizedTest
    @CsvSource({"16, 0, true", "14, 0, true", "32, 0, false", "8, 8, false"})
    void linesAreCallSitesOfServiceCalledOneAtATime(double one, double two, boolean seen) {
        ThreadPlaces applied =
                applied(
                        census(
                                16,
                                0,
                                new Calls(PlaceText.peer(PLACE), 32, one, 32),
                                new Calls(PlaceText.peer("10.0.0.9:80"), 32, two, 32)));

        assertThat(applied.top(Cause.DOWNSTREAM).orElseThrow().sites())
                .isEqualTo(
                        seen
                                ? Optional.of(SITES.withThreads(SITES.threads() * one / 16))
                                : Optional.empty());
    }

    /// `WebClient.block()` in every request thread.
    @Test
    void countsWaitersOfAsynchronousClientAsCalls() {
        ThreadPlaces applied =
                applied(census(16, 0, new Calls(PlaceText.peer(PLACE), 16, 15.8, 16)));

        assertThat(applied.threads(Cause.DOWNSTREAM)).isCloseTo(15.8, within(1e-9));
        assertThat(applied.threads(Cause.FUTURE)).isCloseTo(0.2, within(1e-9));
        assertThat(applied.top(Cause.DOWNSTREAM).orElseThrow())
                .matches(ThreadSamples.Busy::async)
                .extracting(ThreadSamples.Busy::where)
                .isEqualTo(PLACE);
        assertThat(applied.pools().getFirst().doing(Cause.DOWNSTREAM))
                .isCloseTo(15.8, within(1e-9));
        assertThat(applied.busyThreads()).isEqualTo(16);
    }

    @Test
    void waitersBeyondOpenCallsWaitForOtherThings() {
        ThreadPlaces applied =
                applied(
                        census(
                                16,
                                0,
                                new Calls(PlaceText.peer(PLACE), 3, 3, 3),
                                new Calls(
                                        PlaceText.peer("PostgreSQL 10.0.0.8:5432"),
                                        1,
                                        1,
                                        1,
                                        true)));

        assertThat(applied.threads(Cause.FUTURE)).isCloseTo(12, within(1e-9));
        assertThat(applied.threads(Cause.DOWNSTREAM)).isCloseTo(3, within(1e-9));
        assertThat(applied.threads(Cause.DATABASE)).isCloseTo(1, within(1e-9));
        assertThat(applied.pools().getFirst().doing())
                .hasEntrySatisfying(Cause.FUTURE, f -> assertThat(f).isCloseTo(12, within(1e-9)))
                .hasEntrySatisfying(Cause.DATABASE, d -> assertThat(d).isCloseTo(1, within(1e-9)));
    }

    /// The threads of an executor make the calls. An idle observed connection belongs to no call.
    @Test
    void ignoresCallsOfThreadsAndStrayCalls() {
        ThreadPlaces ofAnExecutor = census(16, 4, new Calls(PlaceText.peer(PLACE), 4, 4, 4));
        ThreadPlaces watched = census(16, 0, new Calls(PlaceText.peer(PLACE), 1, 0.4, 1));

        assertThat(applied(ofAnExecutor)).isEqualTo(ofAnExecutor);
        assertThat(applied(watched)).isEqualTo(watched);
        assertThat(applied(census(0, 0))).isEqualTo(census(0, 0));
    }
}
