package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.LayerLimit.Kind;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Layer;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The question of experiment E6: what is the limit of each layer, and which layer has the
/// smallest?
class LayersTest {
    private final List<String> flags = new ArrayList<>();
    private final List<ThreadSamples.Pool> pools = new ArrayList<>();
    private final List<ThreadSamples.Busy> busy = new ArrayList<>();
    private final List<Validity.Warning> warnings = new ArrayList<>();
    private final List<LayerLimit> limits = new ArrayList<>();
    private final List<Demand> demands = new ArrayList<>();
    private Optional<Knee> knee = Optional.empty();
    private Optional<Double> promoted = Optional.of(0.0);
    private long youngCollections;

    private List<Layer> layers() {
        var gc =
                new GcActivity(
                        new GcActivity.Count(youngCollections, 10),
                        GcActivity.Count.NONE,
                        0.01,
                        Optional.of(1e8),
                        promoted,
                        Optional.of(1e6),
                        Optional.empty(),
                        Optional.empty());
        Round round = RoundFixture.round(100, 80).gc(gc).build();
        ThreadSamples threadSamples =
                SamplesVariant.withLimits(
                        new ThreadSamples(100, 80, 10, 1, pools, busy, 0, 0), limits);
        var recording =
                new Recording(
                        new Machine(2, 1, "", 0),
                        facts(),
                        Optional.empty(),
                        List.of(round),
                        List.of(threadSamples),
                        List.of(),
                        false);
        return Layers.withoutVerdict(recording, knee, demands, new Validity(true, warnings));
    }

    private TargetFacts facts() {
        return new TargetFacts(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                flags,
                2,
                true,
                List.of(),
                List.of());
    }

    private void cpuIsWorth(double concurrency) {
        knee =
                Optional.of(
                        new Knee(
                                9,
                                new Interval(8, 10),
                                80,
                                100,
                                "",
                                10,
                                Optional.of(new Knee.Predicted(concurrency, 90, true, "F1"))));
    }

    @Test
    void marksSmallestLayerInOrderOfRequestPath() {
        pools.add(new ThreadSamples.Pool("http-nio-exec", 200, 100, 100, 90, true));
        youngCollections = 3;
        cpuIsWorth(10);

        List<Layer> layers = layers();

        // 480 / 3 = 160 requests fill Eden, and a survivor space holds an eighth of that
        assertThat(layers).extracting(Layer::atOnce).containsExactly(200.0, 20.0, 10.0);
        assertThat(layers).extracting(Layer::smallest).containsExactly(false, false, true);
        assertThat(layers.getFirst().atLeast()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "60, true"})
    void aPoolThatWasNeverIdleHasItsFullSize(int minIdle, boolean atLeast) {
        pools.add(new ThreadSamples.Pool("http", 60, 60 - minIdle, minIdle, minIdle, true));
        cpuIsWorth(10);

        assertThat(layers().getFirst().atLeast()).isEqualTo(atLeast);
    }

    @Test
    void poolSizeIsNumberOfHoldersWhileOthersWait() {
        busy.add(new ThreadSamples.Busy(Cause.POOL, PlaceText.place(Cause.POOL, "HikariCP"), 15));
        busy.add(new ThreadSamples.Busy(Cause.DATABASE, PlaceText.place(Cause.DATABASE, "db"), 5));
        cpuIsWorth(40);

        assertThat(layers())
                .last()
                .satisfies(l -> {
                    assertThat(l.kind()).isEqualTo(Layer.Kind.CONNECTIONS);
                    assertThat(l.of()).isEqualTo("HikariCP");
                    assertThat(l.atOnce()).isCloseTo(5, within(1e-9));
                    assertThat(l.smallest()).isTrue();
                });
    }

    /// Three connections, and dumps in which 4.1 threads on average did not wait for a connection.
    @Test
    void layerShowsSizeAndUseOfPool() {
        busy.add(new ThreadSamples.Busy(Cause.POOL, PlaceText.place(Cause.POOL, "HikariCP"), 15));
        busy.add(
                new ThreadSamples.Busy(Cause.DATABASE, PlaceText.place(Cause.DATABASE, "db"), 4.1));
        cpuIsWorth(40);
        demands.add(new Demand("pool:HikariCP", 20, Optional.empty(), 2, 3, 1));

        assertThat(layers())
                .last()
                .satisfies(l -> {
                    assertThat(l.atOnce()).isEqualTo(3);
                    assertThat(l.from()).contains("4.1 do not wait");
                });
    }

    @Test
    void theSurvivorRatioOfTheFlagsCounts() {
        youngCollections = 4;
        cpuIsWorth(10);
        flags.add("-XX:SurvivorRatio=2");

        assertThat(layers()).extracting(Layer::atOnce).contains(60.0);
    }

    @Test
    void hasNoMemoryLayerWithoutSurvivorSpacesOrCollections() {
        pools.add(new ThreadSamples.Pool("http", 60, 60, 0, 0, true));
        cpuIsWorth(10);
        youngCollections = 2;
        assertThat(layers()).hasSize(2);

        youngCollections = 100;
        promoted = Optional.empty();
        assertThat(layers()).hasSize(2);
    }

    @Test
    void singleLayerHasNoConflict() {
        cpuIsWorth(10);

        assertThat(layers()).isEmpty();
    }

    @Test
    void eventLoopsAreNoLimitOfRequestsAtOnce() {
        pools.add(new ThreadSamples.Pool("loop", 2, 2, 0, 0, true, true, 1.9, Map.of()));
        youngCollections = 3;
        cpuIsWorth(10);

        assertThat(layers()).noneMatch(l -> l.of().contains("loop"));
    }

    @Test
    void virtualThreadsAreNoLimitOfRequestsAtOnce() {
        pools.add(new ThreadSamples.Pool("tasks", 17, 17, 0, 0, true, false, 1.6, Map.of(), true));
        pools.add(new ThreadSamples.Pool("http", 16, 16, 0, 0, true));
        cpuIsWorth(10);

        assertThat(layers()).noneMatch(l -> l.of().contains("tasks"));
        assertThat(layers()).anyMatch(l -> l.kind() == Layer.Kind.THREADS && l.of().equals("http"));
    }

    /// The true limit of a pool that may still grow is above its present size.
    @Test
    void layerWithLowerBoundIsNeverTheSmallest() {
        pools.add(new ThreadSamples.Pool("http", 6, 3, 3, 2, true));
        cpuIsWorth(10);

        assertThat(layers())
                .filteredOn(Layer::smallest)
                .extracting(Layer::kind)
                .containsExactly(Layer.Kind.CPU);
    }

    @Test
    void frontServerIsLargestLayerAndListenQueueIsNoLimit() {
        limits.add(new LayerLimit("nginx in front", Kind.FRONT, 3000, "its configuration"));
        limits.add(new LayerLimit("listen queue of port 80", Kind.LISTEN_QUEUE, 5, "ss"));
        limits.add(new LayerLimit("http-nio-exec", Kind.THREADS, 200, "MBean"));
        pools.add(new ThreadSamples.Pool("http-nio-exec", 60, 60, 0, 0, true));
        cpuIsWorth(10);

        List<Layer> layers = layers();

        assertThat(layers)
                .extracting(Layer::kind)
                .containsExactly(
                        Layer.Kind.FRONT,
                        Layer.Kind.THREADS,
                        Layer.Kind.CPU,
                        Layer.Kind.LISTEN_QUEUE);
        assertThat(layers).extracting(Layer::atOnce).containsExactly(3000.0, 200.0, 10.0, 5.0);
        assertThat(layers).extracting(Layer::smallest).containsExactly(false, false, true, false);
        assertThat(layers).extracting(Layer::waits).containsExactly(false, false, false, true);
        assertThat(Layers.disagree(layers)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"19, false", "20, true"})
    void layersDisagreeIfALimitIsTwiceTheSmallestLimit(double threads, boolean disagree) {
        limits.add(new LayerLimit("http", Kind.THREADS, threads, "MBean"));
        limits.add(new LayerLimit("listen queue of port 80", Kind.LISTEN_QUEUE, 500, "ss"));
        cpuIsWorth(10);

        assertThat(Layers.disagree(layers())).isEqualTo(disagree);
    }

    @Test
    void listenQueueIsNoSecondLayer() {
        limits.add(new LayerLimit("listen queue of port 80", Kind.LISTEN_QUEUE, 5, "ss"));
        cpuIsWorth(10);

        assertThat(layers()).isEmpty();
    }

    @Test
    void ignoresThreadsOfJmxConnector() {
        limits.add(new LayerLimit("nginx in front", Kind.FRONT, 3000, "its configuration"));
        pools.add(new ThreadSamples.Pool("RMI TCP Connection(3)-127.0.0.1", 1, 1, 0, 0, true));
        cpuIsWorth(10);

        assertThat(layers()).hasSize(2);
    }

    @Test
    void cpuLimitIsUnknownWithNeighbours() {
        limits.add(new LayerLimit("nginx in front", Kind.FRONT, 3000, "its configuration"));
        limits.add(new LayerLimit("http", Kind.THREADS, 40, "MBean"));
        warnings.add(new Validity.Warning(Validity.OTHER_PROCESSES, "others", false));
        cpuIsWorth(9);

        assertThat(layers())
                .filteredOn(Layer::smallest)
                .extracting(Layer::of)
                .containsExactly("http");
    }

    /// 24 requests without a wait for a core use one core; `left` cores are available.
    @ParameterizedTest
    @CsvSource({"2, 48", "1.5, 36", "0.1, 24"})
    void cpuLimitOfWatchedServiceIsAtLeastItsLoad(double left, double worth) {
        limits.add(new LayerLimit("http", Kind.THREADS, 400, "MBean"));
        busy.add(new ThreadSamples.Busy(Cause.SLEEP, PlaceText.place(Cause.SLEEP, "here"), 24));
        busy.add(new ThreadSamples.Busy(Cause.RUN_QUEUE, PlaceText.place(Cause.RUN_QUEUE, ""), 7));
        ThreadSamples threadSamples =
                SamplesVariant.withLimits(
                        new ThreadSamples(31, 0, 10, 1, pools, busy, 0, 0), limits);
        var recording =
                new Recording(
                        new Machine(2, 1, "", 0),
                        facts(),
                        Optional.empty(),
                        List.of(
                                RoundFixture.round(31, 0)
                                        .client(0)
                                        .cores(1)
                                        .others(2 - left)
                                        .build()),
                        List.of(threadSamples),
                        List.of(),
                        false);

        List<Layer> layers =
                Layers.underOwnLoad(
                        recording,
                        new Verdict(
                                Bottleneck.CPU, "", 0.9, Sentence.of(""), List.of(), List.of()));

        assertThat(layers)
                .filteredOn(Layer::smallest)
                .singleElement()
                .satisfies(l -> {
                    assertThat(l.kind()).isEqualTo(Layer.Kind.CPU);
                    assertThat(l.atOnce()).isCloseTo(worth, within(1e-9));
                });
    }
}
