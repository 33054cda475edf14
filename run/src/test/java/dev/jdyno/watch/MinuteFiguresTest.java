package dev.jdyno.watch;

import static dev.jdyno.watch.WatchFixture.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.capacity.headroom.NaturalLoad;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedMinute.Detail;
import dev.jdyno.measure.watch.WatchedMinute.Route;
import dev.jdyno.trial.watch.LiveDiagnosis.Seen;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MinuteFiguresTest {
    private static final double PER_S = 100;
    private static final double IN_FLIGHT = 8;

    /// 100 requests/s with 8 in flight, so 80 ms each: 6 wait for a lock, 2 use CPU.
    private static Recording recording(List<Standstill> stops, List<ThreadSamples> samples) {
        Round round =
                Round.watched(
                        8,
                        60,
                        PER_S,
                        IN_FLIGHT,
                        Optional.of(CpuUse.ofWholeMachine(2, 0, 0, 0, 4, 50, 0, 0)),
                        Optional.empty(),
                        _ -> Optional.empty());
        var facts =
                new TargetFacts(
                        Optional.of(1L),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        4,
                        true,
                        List.of(),
                        List.of());
        return new Recording(
                new Machine(4, 8L << 30, "6.1", 0),
                facts.with(stops),
                Optional.empty(),
                List.of(round),
                samples,
                List.of(),
                false,
                Insight.NONE,
                Optional.empty(),
                List.of());
    }

    private static ThreadSamples samples() {
        return new ThreadSamples(
                8,
                PER_S,
                12,
                1,
                List.of(new ThreadSamples.Pool("exec", 10, 8, 2, 2, true)),
                List.of(busy(Cause.LOCK, 6), busy(Cause.CPU, 2)),
                0,
                0);
    }

    private static ThreadSamples.Busy busy(Cause cause, double threads) {
        return new ThreadSamples.Busy(cause, PlaceText.place(cause, "com.acme.Stock"), threads);
    }

    private static WatchedMinute minute(Recording recording, List<Route> routes) {
        return MinuteFigures.of(
                new MinuteFigures.When(START, 0, "shop", 4711),
                new Seen(
                        recording,
                        Optional.of(IN_FLIGHT),
                        Optional.of(
                                new Throughput(PER_S, Throughput.Source.METRICS, Optional.empty())),
                        List.of(),
                        List.of(),
                        Optional.empty()),
                new Verdict(Bottleneck.LOCK, "", 0.9, Sentence.of(""), List.of(), List.of()),
                NaturalLoad.headroom(List.of(), Optional.empty()),
                routes);
    }

    @Test
    void minuteHasPartsOfResponseTimeAndItsRoutes() {
        List<Route> routes = List.of(new Route("GET /a", PER_S, 80));

        Detail detail = minute(recording(List.of(), List.of(samples())), routes).detail();

        assertThat(detail.breakdownMs().getOrDefault(Cause.LOCK, 0.0)).isCloseTo(60, within(6.0));
        assertThat(detail.breakdownMs().getOrDefault(Cause.CPU, 0.0)).isCloseTo(20, within(6.0));
        assertThat(
                        detail.unexplainedMs()
                                + detail.breakdownMs().values().stream()
                                        .mapToDouble(Double::doubleValue)
                                        .sum())
                .isCloseTo(80, within(1.0));
        assertThat(detail.routes()).isEqualTo(routes);
    }

    @Test
    void minuteWithoutDumpsOrWithStoppedServiceHasNoParts() {
        var stop = new Standstill(Standstill.By.SIGNAL, 1, Optional.of(5.0));

        assertThat(minute(recording(List.of(), List.of()), List.of()).detail())
                .isEqualTo(Detail.NONE);
        assertThat(minute(recording(List.of(stop), List.of(samples())), List.of()).detail())
                .isEqualTo(Detail.NONE);
    }
}
