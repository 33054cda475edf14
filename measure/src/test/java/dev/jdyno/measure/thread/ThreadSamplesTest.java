package dev.jdyno.measure.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadSamplesTest {
    private static ThreadSamples.Busy busy(Cause cause, String where, double threads) {
        return new ThreadSamples.Busy(cause, PlaceText.place(cause, where), threads);
    }

    private static ThreadPlaces places(ThreadSamples.Busy... busy) {
        return new ThreadPlaces(List.of(), List.of(busy), List.of());
    }

    private static ThreadPlaces calling(List<ThreadSamples.Busy> busy, Calls... calls) {
        return ThreadPlaces.dividedByCalls(List.of(), busy, List.of(calls));
    }

    @Test
    void redistributesWorkAndKeepsTheRest() {
        ThreadPlaces seen =
                places(
                        busy(Cause.CPU, "a loop's poll", 1.2),
                        busy(Cause.LOCK, "a lock", 1),
                        busy(Cause.CPU, "b", 0.4));

        ThreadPlaces divided =
                seen.dividedByWork(
                        Map.of(
                                PlaceText.place(Cause.CPU, "b"),
                                0.75,
                                PlaceText.place(Cause.CPU, "c"),
                                0.25));

        assertThat(divided.busy())
                .extracting(b -> b.cause() + " " + b.where())
                .containsExactly("CPU b", "LOCK a lock", "CPU c");
        assertThat(divided.threads(Cause.CPU)).isCloseTo(1.6, within(1e-9));
        assertThat(divided.busyThreads()).isCloseTo(seen.busyThreads(), within(1e-9));
    }

    /// The JDK's HTTP client: request threads wait on a future, and its selector thread reads.
    @Test
    void distributesWaitersOverServicesByCalls() {
        List<ThreadSamples.Busy> seen =
                List.of(
                        busy(Cause.DOWNSTREAM, "client one of a:80, b:80, c:80", 12),
                        busy(Cause.DOWNSTREAM, "other a:80", 2));

        ThreadPlaces placed =
                calling(
                        seen,
                        new Calls(PlaceText.peer("a:80"), 16, 8, 16),
                        new Calls(PlaceText.peer("b:80"), 16, 3, 16),
                        new Calls(PlaceText.peer("c:80"), 16, 0, 16),
                        new Calls(PlaceText.peer("MySQL d:3306"), 16, 9, 16, true));

        assertThat(placed.busy())
                .extracting(ThreadSamples.Busy::where)
                .containsExactly("client a:80", "client b:80", "other a:80");
        assertThat(placed.busy())
                .extracting(ThreadSamples.Busy::threads)
                .containsExactly(12 * 6 / 9.0, 12 * 3 / 9.0, 2.0);
        assertThat(calling(seen).busy()).isEqualTo(seen);
    }

    @Test
    void countsCallsWithoutThreadAtTheirPlace() {
        ThreadPlaces seen =
                calling(
                        List.of(busy(Cause.DOWNSTREAM, "a:80", 5), busy(Cause.FUTURE, "f", 3)),
                        new Calls(PlaceText.peer("a:80"), 30, 24, 30),
                        new Calls(PlaceText.peer("MySQL b:3306"), 9, 8, 9, true));

        ThreadPlaces whole = seen.requests();

        assertThat(whole.threads(Cause.DOWNSTREAM)).isCloseTo(5 + 24 * 0.75, within(1e-9));
        assertThat(whole.threads(Cause.DATABASE)).isCloseTo(8 * 0.75, within(1e-9));
        assertThat(whole.busy().getFirst().where()).isEqualTo("a:80");
        assertThat(whole.busyThreads()).isCloseTo(5 + 3 + 24, within(1e-9));
        assertThat(whole.requests().busyThreads())
                .as("counted once")
                .isCloseTo(whole.busyThreads(), within(1e-9));
    }

    @Test
    void callsWithThreadsAddNoWaiters() {
        ThreadPlaces seen =
                calling(
                        List.of(busy(Cause.DOWNSTREAM, "a:80", 5)),
                        new Calls(PlaceText.peer("a:80"), 9, 4.8, 9));

        assertThat(seen.requests()).isEqualTo(seen);
    }

    @Test
    void roundThroughputReplacesOnlyThroughput() {
        var signals = new Signals(Map.of(Signals.Sign.GC_CORES, 0.5));
        var seen = new ThreadSamples(8, 0, 10, 1.5, List.of(), List.of(), 2, 3, List.of(), signals);

        ThreadSamples measured = seen.atThroughput(100);

        assertThat(measured)
                .isEqualTo(
                        new ThreadSamples(
                                8, 100, 10, 1.5, List.of(), List.of(), 2, 3, List.of(), signals));
    }

    /// If the recording has no better CPU shares, those of the dumps stay.
    @Test
    void completesThreadSamplesWithLaterReadings() {
        var window =
                new SampledThreads(
                        10,
                        1.5,
                        places(busy(Cause.CPU, "a", 2)),
                        2,
                        3,
                        new Signals(Map.of(Signals.Sign.GC_CORES, 0.5)),
                        List.of(),
                        List.of());
        var later = new Signals(Map.of(Signals.Sign.JIT_CORES, 0.1));

        assertThat(window.at(8, 100).busy()).isEqualTo(window.places().busy());
        assertThat(window.at(8, 100, later, Map.of(PlaceText.place(Cause.CPU, "b"), 1.0)))
                .isEqualTo(
                        new ThreadSamples(
                                8,
                                100,
                                10,
                                1.5,
                                List.of(),
                                List.of(busy(Cause.CPU, "b", 2)),
                                2,
                                3,
                                List.of(),
                                window.signals().and(later)));
    }
}
